// SPDX-License-Identifier: Apache-2.0
#include "data/code_storage.hpp"

#include <algorithm>
#include <bit>

#include "data/code_cache_schema.hpp"

namespace puma::data {
namespace {

constexpr double value_bytes = 4;

nlohmann::json layout(double bytes, std::int64_t dim) {
  nlohmann::json json{{"bytes_per_row", bytes}};
  if (dim > 0 && bytes > 0) {
    const auto d = static_cast<double>(dim);
    json["smaller_than_float32"] = 4 * d / bytes;
    json["smaller_than_float16"] = 2 * d / bytes;
    json["smaller_than_int8"] = d / bytes;
  }
  return json;
}

}  // namespace

CodeStorage::CodeStorage(std::int64_t dictionary, std::int64_t k_max)
    : k_max_(k_max), narrow_(narrow_atoms(dictionary)) {}

void CodeStorage::add(const CodeMatrix& codes) {
  rows_ += codes.rows;
  for (std::int64_t row = 0; row < codes.rows; ++row) {
    const auto atoms = codes.row_atoms(row);
    entries_ += static_cast<std::int64_t>(atoms.size());
    full_rows_ += static_cast<std::int64_t>(atoms.size()) == k_max_ ? 1 : 0;
    if (atoms.size() >= rows_of_length_.size()) rows_of_length_.resize(atoms.size() + 1, 0);
    ++rows_of_length_[atoms.size()];
    for (const std::uint32_t atom : atoms) {
      if (atom >= active_.size()) active_.resize(std::size_t{atom} + 1, false);
      active_[atom] = true;
    }
  }
}

nlohmann::json CodeStorage::facts(std::int64_t dim) const {
  const auto active = static_cast<std::uint64_t>(std::count(active_.begin(), active_.end(), true));
  const int id_bits = active < 2 ? 0 : std::bit_width(active - 1);
  std::int64_t packed_id_bytes = 0;  // each row begins at a byte
  for (std::size_t length = 0; length < rows_of_length_.size(); ++length) {
    packed_id_bytes +=
        rows_of_length_[length] * ((static_cast<std::int64_t>(length) * id_bits + 7) / 8);
  }
  const double rows = rows_ == 0 ? 1 : static_cast<double>(rows_);
  const double length = static_cast<double>(entries_) / rows;
  const double bitmap_bytes = 64 * static_cast<double>((active + 511) / 512);

  nlohmann::json storage;
  storage["as_stored"] =
      layout(static_cast<double>(k_max_) * (value_bytes + (narrow_ ? 2 : 4)) + 4, dim);
  storage["ids_32_bit"] = layout(length * (value_bytes + 4), dim);
  if (active <= 65536) storage["ids_16_bit"] = layout(length * (value_bytes + 2), dim);
  storage["ids_compact"] =
      layout(length * value_bytes + static_cast<double>(packed_id_bytes) / rows, dim);
  storage["ids_compact"]["bits_per_id"] = id_bits;
  storage["presence_bitmap"] = layout(length * value_bytes + bitmap_bytes, dim);
  storage["presence_bitmap"]["bitmap_bytes"] = bitmap_bytes;
  return {{"mean_length", length},
          {"active_atoms", active},
          {"reach", static_cast<double>(full_rows_) / rows},
          {"storage", std::move(storage)}};
}

}  // namespace puma::data
