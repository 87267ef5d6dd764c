// SPDX-License-Identifier: Apache-2.0
// Who owns which row: contiguous ranges in rank order, so that local order is global order.
#pragma once

#include <cstdint>

namespace puma::dist {

struct RowRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

// Part `part` of `parts` of [0, rows), in whole blocks of `align` rows (the last block may be
// short): blocks are dealt evenly, the first (blocks % parts) parts get one more. Parts may be
// empty. Expects rows >= 0, 0 <= part < parts, align >= 1.
RowRange partition(std::int64_t rows, int parts, int part, std::int64_t align = 1);

// The part that owns `row` under the same rule.
int owner_of(std::int64_t row, std::int64_t rows, int parts, std::int64_t align = 1);

}  // namespace puma::dist
