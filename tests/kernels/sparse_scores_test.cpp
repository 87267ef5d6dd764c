// SPDX-License-Identifier: Apache-2.0
#include "kernels/sparse_scores.hpp"

#include <cmath>
#include <stdexcept>

#include "simd_support.hpp"

namespace puma::kernels {
namespace {

using SparseScores = test::EveryTarget;
INSTANTIATE_TEST_SUITE_P(Targets, SparseScores, test::all_targets(), test::target_name);

using Atoms = std::vector<std::uint32_t>;
using Values = std::vector<float>;

TEST(SparseScore, ReferenceSumsSharedAtomsOnly) {
  EXPECT_EQ(sparse_score_reference(Atoms{1, 4, 9}, Values{2, 3, 5}, Atoms{0, 4, 9, 12},
                                   Values{7, 11, 13, 17}),
            3.0f * 11 + 5 * 13);
  EXPECT_EQ(sparse_score_reference(Atoms{1}, Values{2}, Atoms{2}, Values{3}), 0.0f);
  EXPECT_EQ(sparse_score_reference({}, {}, Atoms{2}, Values{3}), 0.0f);
}

TEST(SparseScore, ReferenceRoundsOncePerAtom) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: a product rounded on its own loses the last bit.
  const float x = 1.0f + std::ldexp(1.0f, -12);
  const float square = std::fma(x, x, -1.0f - std::ldexp(1.0f, -11));
  EXPECT_EQ(sparse_score_reference(Atoms{0, 1}, Values{1.0f + std::ldexp(1.0f, -11), x},
                                   Atoms{0, 1}, Values{-1.0f, x}),
            square);
  EXPECT_EQ(square, std::ldexp(1.0f, -24));
}

TEST(SparseScore, ReferenceNeverIsMinusZero) {
  const float score = sparse_score_reference(Atoms{0}, Values{1e-30f}, Atoms{0}, Values{-1e-30f});
  EXPECT_FALSE(std::signbit(score));
}

TEST_P(SparseScores, OfABlockHaveTheBitsOfTheReference) {
  constexpr std::uint32_t kAtoms = 41;
  for (const std::size_t width : {16u, 32u, 48u, 64u, 80u, 112u}) {
    const Values block = test::awkward_floats(kAtoms * width, static_cast<std::uint32_t>(width));
    for (const std::uint32_t every : {1u, 2u, 3u, 7u, 100u}) {
      Atoms atoms;
      for (std::uint32_t a = every == 100 ? kAtoms - 1 : 0; a < kAtoms; a += every)
        atoms.push_back(a);
      const Values values = test::awkward_floats(atoms.size(), every);
      Values scores(width, 7.0f), expected;
      sparse_scores_block(block, static_cast<std::int64_t>(width), atoms, values, scores);
      for (std::size_t q = 0; q < width; ++q) {
        Atoms query_atoms;
        Values query_values;
        for (std::uint32_t a = 0; a < kAtoms; ++a) {
          if (block[a * width + q] == 0.0f) continue;  // what a query lacks is a zero in the block
          query_atoms.push_back(a);
          query_values.push_back(block[a * width + q]);
        }
        expected.push_back(sparse_score_reference(query_atoms, query_values, atoms, values));
      }
      ASSERT_EQ(test::bits(scores), test::bits(expected))
          << "width " << width << ", step " << every;
    }
  }
}

TEST_P(SparseScores, OfAnUnderflowStayPlusZeroBesideZeroWeights) {
  Values block(3 * 16, 0.0f);
  block[0] = -1e-30f;  // query 0: an underflow to -0, then two atoms that it lacks
  Values scores(16);
  sparse_scores_block(block, 16, Atoms{0, 1, 2}, Values{1e-30f, 2.0f, -3.0f}, scores);
  EXPECT_EQ(test::bits(scores), test::bits(Values(16, 0.0f)));
  sparse_scores_block(block, 16, Atoms{0}, Values{1e-30f}, scores);
  EXPECT_EQ(test::bits(scores), test::bits(Values(16, 0.0f)));
}

TEST_P(SparseScores, OfAnEmptyCandidateAreZero) {
  Values scores(32, 3.0f);
  sparse_scores_block({}, 32, {}, {}, scores);
  EXPECT_EQ(scores, Values(32, 0.0f));
  sparse_scores_block({}, 0, {}, {}, {});
}

TEST(SparseScore, BlockRefusesArraysThatDoNotFit) {
  Values block(32), scores(16), odd(15);
  EXPECT_THROW(sparse_scores_block(block, 15, {}, {}, odd), std::invalid_argument);
  EXPECT_THROW(sparse_scores_block(block, 32, {}, {}, scores), std::invalid_argument);
  EXPECT_THROW(sparse_scores_block(block, 16, Atoms{2}, Values{1}, scores), std::invalid_argument);
  EXPECT_THROW(sparse_scores_block(block, 16, Atoms{1}, {}, scores), std::invalid_argument);
}

}  // namespace
}  // namespace puma::kernels
