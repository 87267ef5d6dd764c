// SPDX-License-Identifier: Apache-2.0
#include "data/vector_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "data/npy_header.hpp"
#include "data/text_lines.hpp"
#include "dist/error.hpp"

namespace puma::data {

namespace {

static_assert(std::endian::native == std::endian::little,
              "caches are little endian and mapped as they are");

constexpr const char* kRawHint = "is this a raw float32 memory map without an npy header?";

std::string dimensions(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t n : shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", n);
  return fmt::format("({}{})", text, shape.size() == 1 ? "," : "");
}

// rows * dim * element_bytes, or nothing when that does not fit 64 bits.
std::optional<std::uint64_t> data_bytes(std::int64_t rows, std::int64_t dim, int element_bytes) {
  std::int64_t elements = 0, bytes = 0;
  if (__builtin_mul_overflow(rows, dim, &elements) ||
      __builtin_mul_overflow(elements, std::int64_t{element_bytes}, &bytes)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(bytes);
}

struct ElementType {
  int bytes = 0;
  bool big_endian = false;
};

// "<f4", ">f8", "=f2": what we take; everything else has no exact or no sensible place in a cache.
ElementType parse_descr(const std::string& descr, const std::filesystem::path& file) {
  const bool known = descr.size() == 3 && std::strchr("<>=|", descr[0]) != nullptr &&
                     descr[1] == 'f' && std::strchr("248", descr[2]) != nullptr;
  if (!known || descr[0] == '\0' || descr[2] == '\0') {
    dist::fail_input({file.string(), "the npy element type is not one of ours",
                      "float16, float32 or float64 (f2, f4, f8)",
                      fmt::format("dtype '{}'", printable(descr)),
                      "Convert it with numpy: array.astype('float32')."});
  }
  return {descr[2] - '0', descr[0] == '>'};
}

}  // namespace

VectorFile VectorFile::open(const std::filesystem::path& file, std::int64_t rows_hint,
                            std::optional<std::int64_t> dim_hint) {
  VectorFile opened;
  opened.path_ = file;
  opened.map_ = dist::MappedFile(file);
  if (opened.map_.bytes().empty()) {
    dist::fail_input({file.string(), "the file is empty", "embeddings", "0 bytes", ""});
  }
  if (has_npy_magic(opened.map_.bytes())) {
    opened.take_npy_header(dim_hint);
  } else {
    opened.take_raw_shape(rows_hint, dim_hint);
  }
  return opened;
}

void VectorFile::take_npy_header(std::optional<std::int64_t> dim_hint) {
  const NpyHeader header = parse_npy_header(map_.bytes(), path_);
  const ElementType element = parse_descr(header.descr, path_);
  kind_ = VectorFileKind::npy;
  element_bytes_ = element.bytes;
  big_endian_ = element.big_endian;
  type_ = element_bytes_ == 2 ? VectorType::f16 : VectorType::f32;
  fortran_order_ = header.fortran_order;
  version_ = fmt::format("{}.0", header.major);
  data_offset_ = header.data_offset;
  if (header.shape.size() != 2) {
    dist::fail_input({path_.string(),
                      fmt::format("the array has {} dimension{}", header.shape.size(),
                                  header.shape.size() == 1 ? "" : "s"),
                      "2: rows and columns", "shape " + dimensions(header.shape), ""});
  }
  rows_ = header.shape[0];
  dim_ = header.shape[1];
  if (rows_ == 0 || dim_ == 0) {
    dist::fail_input({path_.string(), rows_ == 0 ? "there are no rows" : "the rows are empty",
                      "at least one row and one column", "shape " + dimensions(header.shape), ""});
  }
  const auto bytes = data_bytes(rows_, dim_, element_bytes_);
  const std::uint64_t found = map_.bytes().size() - data_offset_;
  if (bytes != found) {
    const bool shorter = !bytes || found < *bytes;
    dist::fail_input({path_.string(),
                      shorter ? "the file is cut short" : "there are bytes after the array",
                      fmt::format("{} bytes of data for shape {} of '{}'",
                                  bytes ? std::to_string(*bytes) : "more than 2^63",
                                  dimensions(header.shape), printable(header.descr)),
                      fmt::format("{}", found), "Copy or extract the file again."});
  }
  if (dim_hint && *dim_hint != dim_) {
    dist::fail_input({path_.string(), "the array has another width than the metadata says",
                      fmt::format("{} columns", *dim_hint), fmt::format("{}", dim_), ""});
  }
}

void VectorFile::take_raw_shape(std::int64_t rows_hint, std::optional<std::int64_t> dim_hint) {
  kind_ = VectorFileKind::raw_float32;
  const std::uint64_t found = map_.bytes().size();
  rows_ = rows_hint;
  if (rows_ <= 0) {
    dist::fail_input({path_.string(), "there are no rows",
                      "at least one id beside a raw memory map", fmt::format("{} rows", rows_),
                      ""});
  }
  // Without metadata the number of ids alone gives the width, if it divides the file evenly.
  const auto row_bytes = data_bytes(rows_, 1, 4);
  const bool even = row_bytes && found % *row_bytes == 0;
  dim_ = dim_hint ? *dim_hint : even ? static_cast<std::int64_t>(found / *row_bytes) : 0;
  if (dim_ > 0 && data_bytes(rows_, dim_, 4) == found) return;
  const std::string width = dim_hint ? fmt::format("{}", *dim_hint) : "a whole number";
  const auto bytes = dim_hint && *dim_hint > 0 ? data_bytes(rows_, *dim_hint, 4) : std::nullopt;
  dist::fail_input({path_.string(),
                    "the file has no npy header and its size does not fit the number of ids",
                    fmt::format("{} rows x {} x 4 bytes{}", rows_, width,
                                bytes ? fmt::format(" = {} bytes", *bytes) : ""),
                    fmt::format("{} bytes", found),
                    fmt::format("If {} then ids, metadata or the file are incomplete.", kRawHint)});
}

std::string VectorFile::description() const {
  if (kind_ == VectorFileKind::raw_float32) return "raw float32 memory map (no npy header)";
  return fmt::format("npy v{}, {}float{}, {} order{}", version_, big_endian_ ? "big-endian " : "",
                     element_bytes_ * 8, fortran_order_ ? "Fortran" : "C",
                     element_bytes_ == 8 ? ", rounded to float32" : "");
}

namespace {

// One element at `from` as an unsigned integer of its own byte order.
template <class U>
U load(const std::byte* from, bool swap) {
  U bits = 0;
  std::memcpy(&bits, from, sizeof bits);
  if (!swap) return bits;
  if constexpr (sizeof(U) == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof(U) == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof(U) == 8) return __builtin_bswap64(bits);
}

}  // namespace

void VectorFile::append_row(std::int64_t row, std::vector<std::byte>& out,
                            std::string_view id) const {
  PUMA_EXPECT(0 <= row && row < rows_);
  const std::byte* const data = map_.bytes().data() + data_offset_;
  const std::int64_t first = fortran_order_ ? row : row * dim_;
  const std::int64_t stride = fortran_order_ ? rows_ : 1;
  const std::size_t width = vector_element_bytes(type_);
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(dim_) * width);
  std::byte* to = out.data() + start;
  for (std::int64_t column = 0; column < dim_; ++column, to += width) {
    const std::byte* const from = data + (first + column * stride) * element_bytes_;
    double value = 0;
    bool finite = false;
    if (element_bytes_ == 2) {
      const auto bits = load<std::uint16_t>(from, big_endian_);
      std::memcpy(to, &bits, 2);
      value = half_to_float(bits);
      finite = std::isfinite(value);
    } else {
      value = element_bytes_ == 4 ? std::bit_cast<float>(load<std::uint32_t>(from, big_endian_))
                                  : std::bit_cast<double>(load<std::uint64_t>(from, big_endian_));
      // A float64 beyond float32's range would become infinite: as bad as an infinite one. The
      // bound is where rounding starts to give infinity.
      finite = std::fabs(value) < 0x1.ffffffp127;
      const float single = finite ? static_cast<float>(value) : 0;
      std::memcpy(to, &single, 4);
    }
    if (finite) continue;
    dist::fail_input({path_.string(), fmt::format("row {} is not finite", row),
                      "finite float32 numbers in every row",
                      fmt::format("{} in column {} of row {}{}", value, column, row,
                                  id.empty() ? "" : fmt::format(" (id '{}')", printable(id))),
                      "Extract this embedding again."});
  }
}

}  // namespace puma::data
