// SPDX-License-Identifier: Apache-2.0
#include "model/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace puma::model {
namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

Lists one_each(std::int32_t n) {
  Lists lists;
  for (std::int32_t i = 0; i < n; ++i) lists.push_back({i});
  return lists;
}

TEST(RandomPermutation, HoldsEveryNumberOnceAndDependsOnSeedAndTrial) {
  const auto a = random_permutation(1000, 7, dist::RandomPurpose::epoch_order, 0);
  auto sorted = a;
  std::sort(sorted.begin(), sorted.end());
  for (std::int64_t i = 0; i < 1000; ++i) EXPECT_EQ(sorted[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(a, random_permutation(1000, 7, dist::RandomPurpose::epoch_order, 0));
  EXPECT_NE(a, random_permutation(1000, 8, dist::RandomPurpose::epoch_order, 0));
  EXPECT_NE(a, random_permutation(1000, 7, dist::RandomPurpose::epoch_order, 1));
  EXPECT_TRUE(random_permutation(0, 7, dist::RandomPurpose::epoch_order, 0).empty());
}

TEST(Sampler, AnEpochVisitsEveryQueryOnceWithAShortLastBatch) {
  const Lists positives = one_each(10), none;
  Sampler sampler(positives, none, 10, 4, 1, 2);
  std::multiset<std::int64_t> seen;
  std::vector<std::size_t> sizes;
  for (std::int64_t step = 0; step < 6; ++step) {
    const BatchRows rows = sampler.batch(step, 0);
    sizes.push_back(rows.queries.size());
    seen.insert(rows.queries.begin(), rows.queries.end());
    EXPECT_EQ(rows.queries, rows.positives);  // here: query i's positive is candidate i
    EXPECT_TRUE(rows.negatives.empty());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 2, 4, 4, 2}));
  for (std::int64_t i = 0; i < 10; ++i) EXPECT_EQ(seen.count(i), 2u);
}

TEST(Sampler, ABatchIsAFunctionOfItsStep) {
  const Lists positives(9, {0, 3, 5}), none;
  Sampler forward(positives, none, 40, 4, 1, 3), fresh(positives, none, 40, 4, 1, 3);
  BatchRows last;
  for (std::int64_t step = 0; step < 8; ++step) last = forward.batch(step, 4);
  const BatchRows same = fresh.batch(7, 4);
  EXPECT_EQ(last.queries, same.queries);
  EXPECT_EQ(last.positives, same.positives);
  EXPECT_EQ(last.negatives, same.negatives);
}

TEST(Sampler, StagesSeedsAndEpochsHaveOrdersOfTheirOwn) {
  const Lists positives = one_each(50), none;
  const auto first = [&](std::uint64_t seed, int stage, std::int64_t step) {
    return Sampler(positives, none, 50, 50, seed, stage).batch(step, 0).queries;
  };
  EXPECT_NE(first(1, 2, 0), first(1, 3, 0));
  EXPECT_NE(first(1, 2, 0), first(2, 2, 0));
  EXPECT_NE(first(1, 2, 0), first(1, 2, 1));
}

TEST(Sampler, DrawsEveryPositiveInTheLongRun) {
  const Lists positives{{2, 4, 6}}, none;
  Sampler sampler(positives, none, 8, 1, 1, 2);
  std::set<std::int64_t> seen;
  for (std::int64_t step = 0; step < 60; ++step) seen.insert(sampler.batch(step, 0).positives[0]);
  EXPECT_EQ(seen, (std::set<std::int64_t>{2, 4, 6}));
}

void expect_proper(const BatchRows& rows, const Lists& positives) {
  const auto n = static_cast<std::size_t>(rows.negatives_per_query);
  ASSERT_EQ(rows.negatives.size(), rows.queries.size() * n);
  for (std::size_t i = 0; i < rows.queries.size(); ++i) {
    std::set<std::int64_t> seen;
    for (std::size_t j = 0; j < n; ++j) {
      const std::int64_t row = rows.negatives[i * n + j];
      EXPECT_TRUE(seen.insert(row).second) << "twice: " << row;
      for (const std::int32_t p : positives[static_cast<std::size_t>(rows.queries[i])])
        EXPECT_NE(row, p);
    }
  }
}

TEST(Sampler, NegativesAreDistinctAndNeverPositives) {
  const Lists positives(7, {0, 1, 2}), none;
  Sampler sampler(positives, none, 9, 3, 1, 3);
  for (std::int64_t step = 0; step < 50; ++step) expect_proper(sampler.batch(step, 4), positives);
}

TEST(Sampler, TakesWhatThePoolHasWhenMoreNegativesAreWanted) {
  const Lists positives{{0}, {0, 1, 2}}, none;
  Sampler sampler(positives, none, 5, 2, 1, 3);
  const BatchRows rows = sampler.batch(0, 100);
  EXPECT_EQ(rows.negatives_per_query, 2);
  expect_proper(rows, positives);
}

TEST(Sampler, APoolOfPositivesHasNoNegatives) {
  const Lists positives{{0, 1}}, none;
  const BatchRows rows = Sampler(positives, none, 2, 1, 1, 3).batch(0, 4);
  EXPECT_EQ(rows.negatives_per_query, 0);
  EXPECT_TRUE(rows.negatives.empty());
}

TEST(Sampler, HardNegativesComeFirstAndAreToppedUp) {
  // Of the hard ones, 3 is a positive and 8 stands twice.
  const Lists positives{{3}}, hard{{3, 8, 8, 9}};
  const BatchRows rows = Sampler(positives, hard, 1000, 1, 1, 3).batch(0, 4);
  expect_proper(rows, positives);
  EXPECT_EQ(std::set<std::int64_t>(rows.negatives.begin(), rows.negatives.begin() + 2),
            (std::set<std::int64_t>{8, 9}));
}

TEST(Sampler, DrawsAmongHardNegativesWhenThereAreMoreThanWanted) {
  const Lists positives{{0}}, hard{{1, 2, 3, 4, 5, 6, 7, 8}};
  Sampler sampler(positives, hard, 100, 1, 1, 3);
  std::set<std::int64_t> seen;
  for (std::int64_t step = 0; step < 60; ++step) {
    for (const std::int64_t row : sampler.batch(step, 2).negatives) seen.insert(row);
  }
  EXPECT_EQ(seen, (std::set<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace puma::model
