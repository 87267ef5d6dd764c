// SPDX-License-Identifier: Apache-2.0
// Importing: embeddings as others cached them, with their ids, judgements and negatives, become a
// dense cache in our formats.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/dense_cache.hpp"
#include "dist/comm.hpp"

namespace puma::data {

// One role of one split as files; empty paths are not given.
struct ImportRequest {
  CacheRole role = CacheRole::queries;
  std::string backbone;                         // empty: model_name of the metadata
  std::filesystem::path vectors, ids;           // .npy of either kind; a JSON list
  std::vector<std::filesystem::path> metadata;  // JSON objects with embedding_dim and counts
  std::filesystem::path qrels;                  // queries only
  std::filesystem::path negatives;              // queries only: TSV, or M-BEIR query lines (.jsonl)
  std::filesystem::path out;                    // folder for vectors.h5, qrels.txt, negatives.tsv
  std::vector<std::filesystem::path>
      pools;  // folders whose subfolders may hold an equal candidate cache
};

struct ImportResult {
  std::string vectors_are;  // "npy v1.0, float16, C order"
  CacheInfo info;
  std::string content;  // DenseCache::content_checksum
  std::vector<std::filesystem::path> inputs, outputs;
  std::filesystem::path
      linked_to;  // the equal candidate cache that vectors.h5 is a hard link to, or empty
  std::int64_t judged_queries = 0, judged_pairs = 0, negative_pairs = 0;
};

// Collective. Checks every input on all ranks before anything is written; rank r reads and writes
// only its rows. Candidates are put in canonical order; vectors stay as they are (float64 is
// rounded to float32).
ImportResult import_cache(const dist::Comm& comm, const ImportRequest& request);

// What was imported, for --json and manifests; and as one line for people.
nlohmann::json import_json(const ImportResult& result);
std::string import_text(const ImportResult& result);

// The published layout: {query,doc}_embeddings.npy, {query,doc}_ids.json, {query,doc}_meta.json,
// metadata.json in one folder. Queries first; they go to out/queries and out/candidates.
std::vector<ImportRequest> published_requests(const std::filesystem::path& folder,
                                              const std::filesystem::path& out);

}  // namespace puma::data
