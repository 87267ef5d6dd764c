// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "data/code_cache_schema.hpp"
#include "data/code_checksums.hpp"
#include "data/codes.hpp"
#include "data/dense_cache.hpp"
#include "data/h5_columns.hpp"
#include "dist/error.hpp"
#include "dist/hdf5.hpp"

namespace puma::data {
namespace {

// Atoms as they lie in the file: 2 bytes each where every atom of the dictionary fits.
std::vector<std::byte> stored_atoms(const CodeMatrix& codes) {
  const std::span<const std::uint32_t> atoms(codes.atoms);
  if (!narrow_atoms(codes.dictionary)) {
    const auto bytes = std::as_bytes(atoms);
    return {bytes.begin(), bytes.end()};
  }
  std::vector<std::byte> bytes(atoms.size() * sizeof(std::uint16_t));
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const auto atom = static_cast<std::uint16_t>(atoms[i]);
    std::memcpy(bytes.data() + i * sizeof(atom), &atom, sizeof(atom));
  }
  return bytes;
}

std::vector<dist::Digest> row_checksums(const CodeMatrix& codes, std::span<const std::byte> atoms) {
  const auto k = static_cast<std::size_t>(codes.k_max);
  const std::size_t row_bytes = k * (narrow_atoms(codes.dictionary) ? 2 : 4);
  std::vector<dist::Digest> digests;
  digests.reserve(static_cast<std::size_t>(codes.rows));
  for (std::size_t row = 0; row < static_cast<std::size_t>(codes.rows); ++row) {
    digests.push_back(code_row_checksum(static_cast<std::uint32_t>(codes.lengths[row]),
                                        atoms.subspan(row * row_bytes, row_bytes),
                                        std::span(codes.values).subspan(row * k, k)));
  }
  return digests;
}

}  // namespace

void write_code_cache(const dist::Comm& comm, const std::filesystem::path& file,
                      const CodeCacheInfo& info, const std::vector<std::string>& ids,
                      dist::RowRange mine, const CodeMatrix& codes) {
  const auto rows = static_cast<std::int64_t>(ids.size());
  PUMA_EXPECT(codes.rows == mine.size());
  PUMA_EXPECT(codes.dictionary >= 1 && codes.k_max >= 1);
  PUMA_EXPECT(info.role == "queries" || info.role == "candidates");
  check_ids(ids, rows, file);

  const std::vector<std::byte> atoms = stored_atoms(codes);
  const std::vector<std::uint32_t> lengths(codes.lengths.begin(), codes.lengths.end());
  const std::vector<std::uint64_t> checksums =
      own_block_checksums(comm, rows, mine, row_checksums(codes, atoms));

  dist::H5Writer writer(comm, file);
  writer.attribute("schema", std::string(code_cache_schema));
  writer.attribute("version", code_cache_version);
  writer.attribute("role", info.role);
  writer.attribute("method", info.method);
  writer.attribute("backbone", info.backbone);
  writer.attribute("source", info.source);
  writer.attribute("encoder", info.encoder);
  writer.attribute("dim", info.dim);
  writer.attribute("dictionary", codes.dictionary);
  writer.attribute("k_max", codes.k_max);
  writer.attribute("signed", std::int64_t{codes.is_signed});
  writer.attribute("rows", rows);
  writer.attribute("ids_checksum", ids_checksum(ids));
  write_texts(writer, "ids", ids, mine);
  writer.dataset("lengths", {dist::H5Type::u32, 0, {rows}}, mine,
                 std::as_bytes(std::span<const std::uint32_t>(lengths)));
  writer.dataset("atoms", {atom_type(codes.dictionary), 0, {rows, codes.k_max}}, mine, atoms);
  writer.dataset("values", {dist::H5Type::f32, 0, {rows, codes.k_max}}, mine,
                 std::as_bytes(std::span<const float>(codes.values)));
  writer.dataset("checksums", {dist::H5Type::u64, 0, {code_blocks(rows), 2}}, own_blocks(mine),
                 std::as_bytes(std::span<const std::uint64_t>(checksums)));
  writer.commit();
}

}  // namespace puma::data
