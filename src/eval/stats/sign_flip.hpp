// SPDX-License-Identifier: Apache-2.0
// Paired randomization test by sign flips (Fisher-Pitman; in IR: Smucker et al., CIKM 2007).
#pragma once

#include <cstdint>
#include <span>

#include "dist/comm.hpp"

namespace puma::eval::stats {

// Up to so many differences that are not 0 every assignment of signs is enumerated.
inline constexpr std::int64_t kExactLimit = 26;

struct SignFlipResult {
  double p = 1;               // two-sided
  bool exact = false;         // enumerated: p = c / 2^n', no add-one
  std::int64_t trials = 0;    // R, or 2^n'
  std::int64_t at_least = 0;  // c: trials with |T*| >= |T|, ties within n units of 2^-40 included
  std::int64_t non_zero = 0;  // n': differences that are not 0
  double standard_error = 0;  // Monte-Carlo error of p; 0 when exact
};

// H0: swapping the two systems within any query changes nothing. Statistic: the sum of the
// differences (fixed point). Up to 26 non-zero differences: exact by enumeration; else R trials
// with signs from Philox(seed, sign_flip): query q is flipped in trial t = 1..R when bit (q mod
// 128) of block q / 128 is set; p = (c+1)/(R+1), never 0. All zero, or no query: p = 1.
// The signs depend on seed, q and t alone, so all pairs of systems on the same queries share them,
// and swapping the two systems gives the same p. Trials are dealt to the ranks; the result is the
// same on all ranks and for any number of them. Collective.
SignFlipResult sign_flip_test(std::span<const double> differences, std::int64_t trials,
                              std::uint64_t seed, const dist::Comm& comm = {});

// The same on differences that are in fixed point already.
SignFlipResult sign_flip_test(std::span<const std::int64_t> differences, std::int64_t trials,
                              std::uint64_t seed, const dist::Comm& comm = {});

}  // namespace puma::eval::stats
