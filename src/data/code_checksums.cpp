// SPDX-License-Identifier: Apache-2.0
#include "data/code_checksums.hpp"

#include <algorithm>
#include <cstring>

#include "dist/error.hpp"

namespace puma::data {

dist::Digest code_row_checksum(std::uint32_t length, std::span<const std::byte> atoms,
                               std::span<const float> values) {
  thread_local std::vector<std::byte> row;
  row.resize(sizeof(length) + atoms.size() + values.size_bytes());
  std::byte* out = row.data();
  std::memcpy(out, &length, sizeof(length));
  std::memcpy(out + sizeof(length), atoms.data(), atoms.size());
  std::memcpy(out + sizeof(length) + atoms.size(), values.data(), values.size_bytes());
  return dist::checksum(std::span<const std::byte>(row));
}

dist::Digest code_block_checksum(std::span<const dist::Digest> rows) {
  std::vector<std::uint64_t> words;
  words.reserve(2 * rows.size());
  for (const dist::Digest& row : rows) {
    words.push_back(row.high);
    words.push_back(row.low);
  }
  return dist::checksum(std::as_bytes(std::span<const std::uint64_t>(words)));
}

dist::RowRange own_blocks(dist::RowRange mine) {
  return {code_blocks(mine.begin), code_blocks(mine.end)};
}

std::vector<std::uint64_t> own_block_checksums(const dist::Comm& comm, std::int64_t all_rows,
                                               dist::RowRange mine,
                                               std::span<const dist::Digest> rows) {
  PUMA_EXPECT(static_cast<std::int64_t>(rows.size()) == mine.size());
  struct RowDigest {
    std::int64_t row;
    dist::Digest digest;
  };
  const dist::RowRange blocks = own_blocks(mine);

  // Rows before my first block end a block that began on a rank before me.
  std::vector<RowDigest> head;
  const std::int64_t head_end = std::min(mine.end, blocks.begin * code_block_rows);
  for (std::int64_t row = mine.begin; row < head_end; ++row) {
    head.push_back({row, rows[static_cast<std::size_t>(row - mine.begin)]});
  }
  const std::vector<RowDigest> heads = comm.all_gather(std::span<const RowDigest>(head));

  std::vector<std::uint64_t> words;
  for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
    const std::int64_t begin = block * code_block_rows;
    const std::int64_t end = std::min(begin + code_block_rows, all_rows);
    std::vector<dist::Digest> in_block;
    for (std::int64_t row = begin; row < std::min(end, mine.end); ++row) {
      in_block.push_back(rows[static_cast<std::size_t>(row - mine.begin)]);
    }
    for (const RowDigest& other : heads) {
      if (other.row >= mine.end && other.row < end) in_block.push_back(other.digest);
    }
    PUMA_ASSERT(static_cast<std::int64_t>(in_block.size()) == end - begin);
    const dist::Digest digest = code_block_checksum(in_block);
    words.push_back(digest.high);
    words.push_back(digest.low);
  }
  return words;
}

}  // namespace puma::data
