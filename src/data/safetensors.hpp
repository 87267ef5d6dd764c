// SPDX-License-Identifier: Apache-2.0
// The safetensors container (8-byte header length, JSON header, raw little-endian tensors),
// untrusted on reading. Used for checkpoints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dist/mapped_file.hpp"

namespace puma::data {

struct TensorView {
  std::string dtype;                // "F32", "F64", "I64", "U8", "BF16", ...
  std::vector<std::int64_t> shape;  // row-major
  std::span<const std::byte> bytes;
  std::int64_t elements() const;
};

// Opened and mapped; views live as long as this. A header length beyond the file, bad JSON, unknown
// dtypes, overlapping or missing byte ranges, negative or overflowing shapes and sizes that do not
// fit are input errors. Nothing is allocated on the word of the header.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& file);
  const std::map<std::string, TensorView>& tensors() const { return tensors_; }
  const TensorView& tensor(const std::string& name) const;  // input error that lists what there is
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::filesystem::path& file() const { return path_; }

 private:
  std::filesystem::path path_;
  dist::MappedFile map_;
  std::map<std::string, TensorView> tensors_;
  std::map<std::string, std::string> metadata_;
};

// The header lists tensors in name order, metadata keys sorted; the bytes lie by element size
// descending, then name, so that each tensor is aligned to its element without holes (which the
// format forbids). Equal content is equal bytes. Atomic.
void write_safetensors(const std::filesystem::path& file,
                       const std::map<std::string, TensorView>& tensors,
                       const std::map<std::string, std::string>& metadata);

// True when the first 8 bytes are a plausible header length and a '{' follows.
bool looks_like_safetensors(const std::filesystem::path& file);

}  // namespace puma::data
