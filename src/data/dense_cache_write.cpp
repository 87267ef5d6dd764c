// SPDX-License-Identifier: Apache-2.0
// Writing a dense cache over ranks: rows, ids and checksums go out in equal ranges, so that every
// rank holds whole checksum blocks.
#include <algorithm>

#include "data/dense_cache.hpp"
#include "data/dense_cache_layout.hpp"
#include "data/h5_columns.hpp"
#include "dist/error.hpp"

namespace puma::data {

namespace {

void write_attributes(dist::H5Writer& writer, const CacheInfo& info,
                      const std::string& ids_checksum) {
  writer.attribute("schema", detail::kSchema);
  writer.attribute("version", detail::kVersion);
  writer.attribute("role", to_string(info.role));
  writer.attribute("rows", info.rows);
  writer.attribute("dim", info.dim);
  writer.attribute("dtype", to_string(info.type));
  writer.attribute("normalised", std::int64_t{info.normalised});
  writer.attribute("backbone", info.backbone);
  writer.attribute("weights_hash", info.weights_hash);
  writer.attribute("prompt_hash", info.prompt_hash);
  writer.attribute("source", info.source);
  writer.attribute("ids_checksum", ids_checksum);
}

}  // namespace

void write_dense_cache(const dist::Comm& comm, const std::filesystem::path& file,
                       const CacheInfo& info, const std::vector<std::string>& ids,
                       dist::RowRange mine, std::span<const std::byte> rows) {
  const auto row_bytes = info.dim * static_cast<std::int64_t>(vector_element_bytes(info.type));
  const std::int64_t block_rows = checksum_block_rows(row_bytes);
  dist::agree(comm, [&] {
    PUMA_EXPECT(info.rows == static_cast<std::int64_t>(ids.size()) && info.rows > 0);
    PUMA_EXPECT(info.dim > 0);
    PUMA_EXPECT(static_cast<std::int64_t>(rows.size()) == mine.size() * row_bytes);
    PUMA_EXPECT(mine.size() == 0 || mine.begin % block_rows == 0);
    PUMA_EXPECT(mine.size() == 0 || mine.end % block_rows == 0 || mine.end == info.rows);
    check_ids(ids, info.rows, file);
    if (info.role == CacheRole::candidates) {
      PUMA_EXPECT(std::is_sorted(ids.rbegin(), ids.rend()));
    }
  });

  const std::vector<dist::Digest> digests = detail::block_digests(rows, row_bytes);
  std::vector<std::uint64_t> words;
  for (const dist::Digest& digest : digests) words.insert(words.end(), {digest.high, digest.low});
  const std::int64_t blocks = detail::block_count(info.rows, block_rows);
  const dist::RowRange my_blocks{std::min(blocks, detail::block_count(mine.begin, block_rows)),
                                 std::min(blocks, detail::block_count(mine.end, block_rows))};

  dist::H5Writer writer(comm, file);
  write_attributes(writer, info, detail::ids_digest(ids).hex());
  writer.dataset("vectors", {detail::stored_type(info.type), 0, {info.rows, info.dim}}, mine, rows);
  write_texts(writer, "ids", ids, mine);
  writer.dataset("checksums", {dist::H5Type::u64, 0, {blocks, 2}}, my_blocks,
                 std::as_bytes(std::span(words)));
  writer.commit();
}

}  // namespace puma::data
