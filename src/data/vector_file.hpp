// SPDX-License-Identifier: Apache-2.0
// Embeddings as others write them: real .npy (v1 to v3, f2/f4/f8, either byte order, C or Fortran
// order), or the published code's raw float32 memory maps, which also carry the name .npy but have
// no header. Untrusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/dense_cache.hpp"
#include "dist/mapped_file.hpp"

namespace puma::data {

enum class VectorFileKind { npy, raw_float32 };

// Opened, mapped, header parsed, size checked against the shape.
class VectorFile {
 public:
  // For a raw file the shape comes from `dim_hint` (metadata) and the number of ids: rows * dim * 4
  // must be the file's size exactly.
  static VectorFile open(const std::filesystem::path& file, std::int64_t rows_hint,
                         std::optional<std::int64_t> dim_hint);
  VectorFileKind kind() const { return kind_; }
  std::string description()
      const;  // "npy v1.0, float16, C order" or "raw float32 memory map (no npy header)"
  std::int64_t rows() const { return rows_; }
  std::int64_t dim() const { return dim_; }
  VectorType stored_type() const {
    return type_;
  }  // f16 stays f16; f8 becomes f32 (rounded to nearest, said in the description)
  // Row `row` as raw little-endian elements of stored_type(), appended to `out`. Non-finite values
  // are input errors naming row, column and value, and the row's `id` where it is given.
  void append_row(std::int64_t row, std::vector<std::byte>& out, std::string_view id = {}) const;

 private:
  void take_npy_header(std::optional<std::int64_t> dim_hint);
  void take_raw_shape(std::int64_t rows_hint, std::optional<std::int64_t> dim_hint);

  std::filesystem::path path_;
  dist::MappedFile map_;
  VectorFileKind kind_ = VectorFileKind::npy;
  VectorType type_ = VectorType::f32;
  std::int64_t rows_ = 0, dim_ = 0;
  std::uint64_t data_offset_ = 0;
  int element_bytes_ = 4;
  bool big_endian_ = false, fortran_order_ = false;
  std::string version_;
};

// A JSON list of strings (streamed: pools have half a million ids).
std::vector<std::string> read_id_list(const std::filesystem::path& file);

}  // namespace puma::data
