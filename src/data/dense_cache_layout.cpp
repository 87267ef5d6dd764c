// SPDX-License-Identifier: Apache-2.0
#include "data/dense_cache_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace puma::data {

std::int64_t checksum_block_rows(std::int64_t row_bytes) {
  constexpr std::int64_t kBlockBytes = std::int64_t{1} << 20;
  return std::max<std::int64_t>(1, kBlockBytes / row_bytes);
}

namespace detail {

std::vector<dist::Digest> block_digests(std::span<const std::byte> rows, std::int64_t row_bytes) {
  const auto block = static_cast<std::size_t>(checksum_block_rows(row_bytes) * row_bytes);
  std::vector<dist::Digest> digests;
  for (std::size_t at = 0; at < rows.size(); at += block) {
    digests.push_back(dist::checksum(rows.subspan(at, std::min(block, rows.size() - at))));
  }
  return digests;
}

dist::Digest ids_digest(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) (text += id) += '\n';  // ids hold no white space
  return dist::checksum(text);
}

std::string content_name(const CacheInfo& info, const std::string& ids_checksum,
                         std::span<const dist::Digest> blocks) {
  std::string text =
      fmt::format("{} x {} {} ids {}", info.rows, info.dim, to_string(info.type), ids_checksum);
  for (const dist::Digest& digest : blocks) (text += ' ') += digest.hex();
  return dist::checksum(text).hex();
}

}  // namespace detail

}  // namespace puma::data
