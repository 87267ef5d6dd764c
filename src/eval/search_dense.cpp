// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "dist/error.hpp"
#include "eval/search.hpp"
#include "eval/search_grid.hpp"
#include "kernels/dense_scores.hpp"

namespace puma::eval {
namespace {

// Rows of so many floats lie in a core's second-level cache while the queries of a block pass.
constexpr std::int64_t kBlockFloats = 65536;

}  // namespace

TopLists search_dense(std::span<const float> queries, std::span<const float> candidates,
                      std::int64_t dim, std::int64_t first_row, std::int64_t depth, int threads) {
  PUMA_EXPECT(dim >= 1 && depth >= 1 && threads >= 1 && first_row >= 0);
  const std::int64_t q = std::ssize(queries) / dim, n = std::ssize(candidates) / dim;
  PUMA_EXPECT(q * dim == std::ssize(queries) && n * dim == std::ssize(candidates));
  PUMA_EXPECT(first_row + n <= std::int64_t{1} << 32);  // rows are 32 bits of a key
  const auto rows_of = [dim](std::span<const float> matrix, std::int64_t begin, std::int64_t end) {
    return matrix.subspan(static_cast<std::size_t>(begin * dim),
                          static_cast<std::size_t>((end - begin) * dim));
  };
  const detail::SearchShape shape{
      .queries = q,
      .candidates = n,
      .depth = depth,
      .query_block = std::clamp<std::int64_t>(kBlockFloats / dim, 8, 64),
      .least = -std::numeric_limits<float>::infinity(),
      .threads = detail::useful_threads(q, n, dim, threads)};
  return detail::search_grid(shape, [&](dist::RowRange block, dist::RowRange strip,
                                        detail::BlockLists& lists) {
    const std::int64_t step = std::clamp<std::int64_t>(kBlockFloats / dim, 24, 240);
    std::vector<float> scores(static_cast<std::size_t>(block.size() * step));
    for (std::int64_t begin = strip.begin; begin < strip.end; begin += step) {
      const std::int64_t end = std::min(begin + step, strip.end);
      const std::span tile(scores.data(), static_cast<std::size_t>(block.size() * (end - begin)));
      kernels::dense_scores(rows_of(queries, block.begin, block.end),
                            rows_of(candidates, begin, end), dim, tile);
      const float* score = tile.data();
      for (std::int64_t i = 0; i < block.size(); ++i) {
        for (std::int64_t c = begin; c < end; ++c) {
          lists.offer(i, *score++, static_cast<std::uint32_t>(first_row + c));
        }
      }
    }
  });
}

}  // namespace puma::eval
