// SPDX-License-Identifier: Apache-2.0
#include "eval/stats/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dist/error.hpp"
#include "eval/stats/fixed_point.hpp"

namespace puma::eval::stats {
namespace {

// The value at fraction p of the sorted replicates: number (B+1)p for the default B = 9999 (where
// that is whole), else linear interpolation at (B-1)p.
double percentile(const std::vector<double>& sorted, double p) {
  constexpr std::size_t kDefaultResamples = 9999;
  if (sorted.size() == kDefaultResamples) {
    return sorted[static_cast<std::size_t>(std::llround(p * (kDefaultResamples + 1))) - 1];
  }
  const double h = static_cast<double>(sorted.size() - 1) * p;
  const auto below = static_cast<std::size_t>(h);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (h - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

bool is_constant_ratio(std::span<const std::int64_t> above, std::span<const std::int64_t> below) {
  __extension__ using Wide = __int128;  // products of two 63-bit values
  for (std::size_t q = 1; q < above.size(); ++q) {
    if (Wide{above[q]} * below[0] != Wide{above[0]} * below[q]) return false;
  }
  return true;
}

Interval percentile_interval(std::vector<double> replicates) {
  PUMA_EXPECT(!replicates.empty());
  std::sort(replicates.begin(), replicates.end());
  return {percentile(replicates, 0.025), percentile(replicates, 0.975), false};
}

Interval bootstrap_mean(std::span<const double> values, std::int64_t resamples, std::uint64_t seed,
                        const dist::Comm& comm) {
  const std::vector<double> ones(values.size(), 1.0);
  return bootstrap_ratio(values, ones, resamples, seed, comm);
}

Interval bootstrap_ratio(std::span<const double> numerators, std::span<const double> denominators,
                         std::int64_t resamples, std::uint64_t seed, const dist::Comm& comm) {
  PUMA_EXPECT(numerators.size() == denominators.size());
  if (numerators.empty()) return {0, 0, true};
  const auto above = to_fixed(numerators);
  const auto below = to_fixed(denominators);
  PUMA_EXPECT(std::all_of(below.begin(), below.end(), [](std::int64_t x) { return x > 0; }));
  if (is_constant_ratio(above, below)) {
    const double ratio = static_cast<double>(above[0]) / static_cast<double>(below[0]);
    return {ratio, ratio, true};
  }
  const ResampledSums sums = resample_sums({above, below}, resamples, seed, comm);
  std::vector<double> replicates(static_cast<std::size_t>(resamples));
  for (std::int64_t b = 0; b < resamples; ++b) {
    replicates[static_cast<std::size_t>(b)] =
        static_cast<double>(sums.at(b, 0)) / static_cast<double>(sums.at(b, 1));
  }
  return percentile_interval(std::move(replicates));
}

}  // namespace puma::eval::stats
