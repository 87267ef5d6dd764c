// SPDX-License-Identifier: Apache-2.0
// XXH3-128: names of contents. Not cryptographic: it finds damage and equal files, not forgers.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace puma::dist {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  std::string hex() const;  // 32 lower-case digits, high word first
  auto operator<=>(const Digest&) const = default;
};

Digest checksum(std::span<const std::byte> bytes);
Digest checksum(std::string_view text);

// Of a whole file. Throws when it cannot be read.
Digest file_checksum(const std::filesystem::path& file);

}  // namespace puma::dist
