// SPDX-License-Identifier: Apache-2.0
#include "eval/sorted_codes.hpp"

#include <algorithm>
#include <utility>

namespace puma::eval::detail {
namespace {

std::size_t entries_of(const data::CodeMatrix& codes, std::int64_t row, std::int64_t k) {
  return static_cast<std::size_t>(
      std::min<std::int64_t>(k, codes.lengths[static_cast<std::size_t>(row)]));
}

}  // namespace

AtomMap::AtomMap(const data::CodeMatrix& codes, dist::RowRange rows, std::int64_t k) {
  std::uint32_t used_pages = 0;
  for (std::int64_t r = rows.begin; r < rows.end; ++r) {
    for (const std::uint32_t atom : codes.row_atoms(r).first(entries_of(codes, r, k))) {
      const std::size_t page = atom / kPage;
      if (page >= pages_.size()) pages_.resize(page + 1, kAbsent);
      if (pages_[page] == kAbsent) {
        pages_[page] = used_pages++;
        places_.resize(std::size_t{used_pages} * kPage, kAbsent);
      }
      places_[std::size_t{pages_[page]} * kPage + atom % kPage] = 0;  // marked; numbered below
    }
  }
  std::uint32_t next = 0;
  for (const std::uint32_t page : pages_) {
    if (page == kAbsent) continue;
    for (std::size_t i = 0; i < kPage; ++i) {
      std::uint32_t& place = places_[std::size_t{page} * kPage + i];
      if (place != kAbsent) place = next++;
    }
  }
  size_ = next;
}

std::span<const std::uint32_t> SortedCodes::row_atoms(std::int64_t row) const {
  const auto r = static_cast<std::size_t>(row);
  return std::span(atoms).subspan(static_cast<std::size_t>(begins[r]),
                                  static_cast<std::size_t>(begins[r + 1] - begins[r]));
}

std::span<const float> SortedCodes::row_values(std::int64_t row) const {
  const auto r = static_cast<std::size_t>(row);
  return std::span(values).subspan(static_cast<std::size_t>(begins[r]),
                                   static_cast<std::size_t>(begins[r + 1] - begins[r]));
}

SortedCodes sort_codes(const data::CodeMatrix& codes, std::int64_t k, const AtomMap& map,
                       int threads) {
  SortedCodes sorted;
  sorted.begins.assign(static_cast<std::size_t>(codes.rows) + 1, 0);
#pragma omp parallel for num_threads(threads) if (threads > 1)
  for (std::int64_t r = 0; r < codes.rows; ++r) {
    std::int64_t count = 0;
    for (const std::uint32_t atom : codes.row_atoms(r).first(entries_of(codes, r, k))) {
      count += map[atom] != AtomMap::kAbsent;
    }
    sorted.begins[static_cast<std::size_t>(r) + 1] = count;
  }
  for (std::size_t r = 1; r < sorted.begins.size(); ++r) sorted.begins[r] += sorted.begins[r - 1];
  sorted.atoms.resize(static_cast<std::size_t>(sorted.begins.back()));
  sorted.values.resize(sorted.atoms.size());
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    std::vector<std::pair<std::uint32_t, float>> entries;
#pragma omp for
    for (std::int64_t r = 0; r < codes.rows; ++r) {
      entries.clear();
      const auto atoms = codes.row_atoms(r).first(entries_of(codes, r, k));
      const auto values = codes.row_values(r);
      for (std::size_t i = 0; i < atoms.size(); ++i) {
        const std::uint32_t place = map[atoms[i]];
        if (place != AtomMap::kAbsent) entries.emplace_back(place, values[i]);
      }
      std::sort(entries.begin(), entries.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      auto out = static_cast<std::size_t>(sorted.begins[static_cast<std::size_t>(r)]);
      for (const auto& [place, value] : entries) {
        sorted.atoms[out] = place;
        sorted.values[out++] = value;
      }
    }
  }
  return sorted;
}

}  // namespace puma::eval::detail
