// SPDX-License-Identifier: Apache-2.0
// The first bytes of an HDF5 file, read by ourselves: HDF5's own words for a file cut short help
// nobody.
#pragma once

#include <cstdint>
#include <filesystem>

namespace puma::dist::detail {

// Throws an input error unless the file starts as our writer's files do (superblock version 2 or 3:
// the ones whose metadata carry checksums) and is as long as it says. Returns its length.
std::uint64_t check_superblock(const std::filesystem::path& file);

}  // namespace puma::dist::detail
