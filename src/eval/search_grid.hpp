// SPDX-License-Identifier: Apache-2.0
// How both searches share their work out: blocks of queries times strips of candidates, over
// threads. Lists do not depend on the blocks, since keys are totally ordered.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dist/partition.hpp"
#include "eval/search.hpp"
#include "kernels/top_keys.hpp"

namespace puma::eval::detail {

// The best keys so far of the queries of one block, and below which score a candidate need not be
// looked at.
class BlockLists {
 public:
  // Scores below `least` are never listed. `width` >= queries: columns past the queries are never
  // listed either.
  BlockLists(std::int64_t queries, std::int64_t width, std::int64_t depth, float least);
  // Offers scores[q] for every query q as the scores of candidate `row`.
  void offer(std::span<const float> scores, std::uint32_t row);
  // Offers one score for one query.
  void offer(std::int64_t query, float score, std::uint32_t row) {
    if (score >= floors_[static_cast<std::size_t>(query)]) push(query, score, row);
  }
  std::vector<kernels::ScoreKey> take(std::int64_t query);

 private:
  void push(std::int64_t query, float score, std::uint32_t row);
  float least_;
  std::vector<float> floors_;
  std::vector<kernels::TopKeys> best_;
};

// Scores the candidates `strip` for the queries `block` and offers them.
using ScoreTile =
    std::function<void(dist::RowRange block, dist::RowRange strip, BlockLists& lists)>;

struct SearchShape {
  std::int64_t queries = 0, candidates = 0;
  std::int64_t depth = 1;
  std::int64_t query_block = 64;
  std::int64_t block_align = 1;  // BlockLists' width is a multiple of it
  float least = 0;
  int threads = 1;
};

// Threads that pay: waking them costs more than a few milliseconds of work (validation inside a
// training is such).
int useful_threads(std::int64_t queries, std::int64_t candidates, std::int64_t terms, int threads);

// Runs `score_tile` over the grid and puts the lists of every query together. An exception of a
// tile is passed on.
TopLists search_grid(const SearchShape& shape, const ScoreTile& score_tile);

}  // namespace puma::eval::detail
