// SPDX-License-Identifier: Apache-2.0
// One 64-bit key holds a score and a row, so that "larger key = better" is the total order: score
// descending, row ascending. Merging keys is associative and commutative; any number of ranks,
// threads or blocks gives the same list.
#pragma once

#include <bit>
#include <cstdint>

namespace puma::kernels {

using ScoreKey = std::uint64_t;  // 0 is below every real key: "nothing"

// Expects that score is not NaN (inputs are refused before they are scored). -0 becomes +0.
constexpr ScoreKey make_key(float score, std::uint32_t row) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(score + 0.0f);
  const std::uint32_t ordered = (bits & 0x80000000u) ? ~bits : (bits | 0x80000000u);
  return (ScoreKey{ordered} << 32) | (0xFFFFFFFFu - row);
}
constexpr std::uint32_t key_row(ScoreKey key) {
  return 0xFFFFFFFFu - static_cast<std::uint32_t>(key);
}
constexpr float key_score(ScoreKey key) {
  const std::uint32_t ordered = static_cast<std::uint32_t>(key >> 32);
  return std::bit_cast<float>((ordered & 0x80000000u) ? (ordered & 0x7FFFFFFFu) : ~ordered);
}

}  // namespace puma::kernels
