// SPDX-License-Identifier: Apache-2.0
// The k best entries of one row. A reservoir of 2k entries is cut back to the best k whenever it is
// full; from then on only values above the k-th best so far may enter. Entries come in ascending
// atom order, so a value equal to the k-th best loses its tie and "above" may be strict: one
// comparison of floats for nearly every atom, also at D = 65,536.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "data/codes.hpp"
#include "dist/error.hpp"
#include "fmt/format.h"

namespace puma::data {
namespace {

// Larger is better: magnitude first (positive floats order like their bits), then the lower atom.
using Key = std::uint64_t;

Key make_key(float magnitude, std::size_t atom) {
  return (Key{std::bit_cast<std::uint32_t>(magnitude)} << 32) |
         (0xFFFFFFFFu - static_cast<std::uint32_t>(atom));
}
float key_magnitude(Key key) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32));
}
std::uint32_t key_atom(Key key) {
  return 0xFFFFFFFFu - static_cast<std::uint32_t>(key);
}

// Infinity and NaN have the largest magnitudes as bits: one integer maximum finds them, in a loop
// that compilers vectorise.
void check_finite(std::span<const float> values, std::int64_t row) {
  std::uint32_t largest = 0;
  for (const float value : values) {
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFu);
  }
  if (largest < 0x7F800000u) return;
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  dist::fail_input({fmt::format("row {}", row),
                    fmt::format("coordinate {} is not finite", bad - values.begin()),
                    "finite values", fmt::format("{}", *bad),
                    "Was the encoder trained on these embeddings, and did its training converge?"});
}

// Keeps the best of `magnitude(value)` above 0; a negative magnitude is never kept.
template <class Magnitude>
void select(std::span<const float> row_values, std::int64_t row, CodeMatrix& codes,
            Magnitude magnitude) {
  PUMA_EXPECT(row >= 0 && row < codes.rows);
  PUMA_EXPECT(static_cast<std::int64_t>(row_values.size()) == codes.dictionary);
  check_finite(row_values, row);
  const auto k = static_cast<std::size_t>(codes.k_max);
  thread_local std::vector<Key> best;  // one row's scratch, kept to spare an allocation a row
  best.clear();
  float threshold = 0;
  const auto cut = [&] {
    std::nth_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(k - 1), best.end(),
                     std::greater<>());
    best.resize(k);
    threshold = key_magnitude(best[k - 1]);
  };
  for (std::size_t atom = 0; atom < row_values.size(); ++atom) {
    const float size = magnitude(row_values[atom]);
    if (!(size > threshold)) continue;
    best.push_back(make_key(size, atom));
    if (best.size() == 2 * k) cut();
  }
  if (best.size() > k) cut();
  std::sort(best.begin(), best.end(), std::greater<>());

  std::uint32_t* atoms = codes.atoms.data() + static_cast<std::size_t>(row) * k;
  float* values = codes.values.data() + static_cast<std::size_t>(row) * k;
  for (std::size_t i = 0; i < k; ++i) {
    const bool filled = i < best.size();
    atoms[i] = filled ? key_atom(best[i]) : 0;
    values[i] = filled ? row_values[atoms[i]] : 0;
  }
  codes.lengths[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(best.size());
}

}  // namespace

void select_top_positive(std::span<const float> pre_activations, std::int64_t row,
                         CodeMatrix& codes) {
  select(pre_activations, row, codes, [](float value) { return value; });
}

void select_top_magnitude(std::span<const float> vector, std::int64_t row, CodeMatrix& codes) {
  select(vector, row, codes, [](float value) { return std::fabs(value); });
}

}  // namespace puma::data
