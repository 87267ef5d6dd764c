// SPDX-License-Identifier: Apache-2.0
// What the metadata beside published embeddings says about them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/dense_cache.hpp"

namespace puma::data {

struct EmbeddingMetadata {
  std::optional<std::int64_t> dim;    // embedding_dim
  std::optional<std::int64_t> count;  // count; or num_queries, num_docs of the common file
  std::string model_name;
  std::string prompt_hash;  // of system instruction and text prefix, when they are told
};

// Reads the JSON objects one after another; a fact told twice must be the same. Keys without
// meaning for us are ignored: these files are notes of other programs.
EmbeddingMetadata read_embedding_metadata(const std::vector<std::filesystem::path>& files,
                                          CacheRole role);

}  // namespace puma::data
