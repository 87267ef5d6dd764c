// SPDX-License-Identifier: Apache-2.0
// What writer and reader of dense caches share: names in the file, block arithmetic, and what the
// checksums cover.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/dense_cache.hpp"
#include "dist/checksum.hpp"
#include "dist/hdf5.hpp"

namespace puma::data::detail {

inline constexpr const char* kSchema = "puma dense cache";
inline constexpr std::int64_t kVersion = 1;

inline dist::H5Type stored_type(VectorType type) {
  return type == VectorType::f32 ? dist::H5Type::f32 : dist::H5Type::u16;
}

inline std::int64_t block_count(std::int64_t rows, std::int64_t block_rows) {
  return (rows + block_rows - 1) / block_rows;
}

// Of the blocks that `rows` holds whole (the file's last block may be short).
std::vector<dist::Digest> block_digests(std::span<const std::byte> rows, std::int64_t row_bytes);

// Of the ids in row order: finds rows that were swapped or cut.
dist::Digest ids_digest(const std::vector<std::string>& ids);

// The content's name: shape, element type, ids and the digests of every block.
std::string content_name(const CacheInfo& info, const std::string& ids_checksum,
                         std::span<const dist::Digest> blocks);

}  // namespace puma::data::detail
