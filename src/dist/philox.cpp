// SPDX-License-Identifier: Apache-2.0
#include "dist/philox.hpp"

#include "dist/error.hpp"

namespace puma::dist {

std::array<std::uint32_t, 4> philox(PhiloxCounter counter, std::uint64_t seed) {
  // Multipliers and Weyl constants of the paper, table 2.
  constexpr std::uint64_t m0 = 0xD2511F53, m1 = 0xCD9E8D57;
  constexpr std::uint32_t w0 = 0x9E3779B9, w1 = 0xBB67AE85;
  std::array<std::uint32_t, 4> x{counter.block, counter.trial, counter.stream, counter.extra};
  auto k0 = static_cast<std::uint32_t>(seed);
  auto k1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = m0 * x[0], p1 = m1 * x[2];
    x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += w0;
    k1 += w1;
  }
  return x;
}

std::uint32_t random_u32(std::uint64_t seed, RandomPurpose purpose, std::uint32_t trial,
                         std::uint64_t index) {
  const std::uint64_t block = index / 4;
  const PhiloxCounter counter{static_cast<std::uint32_t>(block), trial,
                              static_cast<std::uint32_t>(purpose),
                              static_cast<std::uint32_t>(block >> 32)};
  return philox(counter, seed)[index % 4];
}

float random_unit(std::uint64_t seed, RandomPurpose purpose, std::uint32_t trial,
                  std::uint64_t index) {
  return static_cast<float>(random_u32(seed, purpose, trial, index) >> 8) * 0x1p-24f;
}

std::uint32_t random_below(std::uint32_t bound, std::uint64_t seed, RandomPurpose purpose,
                           std::uint32_t trial, std::uint64_t index) {
  PUMA_EXPECT(bound >= 1);
  const std::uint64_t word = random_u32(seed, purpose, trial, index);
  return static_cast<std::uint32_t>((word * bound) >> 32);
}

}  // namespace puma::dist
