// SPDX-License-Identifier: Apache-2.0
#include "data/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "data/safetensors_dtype.hpp"
#include "data/safetensors_header.hpp"
#include "data/text_lines.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"

namespace puma::data {
namespace {

constexpr std::uint64_t largest_header = 100'000'000;  // the limit of the format's own library
constexpr std::uint64_t prefix_bytes = 8;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& problem,
                         const std::string& expected, const std::string& found) {
  dist::fail_input({file.string(), problem, expected, found,
                    "The file is damaged or cut short: copy it again."});
}

std::string_view header_text(std::span<const std::byte> bytes, const std::filesystem::path& file) {
  if (bytes.size() < prefix_bytes) {
    refuse(file, "the file is cut short", "8 bytes with the header's length",
           fmt::format("{} bytes", bytes.size()));
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  const std::uint64_t most = std::min<std::uint64_t>(bytes.size() - prefix_bytes, largest_header);
  if (length < 2 || length > most) {
    refuse(file, "the header's length is wrong",
           fmt::format("2 to {} bytes (the file has {})", most, bytes.size()),
           std::to_string(length));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + prefix_bytes,
                              static_cast<std::size_t>(length));
  if (text.front() != '{') {
    refuse(file, "the header does not begin with '{'", "a safetensors header",
           fmt::format("'{}'", printable(text.substr(0, 8))));
  }
  return text;
}

// Bytes of a tensor, or nothing when the product does not fit 63 bits.
std::optional<std::uint64_t> tensor_bytes(const std::vector<std::uint64_t>& shape, int element) {
  // A zero anywhere makes the tensor empty, however large the other numbers are.
  std::uint64_t size = static_cast<std::uint64_t>(element);
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (const std::uint64_t dim : shape) {
    if (dim > most) return std::nullopt;
    if (dim == 0) return 0;
  }
  for (const std::uint64_t dim : shape) {
    if (size > most / dim) return std::nullopt;
    size *= dim;
  }
  return size;
}

TensorView view_of(const std::string& name, const SafetensorsEntry& entry,
                   std::span<const std::byte> data, const std::filesystem::path& file) {
  const int element = safetensors_element_bytes(*entry.dtype);
  if (element == 0) {
    refuse(file, fmt::format("tensor '{}' has an unknown dtype", printable(name)),
           "F64, F32, F16, BF16, I64, I32, U8, BOOL, ...",
           fmt::format("'{}'", printable(*entry.dtype)));
  }
  const auto size = tensor_bytes(*entry.shape, element);
  const std::uint64_t begin = (*entry.offsets)[0], end = (*entry.offsets)[1];
  if (begin > end || end > data.size()) {
    refuse(file, fmt::format("tensor '{}' lies outside the file", printable(name)),
           fmt::format("data_offsets within [0, {}]", data.size()),
           fmt::format("[{}, {}]", begin, end));
  }
  if (!size || *size != end - begin) {
    refuse(file, fmt::format("tensor '{}' does not fill its bytes", printable(name)),
           size ? fmt::format("{} bytes by its shape", *size) : "a shape of less than 2^63 bytes",
           fmt::format("{} bytes by its data_offsets", end - begin));
  }
  return {*entry.dtype,
          {entry.shape->begin(), entry.shape->end()},
          data.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))};
}

// The tensors must tile the data: an overlap would let one tensor change another, a hole could hide
// content.
void check_tiling(const SafetensorsHeader& header, std::uint64_t data_bytes,
                  const std::filesystem::path& file) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::string_view>> ranges;
  for (const auto& [name, entry] : header.tensors) {
    ranges.emplace_back((*entry.offsets)[0], (*entry.offsets)[1], name);
  }
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t covered = 0;
  for (const auto& [begin, end, name] : ranges) {
    if (begin != covered) {
      refuse(file,
             fmt::format("tensor '{}' {}", printable(name),
                         begin < covered ? "overlaps the one before" : "leaves a hole before it"),
             fmt::format("data_offsets from {}", covered), std::to_string(begin));
    }
    covered = end;
  }
  if (covered != data_bytes) {
    refuse(file, "bytes follow the last tensor", fmt::format("{} bytes of data", covered),
           std::to_string(data_bytes));
  }
}

}  // namespace

std::int64_t TensorView::elements() const {
  std::int64_t n = 1;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (const std::int64_t dim : shape) n *= dim;
  return n;
}

int safetensors_element_bytes(std::string_view dtype) {
  if (dtype == "F64" || dtype == "I64" || dtype == "U64" || dtype == "C64") return 8;
  if (dtype == "F32" || dtype == "I32" || dtype == "U32") return 4;
  if (dtype == "F16" || dtype == "BF16" || dtype == "I16" || dtype == "U16") return 2;
  for (const std::string_view one : {"U8", "I8", "BOOL", "F8_E5M2", "F8_E4M3", "F8_E8M0"}) {
    if (dtype == one) return 1;
  }
  return 0;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& file) : path_(file), map_(file) {
  const std::string_view text = header_text(map_.bytes(), path_);
  SafetensorsHeader header = parse_safetensors_header(text, path_);
  const auto data = map_.bytes().subspan(prefix_bytes + text.size());
  for (const auto& [name, entry] : header.tensors) {
    tensors_.emplace(name, view_of(name, entry, data, path_));
  }
  check_tiling(header, data.size(), path_);
  metadata_ = std::move(header.metadata);
}

const TensorView& SafetensorsFile::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    std::string names;
    for (const auto& [other, view] : tensors_)
      names += (names.empty() ? "" : ", ") + printable(other);
    dist::fail_input({path_.string(), fmt::format("there is no tensor '{}'", name),
                      fmt::format("a tensor '{}'", name),
                      names.empty() ? "no tensors" : "tensors " + names,
                      "Is this a checkpoint of this program?"});
  }
  return found->second;
}

bool looks_like_safetensors(const std::filesystem::path& file) {
  const dist::MappedFile map(file);
  const auto bytes = map.bytes();
  if (bytes.size() <= prefix_bytes) return false;
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  return length >= 2 && length <= largest_header && bytes[prefix_bytes] == std::byte{'{'};
}

}  // namespace puma::data
