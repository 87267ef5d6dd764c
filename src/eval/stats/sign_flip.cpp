// SPDX-License-Identifier: Apache-2.0
#include "eval/stats/sign_flip.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "dist/error.hpp"
#include "dist/partition.hpp"
#include "dist/philox.hpp"
#include "eval/stats/fixed_point.hpp"

namespace puma::eval::stats {
namespace {

// What is counted: |T*| >= |T| up to the rounding of n values to units.
struct Threshold {
  std::int64_t total = 0;  // T
  std::int64_t least = 0;  // |T| - n
  bool reached(std::int64_t sum) const { return std::abs(sum) >= least; }
};

// Assignments [begin, end) of 2^(n'-1) in Gray-code order: one sign changes per step. The last
// difference keeps its sign, since flipping all signs only turns T* into -T*.
std::int64_t count_exact(const std::vector<std::int64_t>& values, const Threshold& threshold,
                         dist::RowRange range) {
  if (range.begin >= range.end) return 0;
  std::uint64_t flipped = static_cast<std::uint64_t>(range.begin ^ (range.begin >> 1));
  std::int64_t sum = threshold.total;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((flipped >> i) & 1U) sum -= 2 * values[i];
  }
  std::int64_t count = threshold.reached(sum);
  for (std::int64_t g = range.begin + 1; g < range.end; ++g) {
    const int i = std::countr_zero(static_cast<std::uint64_t>(g));
    flipped ^= std::uint64_t{1} << i;
    const std::int64_t twice = 2 * values[static_cast<std::size_t>(i)];
    sum += ((flipped >> i) & 1U) ? -twice : twice;
    count += threshold.reached(sum);
  }
  return count;
}

// Sums of every subset of 8 differences: 16 look-ups serve the 128 signs of one Philox block.
using SubsetSums = std::array<std::int64_t, 256>;

std::array<SubsetSums, 16> subset_sums(std::span<const std::int64_t> differences) {
  std::array<SubsetSums, 16> tables{};
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t mask = 1; mask < 256; ++mask) {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(mask));
      const std::size_t q = 8 * t + lowest;
      const std::int64_t value = q < differences.size() ? differences[q] : 0;
      tables[t][mask] = tables[t][mask & (mask - 1)] + value;
    }
  }
  return tables;
}

// Trials begin+1 .. end. Blocks of 128 queries outside, trials inside: the tables of a block
// (32 KiB) stay in the nearest cache while all trials read them.
std::int64_t count_random(std::span<const std::int64_t> differences, const Threshold& threshold,
                          dist::RowRange range, std::uint64_t seed) {
  std::vector<std::int64_t> flipped(static_cast<std::size_t>(range.size()), 0);
  for (std::size_t first = 0; first < differences.size(); first += 128) {
    const std::size_t size = std::min<std::size_t>(128, differences.size() - first);
    const auto tables = subset_sums(differences.subspan(first, size));
    dist::PhiloxCounter counter;
    counter.block = static_cast<std::uint32_t>(first / 128);
    counter.stream = static_cast<std::uint32_t>(dist::RandomPurpose::sign_flip);
    for (std::size_t i = 0; i < flipped.size(); ++i) {
      counter.trial = static_cast<std::uint32_t>(range.begin + static_cast<std::int64_t>(i) + 1);
      const std::array<std::uint32_t, 4> bits = dist::philox(counter, seed);
      std::int64_t sum = 0;
      for (std::size_t t = 0; t < 16; ++t) sum += tables[t][(bits[t / 4] >> (8 * (t % 4))) & 255U];
      flipped[i] += sum;
    }
  }
  // T* = T - 2 * (sum of the flipped differences)
  return std::count_if(flipped.begin(), flipped.end(), [&](std::int64_t sum) {
    return threshold.reached(threshold.total - 2 * sum);
  });
}

}  // namespace

SignFlipResult sign_flip_test(std::span<const double> differences, std::int64_t trials,
                              std::uint64_t seed, const dist::Comm& comm) {
  return sign_flip_test(to_fixed(differences), trials, seed, comm);
}

SignFlipResult sign_flip_test(std::span<const std::int64_t> differences, std::int64_t trials,
                              std::uint64_t seed, const dist::Comm& comm) {
  PUMA_EXPECT(trials >= 1 && trials < std::numeric_limits<std::uint32_t>::max());
  std::vector<std::int64_t> non_zero;
  Threshold threshold;
  for (const std::int64_t d : differences) {
    threshold.total += d;
    if (d != 0) non_zero.push_back(d);
  }
  threshold.least = std::abs(threshold.total) - static_cast<std::int64_t>(differences.size());

  SignFlipResult result;
  result.non_zero = static_cast<std::int64_t>(non_zero.size());
  result.exact = result.non_zero <= kExactLimit;
  if (non_zero.empty()) {
    result.trials = result.at_least = 1;  // 2^0 assignments
  } else if (result.exact) {
    const std::int64_t half = std::int64_t{1} << (result.non_zero - 1);
    const auto mine = dist::partition(half, comm.size(), comm.rank());
    const std::int64_t count =
        comm.all_reduce(count_exact(non_zero, threshold, mine), dist::ReduceOp::sum);
    result.trials = 2 * half;
    result.at_least = 2 * count;
    result.p = static_cast<double>(result.at_least) / static_cast<double>(result.trials);
  } else {
    const auto mine = dist::partition(trials, comm.size(), comm.rank());
    result.trials = trials;
    result.at_least =
        comm.all_reduce(count_random(differences, threshold, mine, seed), dist::ReduceOp::sum);
    result.p = static_cast<double>(result.at_least + 1) / static_cast<double>(trials + 1);
    result.standard_error = std::sqrt(result.p * (1 - result.p) / static_cast<double>(trials));
  }
  return result;
}

}  // namespace puma::eval::stats
