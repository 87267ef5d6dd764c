// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/code_cache_schema.hpp"
#include "data/code_checksums.hpp"
#include "data/code_row_check.hpp"
#include "data/codes.hpp"
#include "data/dense_cache.hpp"
#include "data/h5_columns.hpp"
#include "dist/error.hpp"

namespace puma::data {
namespace {

constexpr std::int64_t rows_at_once = 16 * code_block_rows;  // a few MiB for every k in use

struct Header {
  CodeCacheInfo info;
  std::int64_t rows = 0, dictionary = 0, k_max = 0;
  bool is_signed = false;
};

std::int64_t bounded_attribute(const dist::H5Reader& reader, const std::string& name,
                               std::int64_t least, std::int64_t most) {
  const std::int64_t value = reader.int_attribute(name);
  if (value < least || value > most) {
    dist::fail_input({reader.file().string(), fmt::format("attribute '{}' is out of range", name),
                      fmt::format("{} to {}", least, most), std::to_string(value),
                      "The file is damaged, or was not written by puma."});
  }
  return value;
}

Header read_header(const dist::H5Reader& reader) {
  check_text_attribute(reader, "schema", std::string(code_cache_schema));
  check_int_attribute(reader, "version", code_cache_version);
  constexpr std::int64_t many = std::numeric_limits<std::int32_t>::max();
  Header header;
  header.info = {reader.text_attribute("role"),     reader.text_attribute("method"),
                 reader.text_attribute("backbone"), reader.text_attribute("source"),
                 reader.text_attribute("encoder"),  bounded_attribute(reader, "dim", 0, many)};
  if (header.info.role != "queries" && header.info.role != "candidates") {
    dist::fail_input({reader.file().string(), "unknown role", "queries or candidates",
                      fmt::format("'{}'", header.info.role), ""});
  }
  header.rows = bounded_attribute(reader, "rows", 1, many);
  header.dictionary = bounded_attribute(reader, "dictionary", 1, many);
  header.k_max = bounded_attribute(reader, "k_max", 1, many);
  header.is_signed = bounded_attribute(reader, "signed", 0, 1) == 1;
  return header;
}

// Whole blocks [range) of the file, in memory.
struct Blocks {
  dist::RowRange range;
  std::vector<std::uint32_t> lengths, atoms;
  std::vector<float> values;
};

Blocks read_blocks(const dist::H5Reader& reader, const Header& header, dist::RowRange range) {
  const auto k = static_cast<std::size_t>(header.k_max);
  Blocks blocks;
  blocks.range = range;
  blocks.lengths =
      read_numbers<std::uint32_t>(reader, "lengths", dist::H5Type::u32, header.rows, -1, range);
  blocks.values =
      read_numbers<float>(reader, "values", dist::H5Type::f32, header.rows, header.k_max, range);
  const dist::H5Type type = atom_type(header.dictionary);
  check_column(reader, "atoms", type, {header.rows, header.k_max});
  const std::vector<std::byte> stored = reader.read("atoms", range);
  const std::size_t row_bytes = k * (type == dist::H5Type::u16 ? 2 : 4);
  blocks.atoms.resize(blocks.values.size());
  for (std::size_t i = 0; i < blocks.atoms.size(); ++i) {
    if (type == dist::H5Type::u16) {
      std::uint16_t atom = 0;
      std::memcpy(&atom, stored.data() + 2 * i, sizeof(atom));
      blocks.atoms[i] = atom;
    } else {
      std::memcpy(&blocks.atoms[i], stored.data() + 4 * i, sizeof(std::uint32_t));
    }
  }

  const dist::RowRange numbers{range.begin / code_block_rows, code_blocks(range.end)};
  const auto checksums = read_numbers<std::uint64_t>(reader, "checksums", dist::H5Type::u64,
                                                     code_blocks(header.rows), 2, numbers);
  std::vector<dist::Digest> rows;
  for (std::int64_t block = numbers.begin; block < numbers.end; ++block) {
    rows.clear();
    const std::int64_t begin = block * code_block_rows;
    const std::int64_t end = std::min(begin + code_block_rows, header.rows);
    for (std::int64_t row = begin; row < end; ++row) {
      const auto i = static_cast<std::size_t>(row - range.begin);
      rows.push_back(code_row_checksum(blocks.lengths[i],
                                       std::span(stored).subspan(i * row_bytes, row_bytes),
                                       std::span<const float>(blocks.values).subspan(i * k, k)));
    }
    const dist::Digest found = code_block_checksum(rows);
    const auto c = static_cast<std::size_t>(2 * (block - numbers.begin));
    const dist::Digest expected{checksums[c], checksums[c + 1]};
    if (found != expected) {
      dist::fail_input({reader.file().string(),
                        fmt::format("rows {} to {} are damaged", begin, end - 1),
                        "checksum " + expected.hex(), found.hex(),
                        "Encode the cache again, or copy the file again."});
    }
  }
  return blocks;
}

void copy_row(const dist::H5Reader& reader, const Header& header, const Blocks& blocks,
              std::int64_t row, const std::string& id, std::int64_t target, CodeMatrix& codes) {
  const auto k = static_cast<std::size_t>(header.k_max);
  const auto i = static_cast<std::size_t>(row - blocks.range.begin);
  const auto atoms = std::span(blocks.atoms).subspan(i * k, k);
  const auto values = std::span(blocks.values).subspan(i * k, k);
  if (const auto wrong =
          check_code_row(atoms, values, blocks.lengths[i], header.dictionary, header.is_signed)) {
    dist::fail_input({reader.file().string(),
                      fmt::format("row {} (id '{}'): {}", row, id, wrong->problem), wrong->expected,
                      wrong->found, "Encode the cache again."});
  }
  std::copy(atoms.begin(), atoms.end(), codes.atoms.begin() + target * header.k_max);
  std::copy(values.begin(), values.end(), codes.values.begin() + target * header.k_max);
  codes.lengths[static_cast<std::size_t>(target)] = static_cast<std::int32_t>(blocks.lengths[i]);
}

CodeCache read_range(const dist::H5Reader& reader, const Header& header, dist::RowRange range) {
  CodeCache cache;
  cache.info = header.info;
  cache.ids = read_texts(reader, "ids", header.rows);
  check_ids(cache.ids, header.rows, reader.file());
  check_text_attribute(reader, "ids_checksum", ids_checksum(cache.ids));
  // Nothing is allocated for rows that the file does not hold.
  check_column(reader, "values", dist::H5Type::f32, {header.rows, header.k_max});
  check_column(reader, "atoms", atom_type(header.dictionary), {header.rows, header.k_max});
  cache.codes = CodeMatrix::zeros(range.size(), header.dictionary, header.k_max, header.is_signed);
  const std::int64_t first = range.begin / code_block_rows * code_block_rows;
  for (std::int64_t begin = first; begin < range.end; begin += rows_at_once) {
    const std::int64_t last = std::min(begin + rows_at_once, range.end);
    const std::int64_t end = std::min(code_blocks(last) * code_block_rows, header.rows);
    const Blocks blocks = read_blocks(reader, header, {begin, end});
    for (std::int64_t row = std::max(begin, range.begin); row < last; ++row) {
      copy_row(reader, header, blocks, row, cache.ids[static_cast<std::size_t>(row)],
               row - range.begin, cache.codes);
    }
  }
  return cache;
}

}  // namespace

CodeCache read_code_cache(const std::filesystem::path& file) {
  const dist::H5Reader reader(file);
  const Header header = read_header(reader);
  return read_range(reader, header, {0, header.rows});
}

CodeCache read_code_cache(const std::filesystem::path& file, dist::RowRange range) {
  const dist::H5Reader reader(file);
  const Header header = read_header(reader);
  PUMA_EXPECT(range.begin >= 0 && range.begin <= range.end && range.end <= header.rows);
  return read_range(reader, header, range);
}

std::int64_t code_cache_rows(const std::filesystem::path& file) {
  return read_header(dist::H5Reader(file)).rows;
}

}  // namespace puma::data
