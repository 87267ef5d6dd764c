// SPDX-License-Identifier: Apache-2.0
// Codes made ready for scoring: atoms that no query uses are dropped, the rest renumbered densely
// and sorted ascending, once per search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/codes.hpp"
#include "dist/partition.hpp"

namespace puma::eval::detail {

// Atom -> its place among the atoms in use, ascending. Memory follows the atoms in use, not the
// dictionary's size, which an input file may claim at will.
class AtomMap {
 public:
  // The atoms within the first k entries of the rows `rows` of `codes`.
  AtomMap(const data::CodeMatrix& codes, dist::RowRange rows, std::int64_t k);
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFFu;
  std::uint32_t operator[](std::uint32_t atom) const {
    const std::uint32_t page = atom / kPage;
    if (page >= pages_.size() || pages_[page] == kAbsent) return kAbsent;
    return places_[std::size_t{pages_[page]} * kPage + atom % kPage];
  }
  std::int64_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kPage = 4096;
  std::vector<std::uint32_t> pages_;   // by atom / kPage: which page of places_, or kAbsent
  std::vector<std::uint32_t> places_;  // whole pages
  std::int64_t size_ = 0;
};

// Row r holds entries [begins[r], begins[r + 1]): mapped atoms ascending.
struct SortedCodes {
  std::vector<std::int64_t> begins;
  std::vector<std::uint32_t> atoms;
  std::vector<float> values;
  std::span<const std::uint32_t> row_atoms(std::int64_t row) const;
  std::span<const float> row_values(std::int64_t row) const;
};

SortedCodes sort_codes(const data::CodeMatrix& codes, std::int64_t k, const AtomMap& map,
                       int threads);

}  // namespace puma::eval::detail
