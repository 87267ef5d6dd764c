// SPDX-License-Identifier: Apache-2.0
// The header of a .npy file (numpy's format description, versions 1.0 to 3.0). Untrusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace puma::data {

struct NpyHeader {
  int major = 1;
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::uint64_t data_offset = 0;  // inside the file
};

// The first six bytes of every .npy file.
bool has_npy_magic(std::span<const std::byte> bytes);

// Parses magic, version, header length and dictionary; everything else than exactly the three known
// keys is an input error that names `file`.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::filesystem::path& file);

}  // namespace puma::data
