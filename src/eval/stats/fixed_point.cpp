// SPDX-License-Identifier: Apache-2.0
#include "eval/stats/fixed_point.hpp"

#include "dist/error.hpp"

namespace puma::eval::stats {

std::vector<std::int64_t> to_fixed(std::span<const double> values) {
  constexpr double kLargestSum = 1 << 22;
  std::vector<std::int64_t> fixed;
  fixed.reserve(values.size());
  double sum = 0;
  for (const double x : values) {
    PUMA_EXPECT(std::isfinite(x));
    sum += std::abs(x);
    PUMA_EXPECT(sum < kLargestSum);
    fixed.push_back(to_fixed(x));
  }
  return fixed;
}

}  // namespace puma::eval::stats
