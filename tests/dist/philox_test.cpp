// SPDX-License-Identifier: Apache-2.0
#include "dist/philox.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dist/error.hpp"

namespace puma::dist {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Known answers of the reference implementation (Random123, kat_vectors).
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, ~std::uint64_t{0}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, NumbersAreWordsOfTheCounterThatTheirIndexNames) {
  const auto purpose = RandomPurpose::bootstrap;
  for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{4},
                                    std::uint64_t{1} << 34, (std::uint64_t{5} << 34) + 7}) {
    const PhiloxCounter at{static_cast<std::uint32_t>(index / 4), 9, 7,
                           static_cast<std::uint32_t>(index / 4 >> 32)};
    EXPECT_EQ(random_u32(42, purpose, 9, index), philox(at, 42)[index % 4]);
  }
}

TEST(Philox, PurposesTrialsAndSeedsDoNotShareNumbers) {
  const auto base = random_u32(1, RandomPurpose::weights, 0, 0);
  EXPECT_NE(base, random_u32(2, RandomPurpose::weights, 0, 0));
  EXPECT_NE(base, random_u32(1, RandomPurpose::negative, 0, 0));
  EXPECT_NE(base, random_u32(1, RandomPurpose::weights, 1, 0));
  EXPECT_NE(base, random_u32(std::uint64_t{1} << 32 | 1, RandomPurpose::weights, 0, 0));
}

TEST(Philox, UnitsLieInsideZeroToOneWithTheRightMean) {
  double sum = 0, squares = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const float u = random_unit(7, RandomPurpose::test_data, 0, static_cast<std::uint64_t>(i));
    ASSERT_GE(u, 0.0F);
    ASSERT_LT(u, 1.0F);
    sum += u;
    squares += double{u} * u;
  }
  EXPECT_NEAR(sum / n, .5, .01);           // 5 standard errors are .0102
  EXPECT_NEAR(squares / n, 1. / 3, .011);  // 5 standard errors are .0105
}

TEST(Philox, BelowStaysBelowAndReachesEveryValue) {
  std::array<int, 7> seen{};
  for (std::uint64_t i = 0; i < 7000; ++i) {
    const auto value = random_below(7, 3, RandomPurpose::bootstrap, 1, i);
    ASSERT_LT(value, 7u);
    ++seen[value];
  }
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);  // 5 standard deviations are 146
  EXPECT_EQ(random_below(1, 3, RandomPurpose::bootstrap, 1, 5), 0u);
  EXPECT_EQ(random_below(0xffffffff, 3, RandomPurpose::bootstrap, 1, 5),
            (std::uint64_t{random_u32(3, RandomPurpose::bootstrap, 1, 5)} * 0xffffffff) >> 32);
  EXPECT_THROW(random_below(0, 3, RandomPurpose::bootstrap, 1, 5), Error);
}

}  // namespace
}  // namespace puma::dist
