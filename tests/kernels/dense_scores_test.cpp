// SPDX-License-Identifier: Apache-2.0
#include "kernels/dense_scores.hpp"

#include <cmath>
#include <stdexcept>
#include <tuple>

#include "simd_support.hpp"

namespace puma::kernels {
namespace {

using DenseScores = test::EveryTarget;
INSTANTIATE_TEST_SUITE_P(Targets, DenseScores, test::all_targets(), test::target_name);

TEST(DenseScore, ReferenceAddsTheLanesInTheStatedOrder) {
  // 2^53 in lane 0 swallows a 1 added to it alone, but not the 2 that lanes 1 and 9 make first.
  std::vector<float> q(16, 0.0f), c(16, 1.0f);
  q[0] = std::ldexp(1.0f, 53);
  q[1] = q[9] = 1.0f;
  EXPECT_EQ(dense_score_reference(q, c), std::ldexp(1.0f, 53));
  q[0] = 0.0f;
  EXPECT_EQ(dense_score_reference(q, c), 2.0f);
  // Lane 0 takes dimension 16 before it meets lane 8: (2^60 - 2^60) + 1, not 2^60 + (1 - 2^60).
  q.assign(17, 0.0f);
  c.assign(17, 1.0f);
  q[0] = std::ldexp(1.0f, 60);
  q[16] = -q[0];
  q[8] = 1.0f;
  EXPECT_EQ(dense_score_reference(q, c), 1.0f);
}

TEST(DenseScore, ReferenceOfNothingIsZero) {
  EXPECT_EQ(dense_score_reference({}, {}), 0.0f);
}

TEST_P(DenseScores, HasTheBitsOfTheReferenceAtOddSizes) {
  for (const std::int64_t dim : {1, 2, 15, 16, 17, 31, 33, 255, 256, 1000}) {
    for (const auto& [q, n] : {std::tuple{1, 1}, {3, 2}, {4, 6}, {5, 7}, {9, 13}, {1, 20}}) {
      const auto d = static_cast<std::size_t>(dim);
      const auto queries = test::awkward_floats(static_cast<std::size_t>(q) * d, 1);
      const auto candidates = test::awkward_floats(static_cast<std::size_t>(n) * d, 2);
      std::vector<float> scores(static_cast<std::size_t>(q * n), -1.0f), expected;
      dense_scores(queries, candidates, dim, scores);
      for (std::size_t i = 0; i < static_cast<std::size_t>(q); ++i) {
        for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
          expected.push_back(dense_score_reference(std::span(queries).subspan(i * d, d),
                                                   std::span(candidates).subspan(j * d, d)));
        }
      }
      ASSERT_EQ(test::bits(scores), test::bits(expected)) << "dim " << dim << ", " << q << "x" << n;
    }
  }
}

TEST_P(DenseScores, OfZerosAndDenormalsKeepEveryBit) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const std::vector<float> queries{tiny, -0.0f, 0.0f, tiny};
  const std::vector<float> candidates{1.0f, 5.0f, -1.0f, -0.0f};
  std::vector<float> scores(4);
  dense_scores(queries, candidates, 2, scores);
  EXPECT_EQ(scores, (std::vector<float>{tiny, -tiny, 5 * tiny, 0.0f}));
}

TEST_P(DenseScores, AcceptsNoQueriesAndNoCandidates) {
  const std::vector<float> some(32, 1.0f);
  std::vector<float> none;
  dense_scores(none, some, 16, none);
  dense_scores(some, none, 16, none);
  dense_scores(none, none, 16, none);
}

TEST(DenseScore, RefusesArraysThatDoNotFit) {
  std::vector<float> rows(32), scores(4);
  EXPECT_THROW(dense_scores(rows, rows, 15, scores), std::invalid_argument);
  EXPECT_THROW(dense_scores(rows, rows, 8, scores), std::invalid_argument);
  EXPECT_THROW(dense_scores(rows, rows, 0, scores), std::invalid_argument);
  EXPECT_THROW(dense_score_reference(rows, scores), std::invalid_argument);
}

}  // namespace
}  // namespace puma::kernels
