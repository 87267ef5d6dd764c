// SPDX-License-Identifier: Apache-2.0
// Sums that do not depend on their order: values are rounded to multiples of 2^-40 and added as
// 64-bit integers, so that statistics are the same bytes on any number of ranks and threads.
// The sum of the absolute values must stay below 2^22 (2^20 queries of measures up to 1 are far
// inside; so are 24,809 queries that found 100 documents each).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace puma::eval::stats {

inline constexpr double kUnit = 1.0 / static_cast<double>(std::int64_t{1} << 40);
inline std::int64_t to_fixed(double x) {
  return std::llround(x / kUnit);
}
inline double from_fixed(std::int64_t x) {
  return static_cast<double>(x) * kUnit;
}

// Expects finite values whose absolute sum is below 2^22: with a NaN there is no statistic, and a
// sum beyond that would wrap around.
std::vector<std::int64_t> to_fixed(std::span<const double> values);

}  // namespace puma::eval::stats
