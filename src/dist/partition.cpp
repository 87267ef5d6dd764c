// SPDX-License-Identifier: Apache-2.0
#include "dist/partition.hpp"

#include <algorithm>

#include "dist/error.hpp"

namespace puma::dist {

namespace {

// How many whole blocks each part gets; the first `extra` parts get one more.
struct Deal {
  std::int64_t each;
  std::int64_t extra;
};

Deal deal(std::int64_t rows, int parts, std::int64_t align) {
  PUMA_EXPECT(rows >= 0);
  PUMA_EXPECT(parts >= 1);
  PUMA_EXPECT(align >= 1);
  const std::int64_t blocks = rows / align + (rows % align != 0);
  return {blocks / parts, blocks % parts};
}

}  // namespace

RowRange partition(std::int64_t rows, int parts, int part, std::int64_t align) {
  const Deal d = deal(rows, parts, align);
  PUMA_EXPECT(part >= 0 && part < parts);
  const auto first_row_of = [&](std::int64_t p) {
    const std::int64_t block = p * d.each + std::min(p, d.extra);
    // Compared in blocks: block * align may pass 2^63 where the last block is cut short.
    return block >= rows / align + (rows % align != 0) ? rows : block * align;
  };
  return {first_row_of(part), first_row_of(std::int64_t{part} + 1)};
}

int owner_of(std::int64_t row, std::int64_t rows, int parts, std::int64_t align) {
  const Deal d = deal(rows, parts, align);
  PUMA_EXPECT(row >= 0 && row < rows);
  const std::int64_t block = row / align;
  const std::int64_t in_larger_parts = d.extra * (d.each + 1);
  if (block < in_larger_parts) return static_cast<int>(block / (d.each + 1));
  return static_cast<int>(d.extra + (block - in_larger_parts) / d.each);
}

}  // namespace puma::dist
