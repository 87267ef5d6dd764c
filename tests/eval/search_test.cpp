// SPDX-License-Identifier: Apache-2.0
// The blocked searches against the exhaustive one, rows included.
#include "eval/search.hpp"

#include <gtest/gtest.h>

#include "eval/search_reference.hpp"
#include "search_support.hpp"

namespace puma::eval {
namespace {

TEST(SearchDense, EqualsTheExhaustiveSearchForEveryShapeDepthAndThreadCount) {
  for (const std::int64_t dim : {1, 7, 16, 257}) {
    for (const std::int64_t q : {0, 1, 65, 70}) {
      for (const std::int64_t n : {0, 1, 23, 301}) {
        const auto queries = test::tied_rows(q, dim, 1), candidates = test::tied_rows(n, dim, 2);
        for (const std::int64_t depth : {1, 10, 400}) {
          const auto expected = search_dense_reference(queries, candidates, dim, 1000, depth);
          for (const int threads : {1, 2, 3}) {
            const auto found = search_dense(queries, candidates, dim, 1000, depth, threads);
            ASSERT_EQ(found.lists, expected.lists)
                << "dim " << dim << ", " << q << "x" << n << ", depth " << depth;
          }
        }
      }
    }
  }
}

TEST(SearchDense, OfOneQueryOverStripsOfCandidatesIsTheSame) {
  // Large enough that threads are used: 33.6 million products.
  const auto query = test::tied_rows(1, 4200, 3), candidates = test::tied_rows(8001, 4200, 4);
  const auto expected = search_dense_reference(query, candidates, 4200, 0, 100);
  for (const int threads : {1, 2, 4}) {
    EXPECT_EQ(search_dense(query, candidates, 4200, 0, 100, threads).lists, expected.lists);
  }
}

TEST(SearchDense, OfOneQueryIsItsListAmongAll) {
  const auto queries = test::tied_rows(67, 19, 5), candidates = test::tied_rows(111, 19, 6);
  const auto all = search_dense(queries, candidates, 19, 0, 10, 2);
  for (std::size_t q = 0; q < 67; ++q) {
    EXPECT_EQ(
        search_dense(std::span(queries).subspan(q * 19, 19), candidates, 19, 0, 10, 1).lists[0],
        all.lists[q]);
  }
}

TEST(SearchDense, ListsTheLowestRowsWhereAllTie) {
  const std::vector<float> query(4, 0.0f), candidates(400, 1.0f);
  const auto list = search_dense(query, candidates, 4, 0, 5, 2).lists.at(0);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(list.at(i), kernels::make_key(0.0f, i));
}

TEST(SearchDense, KeepsRowsAboveTheSignBit) {
  const std::vector<float> query{1.0f}, candidates{1.0f, 2.0f};
  const auto list =
      search_dense(query, candidates, 1, (std::int64_t{1} << 32) - 2, 5, 1).lists.at(0);
  EXPECT_EQ(kernels::key_row(list.at(0)), 0xFFFFFFFFu);
  EXPECT_EQ(kernels::key_row(list.at(1)), 0xFFFFFFFEu);
}

TEST(SearchSparse, EqualsTheExhaustiveSearchForEveryShapeSupportAndRule) {
  for (const bool is_signed : {false, true}) {
    for (const std::int64_t q : {0, 1, 16, 63, 81}) {
      for (const std::int64_t n : {0, 1, 23, 301}) {
        const auto queries = test::tied_codes(q, 40, 9, is_signed, 1);
        const auto candidates = test::tied_codes(n, 40, 9, is_signed, 2);
        for (const std::int64_t k : {1, 4, 9}) {
          for (const ListRule rule : {ListRule::all, ListRule::positive}) {
            const auto expected = search_sparse_reference(queries, candidates, k, 7, 20, rule);
            for (const int threads : {1, 3}) {
              ASSERT_EQ(search_sparse(queries, candidates, k, 7, 20, rule, threads).lists,
                        expected.lists)
                  << q << "x" << n << ", k " << k << (is_signed ? ", signed" : "");
            }
          }
        }
      }
    }
  }
}

TEST(SearchSparse, OfManyPairsIsTheSameOnEveryThreadCount) {
  // Large enough that threads are used: 40 million products.
  const auto queries = test::tied_codes(70, 90, 12, false, 5);
  const auto candidates = test::tied_codes(48001, 90, 12, false, 6);
  const auto alone = search_sparse(queries, candidates, 12, 0, 50, ListRule::positive, 1);
  for (const int threads : {2, 3, 8}) {
    EXPECT_EQ(search_sparse(queries, candidates, 12, 0, 50, ListRule::positive, threads).lists,
              alone.lists);
  }
}

TEST(SearchSparse, HandlesTheWidestDictionaryAndOneAtom) {
  auto queries = data::CodeMatrix::zeros(1, std::int64_t{1} << 32, 1, false);
  auto candidates = data::CodeMatrix::zeros(2, std::int64_t{1} << 32, 1, false);
  queries.atoms[0] = candidates.atoms[1] = 0xFFFFFFFEu;
  queries.values[0] = candidates.values[1] = candidates.values[0] = 2.0f;
  queries.lengths[0] = candidates.lengths[0] = candidates.lengths[1] = 1;
  const auto list = search_sparse(queries, candidates, 1, 0, 9, ListRule::positive, 1).lists.at(0);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0], kernels::make_key(4.0f, 1));
}

TEST(SearchSparse, ListsEmptyCodesOnlyUnderTheRuleAll) {
  const auto queries = test::tied_codes(3, 12, 4, false, 1);
  const auto empty = data::CodeMatrix::zeros(5, 12, 4, false);
  EXPECT_TRUE(search_sparse(queries, empty, 4, 0, 9, ListRule::positive, 1).lists.at(0).empty());
  EXPECT_EQ(search_sparse(queries, empty, 4, 0, 9, ListRule::all, 1).lists.at(0).size(), 5u);
  const auto none = data::CodeMatrix::zeros(2, 12, 4, false);
  const auto lists = search_sparse(none, queries, 4, 0, 9, ListRule::positive, 1).lists;
  EXPECT_TRUE(lists.at(0).empty() && lists.at(1).empty());
}

}  // namespace
}  // namespace puma::eval
