// SPDX-License-Identifier: Apache-2.0
// The engine of the bootstrap: which queries a replicate draws, and the sums over them.
#include <array>
#include <limits>

#include "dist/error.hpp"
#include "dist/partition.hpp"
#include "dist/philox.hpp"
#include "eval/stats/bootstrap.hpp"

namespace puma::eval::stats {
namespace {

// Adds the rows (one value per column) of the n queries that `replicate` draws. Equal to asking
// random_below for each index; here one Philox call serves four of them.
void add_drawn_rows(const std::vector<std::int64_t>& rows, std::size_t columns, std::uint64_t n,
                    std::uint32_t replicate, std::uint64_t seed, std::int64_t* sums) {
  dist::PhiloxCounter counter;
  counter.trial = replicate;
  counter.stream = static_cast<std::uint32_t>(dist::RandomPurpose::bootstrap);
  for (std::uint64_t i = 0; i < n; i += 4, ++counter.block) {
    const std::array<std::uint32_t, 4> words = dist::philox(counter, seed);
    for (std::uint64_t w = 0; w < 4 && i + w < n; ++w) {
      const std::uint64_t query = (std::uint64_t{words[w]} * n) >> 32;
      const std::int64_t* row = rows.data() + query * columns;
      for (std::size_t c = 0; c < columns; ++c) sums[c] += row[c];
    }
  }
}

}  // namespace

ResampledSums resample_sums(const std::vector<std::vector<std::int64_t>>& columns,
                            std::int64_t resamples, std::uint64_t seed, const dist::Comm& comm) {
  PUMA_EXPECT(!columns.empty() && !columns[0].empty());
  PUMA_EXPECT(resamples >= 1 && resamples < std::numeric_limits<std::uint32_t>::max());
  const std::size_t n = columns[0].size();
  std::vector<std::int64_t> rows(n * columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    PUMA_EXPECT(columns[c].size() == n);
    for (std::size_t q = 0; q < n; ++q) rows[q * columns.size() + c] = columns[c][q];
  }
  const dist::RowRange mine = dist::partition(resamples, comm.size(), comm.rank());
  std::vector<std::int64_t> sums(static_cast<std::size_t>(mine.size()) * columns.size(), 0);
  for (std::int64_t b = mine.begin; b < mine.end; ++b) {
    add_drawn_rows(rows, columns.size(), n, static_cast<std::uint32_t>(b), seed,
                   sums.data() + static_cast<std::size_t>(b - mine.begin) * columns.size());
  }
  return {resamples, columns.size(), comm.all_gather(std::span<const std::int64_t>(sums))};
}

}  // namespace puma::eval::stats
