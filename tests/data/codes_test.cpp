// SPDX-License-Identifier: Apache-2.0
#include "data/codes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data_files.hpp"

namespace puma::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The plain definition: sort every kept entry by magnitude, ties by atom; cut.
void select_reference(std::span<const float> row_values, bool is_signed, CodeMatrix& codes) {
  std::vector<std::uint32_t> atoms;
  for (std::uint32_t i = 0; i < row_values.size(); ++i) {
    if (is_signed ? row_values[i] != 0 : row_values[i] > 0) atoms.push_back(i);
  }
  std::stable_sort(atoms.begin(), atoms.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::fabs(row_values[a]) > std::fabs(row_values[b]);
  });
  atoms.resize(std::min<std::size_t>(atoms.size(), static_cast<std::size_t>(codes.k_max)));
  codes.lengths[0] = static_cast<std::int32_t>(atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    codes.atoms[i] = atoms[i];
    codes.values[i] = row_values[atoms[i]];
  }
}

void expect_like_reference(const std::vector<float>& row, std::int64_t k) {
  for (const bool is_signed : {false, true}) {
    const auto width = static_cast<std::int64_t>(row.size());
    CodeMatrix found = CodeMatrix::zeros(1, width, k, is_signed);
    CodeMatrix expected = found;
    is_signed ? select_top_magnitude(row, 0, found) : select_top_positive(row, 0, found);
    select_reference(row, is_signed, expected);
    ASSERT_EQ(found.lengths, expected.lengths) << "width " << width << ", k " << k;
    ASSERT_EQ(found.atoms, expected.atoms) << "width " << width << ", k " << k;
    ASSERT_EQ(found.values, expected.values) << "width " << width << ", k " << k;
  }
}

TEST(CodeSelect, AgreesWithSortingEverythingAtOddSizesAndManyTies) {
  for (const std::size_t width : {1u, 2u, 7u, 63u, 256u, 1001u}) {
    for (const std::int64_t k : {1, 2, 3, 16, 160, 2000}) {
      for (std::uint32_t trial = 0; trial < 8; ++trial) {
        std::vector<float> row(width);
        for (std::size_t i = 0; i < width; ++i) {
          const float unit = dist::random_unit(7, dist::RandomPurpose::test_data, trial, i);
          // Half of the trials know only nine different values.
          row[i] = trial % 2 == 0 ? unit - 0.5f : std::floor(unit * 9) - 4;
        }
        ASSERT_NO_FATAL_FAILURE(expect_like_reference(row, k));
      }
    }
  }
}

TEST(CodeSelect, AgreesWithSortingEverythingInALargeDictionary) {
  std::vector<float> ascending(65536), equal(65536, 0.5f);
  std::iota(ascending.begin(), ascending.end(), -100.0f);
  expect_like_reference(ascending, 160);
  expect_like_reference(equal, 160);
}

TEST(CodeSelect, LeavesRowsShortWhenFewArePositive) {
  CodeMatrix codes = CodeMatrix::zeros(2, 5, 3, false);
  select_top_positive(std::vector<float>{-1, 0, 2, -0.0f, -3}, 1, codes);
  select_top_positive(std::vector<float>{-1, 0, -2, -0.0f, -3}, 0, codes);
  EXPECT_THAT(codes.lengths, ElementsAre(0, 1));
  EXPECT_THAT(codes.atoms, ElementsAre(0, 0, 0, 2, 0, 0));
  EXPECT_THAT(codes.values, ElementsAre(0, 0, 0, 2, 0, 0));
}

TEST(CodeSelect, KeepsSignsAndNeverZerosByMagnitude) {
  CodeMatrix codes = CodeMatrix::zeros(1, 6, 4, true);
  select_top_magnitude(std::vector<float>{-0.0f, 1, -1, 0, -3, 0}, 0, codes);
  EXPECT_THAT(codes.row_atoms(0), ElementsAre(4, 1, 2));
  EXPECT_THAT(codes.row_values(0), ElementsAre(-3, 1, -1));
}

TEST(CodeSelect, OverwritesWhatTheRowHeldBefore) {
  CodeMatrix codes = CodeMatrix::zeros(1, 3, 3, false);
  select_top_positive(std::vector<float>{3, 2, 1}, 0, codes);
  select_top_positive(std::vector<float>{-3, 2, -1}, 0, codes);
  EXPECT_THAT(codes.lengths, ElementsAre(1));
  EXPECT_THAT(codes.atoms, ElementsAre(1, 0, 0));
  EXPECT_THAT(codes.values, ElementsAre(2, 0, 0));
}

TEST(CodeSelect, RefusesWhatIsNotFiniteNamingThePlace) {
  CodeMatrix codes = CodeMatrix::zeros(3, 3, 2, false);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    const std::string message = test::input_error([&] {
      select_top_positive(std::vector<float>{1, bad, 2}, 2, codes);
    });
    EXPECT_THAT(message, HasSubstr("row 2: coordinate 1 is not finite"));
  }
}

TEST(CodeMatrix, TruncatedIsThePrefixThatSelectingFewerGives) {
  std::vector<float> row(97);
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = std::floor(dist::random_unit(3, dist::RandomPurpose::test_data, 0, i) * 20) - 15;
  }
  CodeMatrix large = CodeMatrix::zeros(1, 97, 40, false);
  select_top_positive(row, 0, large);
  for (const std::int64_t k : {1, 5, 40}) {
    CodeMatrix small = CodeMatrix::zeros(1, 97, k, false);
    select_top_positive(row, 0, small);
    const CodeMatrix cut = truncated(large, k);
    EXPECT_EQ(cut.atoms, small.atoms);
    EXPECT_EQ(cut.values, small.values);
    EXPECT_EQ(cut.lengths, small.lengths);
    EXPECT_EQ(cut.k_max, k);
  }
}

}  // namespace
}  // namespace puma::data
