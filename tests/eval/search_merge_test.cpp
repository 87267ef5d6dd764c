// SPDX-License-Identifier: Apache-2.0
// Shards on ranks, merged: the same lists as one search, with copies of one row on both sides of
// every border.
#include <gtest/gtest.h>

#include "dist/partition.hpp"
#include "eval/search.hpp"
#include "eval/search_reference.hpp"
#include "search_support.hpp"

namespace puma::eval {
namespace {

TEST(SearchMerge, OfDenseShardsEqualsTheWholeSearch) {
  const auto comm = dist::Comm::world();
  constexpr std::int64_t kDim = 6;
  for (const std::int64_t q : {0, 1, 2, 17}) {
    for (const std::int64_t n : {0, 1, 3, 101}) {  // also fewer rows than ranks
      const auto queries = test::tied_rows(q, kDim, 1), candidates = test::tied_rows(n, kDim, 2);
      const auto mine = dist::partition(n, comm.size(), comm.rank());
      for (const std::int64_t depth : {1, 10, 200}) {
        const auto shard = std::span(candidates)
                               .subspan(static_cast<std::size_t>(mine.begin * kDim),
                                        static_cast<std::size_t>(mine.size() * kDim));
        const auto merged =
            merge_over_ranks(comm, search_dense(queries, shard, kDim, mine.begin, depth, 1));
        if (!comm.is_root()) {
          EXPECT_TRUE(merged.lists.empty());
          continue;
        }
        EXPECT_EQ(merged.lists, search_dense_reference(queries, candidates, kDim, 0, depth).lists)
            << q << "x" << n << ", depth " << depth;
      }
    }
  }
}

TEST(SearchMerge, OfSparseShardsEqualsTheWholeSearch) {
  const auto comm = dist::Comm::world();
  const auto queries = test::tied_codes(13, 30, 5, false, 3);
  const auto candidates = test::tied_codes(57, 30, 5, false, 4);
  const auto mine = dist::partition(57, comm.size(), comm.rank());
  for (const ListRule rule : {ListRule::all, ListRule::positive}) {
    const auto shard = test::slice(candidates, mine.begin, mine.end);
    const auto merged =
        merge_over_ranks(comm, search_sparse(queries, shard, 4, mine.begin, 25, rule, 1));
    if (!comm.is_root()) continue;
    EXPECT_EQ(merged.lists, search_sparse_reference(queries, candidates, 4, 0, 25, rule).lists);
  }
}

TEST(SearchMerge, BearsListsThatOnlyOneRankHas) {
  const auto comm = dist::Comm::world();
  TopLists mine{3, std::vector<std::vector<kernels::ScoreKey>>(4)};
  if (comm.rank() == comm.size() - 1) mine.lists[2] = {9, 5, 1};
  const auto merged = merge_over_ranks(comm, mine);
  if (!comm.is_root()) return;
  ASSERT_EQ(merged.lists.size(), 4u);
  EXPECT_EQ(merged.lists[2], (std::vector<kernels::ScoreKey>{9, 5, 1}));
  EXPECT_TRUE(merged.lists[0].empty() && merged.lists[3].empty());
}

}  // namespace
}  // namespace puma::eval
