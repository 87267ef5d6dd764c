// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "data/code_storage.hpp"
#include "data/codes.hpp"
#include "data/dense_cache.hpp"
#include "data/inspect_kinds.hpp"
#include "data/run_file.hpp"
#include "dist/error.hpp"
#include "dist/hdf5.hpp"

namespace puma::data::detail {
namespace {

nlohmann::json dense_facts(const std::filesystem::path& file) {
  const DenseCache cache = DenseCache::open(file);
  const CacheInfo& info = cache.info();
  // Read in pieces of some 16 MiB, only to have every checksum and every number checked.
  const std::int64_t step = 16 * checksum_block_rows(info.dim * 4);
  for (std::int64_t row = 0; row < info.rows; row += step) {
    cache.read({row, std::min(row + step, info.rows)});
  }
  return {{"kind", "dense cache"},
          {"role", to_string(info.role)},
          {"rows", info.rows},
          {"dim", info.dim},
          {"type", to_string(info.type)},
          {"normalised", info.normalised},
          {"backbone", info.backbone},
          {"weights_hash", info.weights_hash},
          {"prompt_hash", info.prompt_hash},
          {"source", info.source},
          {"content", cache.content_checksum()},
          {"first_id", cache.ids().front()},
          {"last_id", cache.ids().back()},
          {"checksums", "verified"}};
}

nlohmann::json code_facts(const std::filesystem::path& file) {
  constexpr std::int64_t step = 1 << 18;
  const std::int64_t rows = code_cache_rows(file);
  CodeCache piece = read_code_cache(file, {0, std::min(step, rows)});
  CodeStorage storage(piece.codes.dictionary, piece.codes.k_max);
  storage.add(piece.codes);
  for (std::int64_t row = step; row < rows; row += step) {
    piece = read_code_cache(file, {row, std::min(row + step, rows)});
    storage.add(piece.codes);
  }
  // Raw TopK keeps coordinates of the dense vector itself.
  const std::int64_t dim = piece.info.dim > 0                ? piece.info.dim
                           : piece.info.method == "raw_topk" ? piece.codes.dictionary
                                                             : 0;
  nlohmann::json facts{{"kind", "code cache"},
                       {"role", piece.info.role},
                       {"method", piece.info.method},
                       {"backbone", piece.info.backbone},
                       {"source", piece.info.source},
                       {"encoder", piece.info.encoder},
                       {"rows", rows},
                       {"dictionary", piece.codes.dictionary},
                       {"k_max", piece.codes.k_max},
                       {"signed", piece.codes.is_signed},
                       {"checksums", "verified"}};
  if (dim > 0) facts["dim"] = dim;
  facts.update(storage.facts(dim));
  return facts;
}

nlohmann::json run_facts(const std::filesystem::path& file) {
  const Run run = read_run(file);
  std::size_t results = 0, empty = 0;
  for (const auto& list : run.ranking) {
    results += list.size();
    empty += list.empty() ? 1 : 0;
  }
  return {{"kind", "run"},
          {"name", run.name},
          {"representation", run.representation},
          {"depth", run.depth},
          {"tie_rule", run.tie_rule},
          {"pool_size", run.pool_size},
          {"queries", run.query_ids.size()},
          {"queries_without_results", empty},
          {"documents_listed", run.document_ids.size()},
          {"results", results},
          {"checksums", "verified"}};
}

}  // namespace

nlohmann::json inspect_hdf5(const std::filesystem::path& file) {
  std::string schema;
  {
    const dist::H5Reader reader(file);
    if (reader.has_attribute("schema")) schema = reader.text_attribute("schema");
  }
  if (schema == "puma dense cache") return dense_facts(file);
  if (schema == "puma code cache") return code_facts(file);
  if (schema == "puma run") return run_facts(file);
  fail_unknown_kind(file, schema.empty() ? "an HDF5 file without a schema attribute"
                                         : fmt::format("an HDF5 file of schema '{}'", schema));
}

}  // namespace puma::data::detail
