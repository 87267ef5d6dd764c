// SPDX-License-Identifier: Apache-2.0
#include "data/h5_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dist/error.hpp"

namespace puma::data {
namespace {

using dist::H5Shape;
using dist::H5Type;

std::string_view type_name(H5Type type) {
  switch (type) {
    case H5Type::u8:
      return "uint8";
    case H5Type::u16:
      return "uint16";
    case H5Type::u32:
      return "uint32";
    case H5Type::u64:
      return "uint64";
    case H5Type::i64:
      return "int64";
    case H5Type::f32:
      return "float32";
    case H5Type::f64:
      return "float64";
    case H5Type::text:
      return "fixed-length text";
  }
  return "an unknown type";
}

std::string describe(H5Type type, const std::vector<std::int64_t>& dims) {
  return fmt::format("{} of shape [{}]", type_name(type), fmt::join(dims, ", "));
}

}  // namespace

void write_texts(dist::H5Writer& writer, const std::string& name,
                 const std::vector<std::string>& texts, dist::RowRange mine) {
  PUMA_EXPECT(!texts.empty());
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::vector<std::byte> bytes(static_cast<std::size_t>(mine.size()) * width);
  for (std::int64_t row = mine.begin; row < mine.end; ++row) {
    const std::string& text = texts[static_cast<std::size_t>(row)];
    if (text.empty()) continue;
    std::memcpy(bytes.data() + static_cast<std::size_t>(row - mine.begin) * width, text.data(),
                text.size());
  }
  writer.dataset(
      name,
      {H5Type::text, static_cast<std::int64_t>(width), {static_cast<std::int64_t>(texts.size())}},
      mine, bytes);
}

void check_column(const dist::H5Reader& reader, const std::string& name, H5Type type,
                  const std::vector<std::int64_t>& dims) {
  const H5Shape shape = reader.shape(name);
  if (shape.type != type || shape.dims != dims) {
    dist::fail_input({reader.file().string(), fmt::format("data set '{}' has another shape", name),
                      describe(type, dims), describe(shape.type, shape.dims),
                      "Was the file damaged, or written by another version?"});
  }
  reader.offset(name);  // refuses bytes outside the file
}

std::int64_t text_rows(const dist::H5Reader& reader, const std::string& name) {
  const H5Shape shape = reader.shape(name);
  if (shape.type != H5Type::text || shape.dims.size() != 1 || shape.text_bytes < 1) {
    dist::fail_input({reader.file().string(), fmt::format("data set '{}' has another shape", name),
                      "fixed-length text of one dimension", describe(shape.type, shape.dims),
                      "Was the file damaged, or written by another version?"});
  }
  return shape.dims[0];
}

std::vector<std::string> read_texts(const dist::H5Reader& reader, const std::string& name,
                                    std::int64_t rows) {
  check_column(reader, name, H5Type::text, {rows});
  const auto width = static_cast<std::size_t>(reader.shape(name).text_bytes);
  const std::vector<std::byte> bytes = reader.read(name, {0, rows});
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(rows));
  for (std::int64_t row = 0; row < rows; ++row) {
    const char* begin =
        reinterpret_cast<const char*>(bytes.data()) + static_cast<std::size_t>(row) * width;
    texts.emplace_back(begin, strnlen(begin, width));
  }
  return texts;
}

void check_text_attribute(const dist::H5Reader& reader, const std::string& name,
                          const std::string& expected) {
  const std::string found = reader.text_attribute(name);
  if (found != expected) {
    dist::fail_input({reader.file().string(), fmt::format("attribute '{}' differs", name),
                      fmt::format("'{}'", expected), fmt::format("'{}'", found),
                      "`puma inspect FILE` tells what the file is."});
  }
}

void check_int_attribute(const dist::H5Reader& reader, const std::string& name,
                         std::int64_t expected) {
  const std::int64_t found = reader.int_attribute(name);
  if (found != expected) {
    dist::fail_input({reader.file().string(), fmt::format("attribute '{}' differs", name),
                      std::to_string(expected), std::to_string(found),
                      "The file was written by another version of puma, or is damaged."});
  }
}

}  // namespace puma::data
