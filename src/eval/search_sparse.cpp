// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "dist/error.hpp"
#include "eval/search.hpp"
#include "eval/search_grid.hpp"
#include "eval/sorted_codes.hpp"
#include "kernels/sparse_scores.hpp"

namespace puma::eval {
namespace {

constexpr std::int64_t kQueryBlock = 64;  // columns: four AVX-512 accumulators a candidate
constexpr std::int64_t kColumnAlign = 16;

// The queries of one block as columns of a dense matrix over the atoms that they use.
struct QueryColumns {
  QueryColumns(const detail::SortedCodes& queries, dist::RowRange block, std::int64_t atoms,
               std::int64_t columns)
      : width(columns), places(static_cast<std::size_t>(atoms), detail::AtomMap::kAbsent) {
    for (std::int64_t q = block.begin; q < block.end; ++q) {
      for (const std::uint32_t atom : queries.row_atoms(q)) places[atom] = 0;
    }
    std::uint32_t next = 0;
    for (std::uint32_t& place : places) {
      if (place != detail::AtomMap::kAbsent) place = next++;
    }
    values.resize(std::size_t{next} * static_cast<std::size_t>(width));
    for (std::int64_t q = block.begin; q < block.end; ++q) {
      const auto row_atoms = queries.row_atoms(q);
      const auto row_values = queries.row_values(q);
      for (std::size_t i = 0; i < row_atoms.size(); ++i) {
        values[std::size_t{places[row_atoms[i]]} * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(q - block.begin)] = row_values[i];
      }
    }
  }

  std::int64_t width;
  std::vector<std::uint32_t> places;  // by mapped atom: row of `values`, or kAbsent
  std::vector<float> values;          // [atoms of this block, width]
};

}  // namespace

TopLists search_sparse(const data::CodeMatrix& queries, const data::CodeMatrix& candidates,
                       std::int64_t k, std::int64_t first_row, std::int64_t depth, ListRule rule,
                       int threads) {
  PUMA_EXPECT(k >= 1 && depth >= 1 && threads >= 1 && first_row >= 0);
  PUMA_EXPECT(queries.dictionary == candidates.dictionary);
  PUMA_EXPECT(first_row + candidates.rows <= std::int64_t{1} << 32);  // rows are 32 bits of a key
  const int used = detail::useful_threads(queries.rows, candidates.rows, k, threads);
  const detail::AtomMap map(queries, {0, queries.rows}, k);
  const detail::SortedCodes left = detail::sort_codes(queries, k, map, used);
  const detail::SortedCodes right = detail::sort_codes(candidates, k, map, used);
  const float least = rule == ListRule::positive ? std::numeric_limits<float>::denorm_min()
                                                 : -std::numeric_limits<float>::infinity();
  const detail::SearchShape shape{.queries = queries.rows,
                                  .candidates = candidates.rows,
                                  .depth = depth,
                                  .query_block = kQueryBlock,
                                  .block_align = kColumnAlign,
                                  .least = least,
                                  .threads = used};
  return detail::search_grid(
      shape, [&](dist::RowRange block, dist::RowRange strip, detail::BlockLists& lists) {
        const std::int64_t width = (block.size() + kColumnAlign - 1) / kColumnAlign * kColumnAlign;
        const QueryColumns columns(left, block, map.size(), width);
        std::vector<std::uint32_t> atoms;
        std::vector<float> values, scores(static_cast<std::size_t>(width));
        for (std::int64_t c = strip.begin; c < strip.end; ++c) {
          atoms.clear();
          values.clear();
          const auto row_atoms = right.row_atoms(c);
          const auto row_values = right.row_values(c);
          for (std::size_t i = 0; i < row_atoms.size(); ++i) {
            const std::uint32_t place = columns.places[row_atoms[i]];
            if (place == detail::AtomMap::kAbsent) continue;
            atoms.push_back(place);
            values.push_back(row_values[i]);
          }
          // Without a shared atom every score is 0.
          if (atoms.empty() && rule == ListRule::positive) continue;
          kernels::sparse_scores_block(columns.values, width, atoms, values, scores);
          lists.offer(scores, static_cast<std::uint32_t>(first_row + c));
        }
      });
}

}  // namespace puma::eval
