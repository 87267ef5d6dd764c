// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "data/embedding_metadata.hpp"
#include "data/inspect_kinds.hpp"
#include "data/npy_header.hpp"
#include "data/safetensors.hpp"
#include "data/vector_file.hpp"
#include "dist/mapped_file.hpp"

namespace puma::data::detail {
namespace {

// "query_embeddings.npy" has its ids in "query_ids.json", "task0_queries.npy" in
// "task0_queries_ids.json".
std::filesystem::path ids_beside(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  std::string short_stem = stem;
  constexpr std::string_view tail = "_embeddings";
  if (short_stem.ends_with(tail)) short_stem.resize(short_stem.size() - tail.size());
  for (const std::string& name : {stem, short_stem}) {
    const auto ids = file.parent_path() / (name + "_ids.json");
    std::error_code ignored;
    if (std::filesystem::is_regular_file(ids, ignored)) return ids;
  }
  return {};
}

}  // namespace

nlohmann::json inspect_checkpoint(const std::filesystem::path& file) {
  const SafetensorsFile opened(file);
  nlohmann::json tensors = nlohmann::json::object();
  for (const auto& [name, view] : opened.tensors()) {
    tensors[name] = {{"dtype", view.dtype}, {"shape", view.shape}};
  }
  return {{"kind", "checkpoint"}, {"metadata", opened.metadata()}, {"tensors", tensors}};
}

nlohmann::json inspect_vectors(const std::filesystem::path& file) {
  const bool real_npy = has_npy_magic(dist::MappedFile(file).bytes());
  const auto ids = ids_beside(file);
  nlohmann::json facts{{"kind", real_npy ? "npy" : "raw float32"}};
  std::int64_t rows = 0;
  if (!real_npy) {
    if (ids.empty()) {
      facts["description"] = "raw float32 memory map (no npy header)";
      facts["shape"] = "unknown: there is no list of ids beside the file";
      return facts;
    }
    rows = static_cast<std::int64_t>(read_id_list(ids).size());
    facts["ids"] = ids.string();
  }
  const VectorFile opened = VectorFile::open(file, rows, std::nullopt);
  std::vector<std::byte> row;
  for (std::int64_t i = 0; i < opened.rows(); ++i) {  // refuses numbers that are not finite
    row.clear();
    opened.append_row(i, row);
  }
  facts["description"] = opened.description();
  facts["rows"] = opened.rows();
  facts["dim"] = opened.dim();
  return facts;
}

}  // namespace puma::data::detail
