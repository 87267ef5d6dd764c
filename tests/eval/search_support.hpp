// SPDX-License-Identifier: Apache-2.0
// Vectors and codes for the search tests, full of ties.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "data/codes.hpp"

namespace puma::eval::test {

// Small whole numbers, so that many scores tie exactly; every fifth row is a copy of row 0.
inline std::vector<float> tied_rows(std::int64_t rows, std::int64_t dim, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<std::size_t>(rows * dim));
  for (float& x : values) x = static_cast<float>(static_cast<int>(random() % 5) - 2);
  for (std::int64_t r = 5; r < rows; r += 5) {
    std::copy_n(values.begin(), dim, values.begin() + r * dim);
  }
  return values;
}

// Rows of 0 to k_max entries (every seventh row is empty), a few distinct values; every fifth row
// is a copy of row 0.
inline data::CodeMatrix tied_codes(std::int64_t rows, std::int64_t dictionary, std::int64_t k_max,
                                   bool is_signed, unsigned seed) {
  std::mt19937 random(seed);
  auto codes = data::CodeMatrix::zeros(rows, dictionary, k_max, is_signed);
  std::vector<std::uint32_t> atoms(static_cast<std::size_t>(dictionary));
  for (std::size_t a = 0; a < atoms.size(); ++a) atoms[a] = static_cast<std::uint32_t>(a);
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto length =
        r % 7 == 6   ? 0
        : r % 3 == 1 ? k_max
                     : 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(k_max));
    std::shuffle(atoms.begin(), atoms.end(), random);
    const auto begin = static_cast<std::size_t>(r * k_max);
    codes.lengths[static_cast<std::size_t>(r)] = static_cast<std::int32_t>(length);
    float value = 3.0f;
    for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
      codes.atoms[begin + i] = atoms[i];
      codes.values[begin + i] = is_signed && random() % 2 ? -value : value;
      value *= random() % 2 ? 1.0f : 0.75f;
    }
  }
  for (std::int64_t r = 5; r < rows; r += 5) {
    codes.lengths[static_cast<std::size_t>(r)] = codes.lengths[0];
    std::copy_n(codes.atoms.begin(), k_max, codes.atoms.begin() + r * k_max);
    std::copy_n(codes.values.begin(), k_max, codes.values.begin() + r * k_max);
  }
  return codes;
}

// Rows [begin, end) of a matrix of codes.
inline data::CodeMatrix slice(const data::CodeMatrix& codes, std::int64_t begin, std::int64_t end) {
  auto part = data::CodeMatrix::zeros(end - begin, codes.dictionary, codes.k_max, codes.is_signed);
  std::copy(codes.atoms.begin() + begin * codes.k_max, codes.atoms.begin() + end * codes.k_max,
            part.atoms.begin());
  std::copy(codes.values.begin() + begin * codes.k_max, codes.values.begin() + end * codes.k_max,
            part.values.begin());
  std::copy(codes.lengths.begin() + begin, codes.lengths.begin() + end, part.lengths.begin());
  return part;
}

}  // namespace puma::eval::test
