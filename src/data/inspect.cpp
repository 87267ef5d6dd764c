// SPDX-License-Identifier: Apache-2.0
#include "data/inspect.hpp"

#include <fmt/format.h>

#include <string_view>

#include "data/inspect_kinds.hpp"
#include "data/npy_header.hpp"
#include "data/safetensors.hpp"
#include "dist/error.hpp"
#include "dist/hdf5.hpp"
#include "dist/mapped_file.hpp"

namespace puma::data {
namespace {

// The first byte that is no white space and no byte order mark; 0 when there is none.
char first_character(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : text[at];
}

nlohmann::json inspect_by_look(const std::filesystem::path& file) {
  if (dist::is_hdf5(file)) return detail::inspect_hdf5(file);
  if (file.extension() == ".safetensors" || looks_like_safetensors(file)) {
    return detail::inspect_checkpoint(file);
  }
  const dist::MappedFile map(file);
  if (file.extension() == ".npy" || has_npy_magic(map.bytes())) {
    return detail::inspect_vectors(file);
  }
  if (map.bytes().empty()) detail::fail_unknown_kind(file, "an empty file");
  const char first = first_character(map.bytes());
  if (first == '{' || first == '[') return detail::inspect_json(file);
  return detail::inspect_text(file);
}

}  // namespace

namespace detail {

void fail_unknown_kind(const std::filesystem::path& file, const std::string& found) {
  dist::fail_input({file.string(), "the kind of this file is not known",
                    "a dense cache, code cache or run (HDF5), checkpoint (safetensors), npy or raw "
                    "float32 vectors, id list, qrels, negatives, TREC run, measures, manifest, "
                    "table, progress, history or study",
                    found, "Is the file whole, and does its name have its right ending?"});
}

}  // namespace detail

nlohmann::json inspect_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    const bool there = std::filesystem::exists(file, error);
    dist::fail_input({file.string(), there ? "this is no file" : "there is no such file", "a file",
                      there ? "a folder or a device" : "nothing", ""});
  }
  nlohmann::json facts = inspect_by_look(file);
  facts["bytes"] = std::filesystem::file_size(file);
  return facts;
}

}  // namespace puma::data
