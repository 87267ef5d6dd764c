// SPDX-License-Identifier: Apache-2.0
#include "data/codes.hpp"

#include <algorithm>

#include "dist/error.hpp"

namespace puma::data {
namespace {

std::size_t at(std::int64_t row, std::int64_t stride) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(stride);
}

}  // namespace

CodeMatrix CodeMatrix::zeros(std::int64_t rows, std::int64_t dictionary, std::int64_t k_max,
                             bool is_signed) {
  PUMA_EXPECT(rows >= 0 && dictionary >= 1 && k_max >= 1);
  CodeMatrix codes;
  codes.rows = rows;
  codes.dictionary = dictionary;
  codes.k_max = k_max;
  codes.is_signed = is_signed;
  codes.atoms.assign(at(rows, k_max), 0);
  codes.values.assign(at(rows, k_max), 0.0f);
  codes.lengths.assign(static_cast<std::size_t>(rows), 0);
  return codes;
}

std::span<const std::uint32_t> CodeMatrix::row_atoms(std::int64_t row) const {
  PUMA_EXPECT(row >= 0 && row < rows);
  return std::span(atoms).subspan(at(row, k_max),
                                  static_cast<std::size_t>(lengths[static_cast<std::size_t>(row)]));
}

std::span<const float> CodeMatrix::row_values(std::int64_t row) const {
  PUMA_EXPECT(row >= 0 && row < rows);
  return std::span(values).subspan(
      at(row, k_max), static_cast<std::size_t>(lengths[static_cast<std::size_t>(row)]));
}

CodeMatrix truncated(const CodeMatrix& codes, std::int64_t k) {
  PUMA_EXPECT(k >= 1 && k <= codes.k_max);
  CodeMatrix cut = CodeMatrix::zeros(codes.rows, codes.dictionary, k, codes.is_signed);
  for (std::int64_t row = 0; row < codes.rows; ++row) {
    const std::int64_t length =
        std::min<std::int64_t>(codes.lengths[static_cast<std::size_t>(row)], k);
    cut.lengths[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(length);
    std::copy_n(codes.atoms.begin() + row * codes.k_max, length, cut.atoms.begin() + row * k);
    std::copy_n(codes.values.begin() + row * codes.k_max, length, cut.values.begin() + row * k);
  }
  return cut;
}

}  // namespace puma::data
