// SPDX-License-Identifier: Apache-2.0
// One HDF5 file with everything that the writer can write, in sizes that divide by nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "dist/hdf5.hpp"
#include "dist/philox.hpp"

namespace puma::test {

// Rows [range) of a data set whose every byte is a function of its place: any rank can make its
// own.
inline std::vector<std::byte> pattern_rows(const dist::H5Shape& shape, dist::RowRange range) {
  const std::int64_t row_bytes = shape.row_bytes();
  std::vector<std::byte> rows(static_cast<std::size_t>(range.size() * row_bytes));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto place = static_cast<std::uint64_t>(range.begin * row_bytes) + i;
    rows[i] = static_cast<std::byte>(dist::random_u32(
        1, dist::RandomPurpose::test_data, static_cast<std::uint32_t>(shape.type), place));
  }
  return rows;
}

struct NamedShape {
  std::string name;
  dist::H5Shape shape;
};

inline std::vector<NamedShape> fixture_shapes(std::int64_t rows) {
  using dist::H5Type;
  return {{"vectors", {H5Type::f32, 0, {rows, 5}}},   {"ids", {H5Type::text, 7, {rows}}},
          {"half", {H5Type::u16, 0, {rows, 3}}},      {"bytes", {H5Type::u8, 0, {rows}}},
          {"cube", {H5Type::f64, 0, {rows, 2, 3}}},   {"atoms", {H5Type::u32, 0, {rows, 1}}},
          {"checksums", {H5Type::u64, 0, {rows, 2}}}, {"signed", {H5Type::i64, 0, {rows}}},
          {"narrow", {H5Type::f32, 0, {rows, 0}}}};
}

// Collective. Rows are dealt with `align`, so that some ranks may get none.
inline void write_fixture(const dist::Comm& comm, const std::filesystem::path& file,
                          std::int64_t rows, std::int64_t transfer_bytes = std::int64_t{1} << 30,
                          std::int64_t align = 1) {
  dist::H5Writer writer(comm, file, transfer_bytes);
  writer.attribute("kind", std::string("fixture \xc3\xa9"));
  writer.attribute("empty", std::string());
  writer.attribute("rows", rows);
  for (int i = 0; i < 20; ++i) writer.attribute("many" + std::to_string(i), std::string(500, 'm'));
  for (const auto& [name, shape] : fixture_shapes(rows)) {
    const dist::RowRange mine = dist::partition(rows, comm.size(), comm.rank(), align);
    writer.dataset(name, shape, mine, pattern_rows(shape, mine));
  }
  writer.commit();
}

}  // namespace puma::test
