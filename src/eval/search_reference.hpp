// SPDX-License-Identifier: Apache-2.0
// Search as its definition reads, without blocks, threads or thresholds: the reference score of
// every pair, sorted. The oracle of the tests.
#pragma once

#include "eval/search.hpp"

namespace puma::eval {

TopLists search_dense_reference(std::span<const float> queries, std::span<const float> candidates,
                                std::int64_t dim, std::int64_t first_row, std::int64_t depth);

TopLists search_sparse_reference(const data::CodeMatrix& queries,
                                 const data::CodeMatrix& candidates, std::int64_t k,
                                 std::int64_t first_row, std::int64_t depth, ListRule rule);

}  // namespace puma::eval
