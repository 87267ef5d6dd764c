// SPDX-License-Identifier: Apache-2.0
// Random numbers as functions of (seed, purpose, index): Philox4x32-10 of Salmon et al., SC 2011.
// No state, so that any rank or thread may compute any of them and all agree.
#pragma once

#include <array>
#include <cstdint>

namespace puma::dist {

struct PhiloxCounter {
  std::uint32_t block = 0;
  std::uint32_t trial = 0;
  std::uint32_t stream = 0;
  std::uint32_t extra = 0;
};

// The 128 random bits at a counter; key = the 64-bit seed, low word first.
std::array<std::uint32_t, 4> philox(PhiloxCounter counter, std::uint64_t seed);

// What a random number is for. A stream number of its own for each, so that no two purposes share
// numbers. Append only: a number is part of every result's definition.
enum class RandomPurpose : std::uint32_t {
  weights = 1,
  epoch_order = 2,
  validation_split = 3,
  positive = 4,
  negative = 5,
  sign_flip = 6,
  bootstrap = 7,
  test_data = 8,
};

// The 32-bit word number `index` of (seed, purpose, trial).
std::uint32_t random_u32(std::uint64_t seed, RandomPurpose purpose, std::uint32_t trial,
                         std::uint64_t index);

// Uniform in [0, 1) with 24 bits.
float random_unit(std::uint64_t seed, RandomPurpose purpose, std::uint32_t trial,
                  std::uint64_t index);

// Uniform in [0, bound): (u32 * bound) >> 32, bias below bound / 2^32. Expects bound >= 1.
std::uint32_t random_below(std::uint32_t bound, std::uint64_t seed, RandomPurpose purpose,
                           std::uint32_t trial, std::uint64_t index);

}  // namespace puma::dist
