// SPDX-License-Identifier: Apache-2.0
#include "eval/search_grid.hpp"

#include <algorithm>
#include <exception>
#include <limits>

namespace puma::eval::detail {
namespace {

constexpr std::int64_t kStripsPerThread = 4;  // so that a slow strip does not leave a thread alone
constexpr std::int64_t kLeastStrip = 1024;    // candidates: below, lists cost more than scores

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

// With few query blocks the candidates are cut, so that every thread has work.
int strip_count(const SearchShape& shape, std::int64_t blocks) {
  if (blocks == 0 || shape.threads == 1) return 1;
  const std::int64_t wanted = ceil_div(std::int64_t{shape.threads} * kStripsPerThread, blocks);
  const std::int64_t most = std::max<std::int64_t>(1, shape.candidates / kLeastStrip);
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, most));
}

}  // namespace

int useful_threads(std::int64_t queries, std::int64_t candidates, std::int64_t terms, int threads) {
  constexpr double kLeastProducts = 1 << 25;
  const double products =
      static_cast<double>(queries) * static_cast<double>(candidates) * static_cast<double>(terms);
  return products < kLeastProducts ? 1 : threads;
}

BlockLists::BlockLists(std::int64_t queries, std::int64_t width, std::int64_t depth, float least)
    : least_(least),
      floors_(static_cast<std::size_t>(width), std::numeric_limits<float>::infinity()),
      best_(static_cast<std::size_t>(queries), kernels::TopKeys(depth)) {
  std::fill_n(floors_.begin(), queries, least);
}

void BlockLists::offer(std::span<const float> scores, std::uint32_t row) {
  int any = 0;  // an or over all columns, which compilers turn into vector code
  for (std::size_t q = 0; q < floors_.size(); ++q) any |= int{scores[q] >= floors_[q]};
  if (any == 0) return;
  for (std::size_t q = 0; q < best_.size(); ++q) {
    if (scores[q] >= floors_[q]) push(static_cast<std::int64_t>(q), scores[q], row);
  }
}

void BlockLists::push(std::int64_t query, float score, std::uint32_t row) {
  kernels::TopKeys& best = best_[static_cast<std::size_t>(query)];
  best.push(kernels::make_key(score, row));
  // >= at the floor keeps ties alive: the key decides them by row.
  if (best.threshold() != 0) {
    floors_[static_cast<std::size_t>(query)] =
        std::max(least_, kernels::key_score(best.threshold()));
  }
}

std::vector<kernels::ScoreKey> BlockLists::take(std::int64_t query) {
  return best_[static_cast<std::size_t>(query)].take();
}

TopLists search_grid(const SearchShape& shape, const ScoreTile& score_tile) {
  TopLists result{shape.depth, {}};
  result.lists.resize(static_cast<std::size_t>(shape.queries));
  if (shape.queries == 0 || shape.candidates == 0) return result;
  const std::int64_t depth = std::min(shape.depth, shape.candidates);
  const std::int64_t blocks = ceil_div(shape.queries, shape.query_block);
  const int strips = strip_count(shape, blocks);
  std::vector<TopLists> parts(static_cast<std::size_t>(strips));
  for (TopLists& part : parts) part.lists.resize(result.lists.size());
  std::exception_ptr failure;  // an exception must not leave a parallel region
#pragma omp parallel for schedule(dynamic) num_threads(shape.threads) if (shape.threads > 1)
  for (std::int64_t tile = 0; tile < blocks * strips; ++tile) {
    try {
      const std::int64_t begin = tile / strips * shape.query_block;
      const dist::RowRange block{begin, std::min(begin + shape.query_block, shape.queries)};
      const int strip = static_cast<int>(tile % strips);
      const std::int64_t width = ceil_div(block.size(), shape.block_align) * shape.block_align;
      BlockLists lists(block.size(), width, depth, shape.least);
      score_tile(block, dist::partition(shape.candidates, strips, strip), lists);
      for (std::int64_t q = 0; q < block.size(); ++q) {
        parts[static_cast<std::size_t>(strip)].lists[static_cast<std::size_t>(begin + q)] =
            lists.take(q);
      }
    } catch (...) {
#pragma omp critical(puma_search_failure)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (strips == 1) {
    result.lists = std::move(parts.front().lists);
    return result;
  }
  for (std::size_t q = 0; q < result.lists.size(); ++q) {
    std::vector<kernels::ScoreKey> all;
    for (const TopLists& part : parts) {
      all.insert(all.end(), part.lists[q].begin(), part.lists[q].end());
    }
    result.lists[q] = kernels::top_keys_reference(all, depth);
  }
  return result;
}

}  // namespace puma::eval::detail
