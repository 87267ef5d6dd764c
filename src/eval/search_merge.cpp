// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "dist/error.hpp"
#include "dist/partition.hpp"
#include "eval/search.hpp"
#include "kernels/top_keys.hpp"

namespace puma::eval {
namespace {

// Lists one after another, as they travel.
struct Packed {
  std::vector<std::int64_t> lengths;
  std::vector<kernels::ScoreKey> keys;
  void add(std::span<const kernels::ScoreKey> list) {
    lengths.push_back(std::ssize(list));
    keys.insert(keys.end(), list.begin(), list.end());
  }
};

// This rank's slice of the queries, each merged from the lists of all shards.
Packed merge_slice(const Packed& received, std::int64_t queries, int shards, std::int64_t depth) {
  PUMA_ASSERT(std::ssize(received.lengths) == queries * shards);
  std::vector<std::size_t> begins(received.lengths.size() + 1, 0);
  std::partial_sum(received.lengths.begin(), received.lengths.end(), begins.begin() + 1);
  PUMA_ASSERT(begins.back() == received.keys.size());
  Packed merged;
  std::vector<kernels::ScoreKey> all;
  for (std::int64_t q = 0; q < queries; ++q) {
    all.clear();
    for (int shard = 0; shard < shards; ++shard) {
      const auto i = static_cast<std::size_t>(shard * queries + q);
      all.insert(all.end(), received.keys.begin() + static_cast<std::ptrdiff_t>(begins[i]),
                 received.keys.begin() + static_cast<std::ptrdiff_t>(begins[i + 1]));
    }
    merged.add(kernels::top_keys_reference(all, depth));
  }
  return merged;
}

}  // namespace

TopLists merge_over_ranks(const dist::Comm& comm, const TopLists& mine) {
  const auto queries = static_cast<std::int64_t>(mine.lists.size());
  Packed sent;
  std::vector<std::int64_t> list_counts, key_counts;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const dist::RowRange slice = dist::partition(queries, comm.size(), rank);
    const std::size_t before = sent.keys.size();
    for (std::int64_t q = slice.begin; q < slice.end; ++q) {
      sent.add(mine.lists[static_cast<std::size_t>(q)]);
    }
    list_counts.push_back(slice.size());
    key_counts.push_back(static_cast<std::int64_t>(sent.keys.size() - before));
  }
  const Packed received{comm.all_to_all(std::span<const std::int64_t>(sent.lengths), list_counts),
                        comm.all_to_all(std::span<const kernels::ScoreKey>(sent.keys), key_counts)};
  const dist::RowRange slice = dist::partition(queries, comm.size(), comm.rank());
  const Packed merged = merge_slice(received, slice.size(), comm.size(), mine.depth);
  // Slices are contiguous and in rank order, so the gathered lists stand in query order.
  const Packed all{comm.gather(std::span<const std::int64_t>(merged.lengths)),
                   comm.gather(std::span<const kernels::ScoreKey>(merged.keys))};
  TopLists result{mine.depth, {}};
  if (!comm.is_root()) return result;
  result.lists.reserve(all.lengths.size());
  auto key = all.keys.begin();
  for (const std::int64_t length : all.lengths) {
    result.lists.emplace_back(key, key + length);
    key += length;
  }
  return result;
}

}  // namespace puma::eval
