// SPDX-License-Identifier: Apache-2.0
// What the writer and the reader of code caches agree on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dist/checksum.hpp"
#include "dist/hdf5.hpp"

namespace puma::data {

inline constexpr std::string_view code_cache_schema = "puma code cache";
inline constexpr std::int64_t code_cache_version = 1;

constexpr bool narrow_atoms(std::int64_t dictionary) {
  return dictionary <= 65536;
}
constexpr dist::H5Type atom_type(std::int64_t dictionary) {
  return narrow_atoms(dictionary) ? dist::H5Type::u16 : dist::H5Type::u32;
}

// XXH3-128 over the ids with a 0 byte after each.
inline std::string ids_checksum(const std::vector<std::string>& ids) {
  std::string all;
  for (const std::string& id : ids) {
    all += id;
    all += '\0';
  }
  return dist::checksum(std::string_view(all)).hex();
}

}  // namespace puma::data
