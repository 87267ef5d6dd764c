// SPDX-License-Identifier: Apache-2.0
// The JSON header of a safetensors file, read as a stream of events: anything deeper or other than
// the format allows is refused where it stands, before a document of it exists in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace puma::data {

struct SafetensorsEntry {
  std::optional<std::string> dtype;
  std::optional<std::vector<std::uint64_t>> shape, offsets;
};

struct SafetensorsHeader {
  std::map<std::string, SafetensorsEntry> tensors;  // each with dtype, shape and two offsets
  std::map<std::string, std::string> metadata;
};

SafetensorsHeader parse_safetensors_header(std::string_view json,
                                           const std::filesystem::path& file);

}  // namespace puma::data
