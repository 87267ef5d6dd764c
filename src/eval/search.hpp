// SPDX-License-Identifier: Apache-2.0
// Exact search: the best `depth` candidates of every query under the total order (score descending,
// row ascending), over candidate shards on ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/codes.hpp"
#include "dist/comm.hpp"
#include "kernels/score_key.hpp"

namespace puma::eval {

// Per query at most `depth` keys, best first. Rows are global candidate rows.
struct TopLists {
  std::int64_t depth = 0;
  std::vector<std::vector<kernels::ScoreKey>> lists;
};

enum class ListRule {
  all,       // dense vectors and signed codes: every candidate may be listed
  positive,  // autoencoder codes: only scores above 0 are listed, as the published ranking does
};

// Row-major queries [q, dim] against a shard of candidates [n, dim] whose first row has global
// number `first_row`. Scores by the dense definition.
TopLists search_dense(std::span<const float> queries, std::span<const float> candidates,
                      std::int64_t dim, std::int64_t first_row, std::int64_t depth, int threads);

// Codes against a shard of codes; only the first k entries of each row count. Scores by the sparse
// definition.
TopLists search_sparse(const data::CodeMatrix& queries, const data::CodeMatrix& candidates,
                       std::int64_t k, std::int64_t first_row, std::int64_t depth, ListRule rule,
                       int threads);

// The lists of all ranks' shards merged (Alltoallv of query slices, merge, gather): complete on the
// root, empty elsewhere. Collective.
TopLists merge_over_ranks(const dist::Comm& comm, const TopLists& mine);

}  // namespace puma::eval
