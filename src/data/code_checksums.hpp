// SPDX-License-Identifier: Apache-2.0
// Checksums of a code cache: XXH3-128 of each row as stored, and of each block of 256 rows over its
// rows' checksums. Two levels, so that a block that straddles two ranks needs 16 bytes a row from
// its neighbour instead of the codes, and any partition gives the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dist/checksum.hpp"
#include "dist/comm.hpp"
#include "dist/partition.hpp"

namespace puma::data {

inline constexpr std::int64_t code_block_rows = 256;  // encoders deal rows in such blocks

constexpr std::int64_t code_blocks(std::int64_t rows) {
  return (rows + code_block_rows - 1) / code_block_rows;
}

// One row: its length, its atoms and its values as they lie in the file.
dist::Digest code_row_checksum(std::uint32_t length, std::span<const std::byte> atoms,
                               std::span<const float> values);

// One block, from its rows.
dist::Digest code_block_checksum(std::span<const dist::Digest> rows);

// The blocks whose first row this rank owns, as (high, low) pairs, in order. Collective.
std::vector<std::uint64_t> own_block_checksums(const dist::Comm& comm, std::int64_t all_rows,
                                               dist::RowRange mine,
                                               std::span<const dist::Digest> rows);
dist::RowRange own_blocks(dist::RowRange mine);

}  // namespace puma::data
