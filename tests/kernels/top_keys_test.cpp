// SPDX-License-Identifier: Apache-2.0
#include "kernels/top_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace puma::kernels {
namespace {

// Few distinct scores, so that most keys tie and rows decide.
std::vector<ScoreKey> tied_keys(std::uint32_t count) {
  std::mt19937 random(count);
  std::vector<ScoreKey> keys;
  for (std::uint32_t row = 0; row < count; ++row) {
    keys.push_back(make_key(static_cast<float>(random() % 5) - 2.0f, row));
  }
  std::shuffle(keys.begin(), keys.end(), random);
  return keys;
}

TEST(TopKeys, AreTheFirstOfTheSortedStreamAtEveryDepth) {
  for (const std::uint32_t count : {0u, 1u, 2u, 63u, 64u, 65u, 1000u}) {
    const std::vector<ScoreKey> keys = tied_keys(count);
    for (const std::int64_t depth : {1, 2, 10, 100, 999, 1000, 5000}) {
      TopKeys best(depth);
      for (const ScoreKey key : keys) best.push(key);
      ASSERT_EQ(best.take(), top_keys_reference(keys, depth)) << count << " keys, depth " << depth;
    }
  }
}

TEST(TopKeys, OfASmallerDepthAreAPrefix) {
  const std::vector<ScoreKey> keys = tied_keys(777);
  TopKeys ten(10), hundred(100);
  for (const ScoreKey key : keys) {
    ten.push(key);
    hundred.push(key);
  }
  const auto few = ten.take(), many = hundred.take();
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(TopKeys, RaiseTheThresholdAndStartAnewAfterTake) {
  TopKeys best(2);
  EXPECT_EQ(best.threshold(), ScoreKey{0});
  for (std::uint32_t row = 0; row < 1000; ++row) best.push(make_key(static_cast<float>(row), row));
  EXPECT_GT(best.threshold(), make_key(100.0f, 0));
  EXPECT_EQ(best.take().size(), 2u);
  EXPECT_EQ(best.threshold(), ScoreKey{0});
  EXPECT_TRUE(best.take().empty());
}

TEST(TopKeys, RefuseDepthZeroAndBearAHugeOne) {
  EXPECT_THROW(TopKeys(0), std::invalid_argument);
  TopKeys best(std::numeric_limits<std::int64_t>::max());
  best.push(make_key(1.0f, 1));
  EXPECT_EQ(best.take().size(), 1u);
}

}  // namespace
}  // namespace puma::kernels
