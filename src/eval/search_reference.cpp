// SPDX-License-Identifier: Apache-2.0
#include "eval/search_reference.hpp"

#include <algorithm>
#include <map>

#include "kernels/dense_scores.hpp"
#include "kernels/sparse_scores.hpp"
#include "kernels/top_keys.hpp"

namespace puma::eval {
namespace {

struct Entries {
  std::vector<std::uint32_t> atoms;
  std::vector<float> values;
};

// The first k entries of a row, by ascending atom.
Entries first_entries(const data::CodeMatrix& codes, std::int64_t row, std::int64_t k) {
  const auto atoms = codes.row_atoms(row);
  const auto values = codes.row_values(row);
  std::map<std::uint32_t, float> sorted;
  for (std::size_t i = 0; i < atoms.size() && i < static_cast<std::size_t>(k); ++i) {
    sorted.emplace(atoms[i], values[i]);
  }
  Entries entries;
  for (const auto& [atom, value] : sorted) {
    entries.atoms.push_back(atom);
    entries.values.push_back(value);
  }
  return entries;
}

}  // namespace

TopLists search_dense_reference(std::span<const float> queries, std::span<const float> candidates,
                                std::int64_t dim, std::int64_t first_row, std::int64_t depth) {
  TopLists result{depth, {}};
  const auto d = static_cast<std::size_t>(dim);
  for (std::size_t q = 0; q < queries.size(); q += d) {
    std::vector<kernels::ScoreKey> keys;
    for (std::size_t c = 0; c < candidates.size(); c += d) {
      keys.push_back(kernels::make_key(
          kernels::dense_score_reference(queries.subspan(q, d), candidates.subspan(c, d)),
          static_cast<std::uint32_t>(first_row + static_cast<std::int64_t>(c / d))));
    }
    result.lists.push_back(kernels::top_keys_reference(keys, depth));
  }
  return result;
}

TopLists search_sparse_reference(const data::CodeMatrix& queries,
                                 const data::CodeMatrix& candidates, std::int64_t k,
                                 std::int64_t first_row, std::int64_t depth, ListRule rule) {
  TopLists result{depth, {}};
  for (std::int64_t q = 0; q < queries.rows; ++q) {
    const Entries left = first_entries(queries, q, k);
    std::vector<kernels::ScoreKey> keys;
    for (std::int64_t c = 0; c < candidates.rows; ++c) {
      const Entries right = first_entries(candidates, c, k);
      const float score =
          kernels::sparse_score_reference(left.atoms, left.values, right.atoms, right.values);
      if (rule == ListRule::positive && !(score > 0)) continue;
      keys.push_back(kernels::make_key(score, static_cast<std::uint32_t>(first_row + c)));
    }
    result.lists.push_back(kernels::top_keys_reference(keys, depth));
  }
  return result;
}

}  // namespace puma::eval
