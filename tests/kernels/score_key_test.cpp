// SPDX-License-Identifier: Apache-2.0
#include "kernels/score_key.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace puma::kernels {
namespace {

TEST(ScoreKey, OrdersByScoreThenByLowerRow) {
  using Limits = std::numeric_limits<float>;
  const std::vector<float> ascending{-Limits::infinity(),
                                     -Limits::max(),
                                     -1.0f,
                                     -Limits::min(),
                                     -Limits::denorm_min(),
                                     0.0f,
                                     Limits::denorm_min(),
                                     1.0f,
                                     Limits::max(),
                                     Limits::infinity()};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(make_key(ascending[i - 1], 0), make_key(ascending[i], 0xFFFFFFFFu)) << ascending[i];
  }
  for (const float score : ascending) EXPECT_GT(make_key(score, 4), make_key(score, 5));
}

TEST(ScoreKey, GivesBackScoreAndRow) {
  for (const float score : {-3.5f, -1e-40f, 0.0f, 1e-40f, 2.25f}) {
    for (const std::uint32_t row : {0u, 7u, 0x80000000u, 0xFFFFFFFFu}) {
      EXPECT_EQ(key_score(make_key(score, row)), score);
      EXPECT_EQ(key_row(make_key(score, row)), row);
    }
  }
}

TEST(ScoreKey, TakesMinusZeroForZero) {
  EXPECT_EQ(make_key(-0.0f, 3), make_key(0.0f, 3));
}

TEST(ScoreKey, OfFiniteScoresIsNeverNothing) {
  EXPECT_GT(make_key(-std::numeric_limits<float>::max(), 0xFFFFFFFFu), ScoreKey{0});
}

}  // namespace
}  // namespace puma::kernels
