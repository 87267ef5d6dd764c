// SPDX-License-Identifier: Apache-2.0
#include "kernels/select_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/top_keys.hpp"

namespace puma::kernels {
namespace {

std::vector<float> tied_scores(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> scores(count);
  for (float& score : scores)
    score = static_cast<float>(static_cast<int>(random() % 201) - 100) / 8;
  return scores;
}

std::vector<ScoreKey> select(Where where, const std::vector<float>& scores, const ScoreRows& shape,
                             std::int64_t depth) {
  std::vector<ScoreKey> keys(static_cast<std::size_t>(shape.rows * depth), 1);
  select_keys(where, scores, shape, depth, keys);
  return keys;
}

TEST(SelectKeys, ListTheBestOfEachRowAndFillWithNothing) {
  const std::vector<float> scores{1.0f, 3.0f, 3.0f, /**/ -1.0f, -0.0f, 0.0f};
  EXPECT_EQ(select(Where::cpu, scores, {2, 3, 10}, 4),
            (std::vector<ScoreKey>{make_key(3, 11), make_key(3, 12), make_key(1, 10), 0,
                                   make_key(0, 11), make_key(0, 12), make_key(-1, 10), 0}));
}

TEST(SelectKeys, EqualTheSortedRow) {
  const std::vector<float> scores = tied_scores(3 * 501, 4);
  const auto keys = select(Where::cpu, scores, {3, 501, 7}, 33);
  for (std::size_t r = 0; r < 3; ++r) {
    std::vector<ScoreKey> row;
    for (std::uint32_t c = 0; c < 501; ++c) row.push_back(make_key(scores[r * 501 + c], 7 + c));
    const auto expected = top_keys_reference(row, 33);
    EXPECT_TRUE(
        std::equal(expected.begin(), expected.end(), keys.begin() + static_cast<long>(r * 33)));
  }
}

TEST(SelectKeys, RefuseShapesThatDoNotFit) {
  std::vector<float> scores(6);
  std::vector<ScoreKey> keys(4);
  EXPECT_THROW(select_keys(Where::cpu, scores, {2, 3, 0}, 3, keys), std::invalid_argument);
  EXPECT_THROW(select_keys(Where::cpu, scores, {2, 2, 0}, 2, keys), std::invalid_argument);
  EXPECT_THROW(select_keys(Where::cpu, scores, {2, 3, 0}, 0, keys), std::invalid_argument);
  EXPECT_THROW(select_keys(Where::cpu, scores, {2, 3, (std::int64_t{1} << 32) - 2}, 2, keys),
               std::invalid_argument);
}

TEST(SelectKeysTwin, SaysWhenCudaIsNotBuilt) {
  if (select_keys_has_cuda()) GTEST_SKIP() << "this build has CUDA";
  try {
    select(Where::cuda, {1.0f}, {1, 1, 0}, 1);
    FAIL() << "no error";
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("not in this build"), std::string::npos) << e.what();
  }
}

TEST(SelectKeysTwin, MatchesTheCpuAtOddSizes) {
  if (!select_keys_has_cuda()) GTEST_SKIP() << "not run on a GPU: this build has no CUDA";
  if (kernels::gpu_count() == 0) GTEST_SKIP() << "not run on a GPU: this machine has none";
  for (const std::int64_t rows : {0, 1, 5, 133}) {
    for (const std::int64_t columns : {0, 1, 31, 33, 1000, 5431}) {
      const auto scores = tied_scores(static_cast<std::size_t>(rows * columns), 9);
      const ScoreRows shape{rows, columns, 12345};
      for (const std::int64_t depth : {1, 10, 100, 1000, 1024}) {
        ASSERT_EQ(select(Where::cuda, scores, shape, depth),
                  select(Where::cpu, scores, shape, depth))
            << rows << "x" << columns << ", depth " << depth;
      }
    }
  }
}

TEST(SelectKeysTwin, MatchesTheCpuWhereAllScoresTie) {
  if (!select_keys_has_cuda()) GTEST_SKIP() << "not run on a GPU: this build has no CUDA";
  if (kernels::gpu_count() == 0) GTEST_SKIP() << "not run on a GPU: this machine has none";
  const std::vector<float> scores(3 * 70001, -0.0f);
  EXPECT_EQ(select(Where::cuda, scores, {3, 70001, 0}, 100),
            select(Where::cpu, scores, {3, 70001, 0}, 100));
}

}  // namespace
}  // namespace puma::kernels
