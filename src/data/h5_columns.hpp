// SPDX-License-Identifier: Apache-2.0
// Columns of our HDF5 files as typed vectors: texts of a fixed width, and numbers. A column is
// checked against its expected type and shape, and against the bounds of the file, before anything
// is allocated.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "dist/hdf5.hpp"

namespace puma::data {

// Rows `mine` of `texts` (all of them are given) as a column wide enough for the longest.
// Collective. Expects at least one text.
void write_texts(dist::H5Writer& writer, const std::string& name,
                 const std::vector<std::string>& texts, dist::RowRange mine);

// All `rows` texts of a column.
std::vector<std::string> read_texts(const dist::H5Reader& reader, const std::string& name,
                                    std::int64_t rows);

// Rows of a one-dimensional text column, as its shape tells.
std::int64_t text_rows(const dist::H5Reader& reader, const std::string& name);

// The data set must exist with this type and these dimensions, and its bytes must lie inside the
// file; else an input error.
void check_column(const dist::H5Reader& reader, const std::string& name, dist::H5Type type,
                  const std::vector<std::int64_t>& dims);

// Rows [range) of a column of `rows` rows (of `width` elements each when width >= 0).
template <class T>
std::vector<T> read_numbers(const dist::H5Reader& reader, const std::string& name,
                            dist::H5Type type, std::int64_t rows, std::int64_t width,
                            dist::RowRange range) {
  check_column(
      reader, name, type,
      width < 0 ? std::vector<std::int64_t>{rows} : std::vector<std::int64_t>{rows, width});
  const std::vector<std::byte> bytes = reader.read(name, range);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// An attribute that must be there and equal.
void check_text_attribute(const dist::H5Reader& reader, const std::string& name,
                          const std::string& expected);
void check_int_attribute(const dist::H5Reader& reader, const std::string& name,
                         std::int64_t expected);

}  // namespace puma::data
