// SPDX-License-Identifier: Apache-2.0
// Percentile bootstrap of a mean; queries are the unit (Efron and Tibshirani 1993).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dist/comm.hpp"

namespace puma::eval::stats {

struct Interval {
  double low = 0, high = 0;
  bool degenerate = false;  // no query, one query, or no variance: low = high = mean
};

// 95% percentile interval from B resamples; the same query indices (Philox: seed, bootstrap, trial)
// serve every system and measure of equal n, so comparisons are paired. B = 9999: sorted values
// number 250 and 9750; other B: linear interpolation at (B-1)p. Collective, same on all ranks.
Interval bootstrap_mean(std::span<const double> values, std::int64_t resamples, std::uint64_t seed,
                        const dist::Comm& comm = {});
// The same for a ratio of sums (micro recall): sum(numerators) / sum(denominators). Expects
// denominators above 0.
Interval bootstrap_ratio(std::span<const double> numerators, std::span<const double> denominators,
                         std::int64_t resamples, std::uint64_t seed, const dist::Comm& comm = {});

// Many columns over the same n queries at once, so that the indices are drawn once: per replicate
// the sum of every column over the n drawn queries, replicate-major [resamples x columns].
// Index i of replicate b is (u32 number i of (seed, bootstrap, trial b) * n) >> 32. Replicates are
// dealt to the ranks and gathered: collective, same on all ranks.
struct ResampledSums {
  std::int64_t resamples = 0;
  std::size_t columns = 0;
  std::vector<std::int64_t> sums;
  std::int64_t at(std::int64_t replicate, std::size_t column) const {
    return sums[static_cast<std::size_t>(replicate) * columns + column];
  }
};
ResampledSums resample_sums(const std::vector<std::vector<std::int64_t>>& columns,
                            std::int64_t resamples, std::uint64_t seed,
                            const dist::Comm& comm = {});

// True when every query has the same ratio, so that resampling cannot vary it. Empty: true.
bool is_constant_ratio(std::span<const std::int64_t> above, std::span<const std::int64_t> below);

// The 2.5% and 97.5% points of the replicates by the rule above. Expects at least one.
Interval percentile_interval(std::vector<double> replicates);

}  // namespace puma::eval::stats
