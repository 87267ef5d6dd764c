// SPDX-License-Identifier: Apache-2.0
// Scoring from files to a run: caches are opened and held against each other, every rank searches
// its shard of the candidates, the root gets the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/run_file.hpp"
#include "dist/context.hpp"
#include "eval/search.hpp"

namespace puma::eval {

enum class Representation { dense, sparse };
// What a cache holds, by its schema; anything else is an input error.
Representation representation_of(const std::filesystem::path& cache);

// Ids of a dense or code cache of candidates, in row order.
std::vector<std::string> read_pool_ids(const std::filesystem::path& candidates);

struct ScoreRequest {
  std::filesystem::path queries, candidates;
  std::string representation = "auto";  // dense, sparse, or auto: by the files
  std::int64_t k = 0;         // sparse: entries a row that count; 0 = as many as the files hold
  std::int64_t depth = 100;   // candidates listed a query, at most
  std::string rule = "auto";  // all, positive, or auto: positive for codes without signs
  std::string name;           // run tag; empty: "dense" or "<method>-k16"
};

// Collective. The run is complete on the root and empty elsewhere; bad input throws on all ranks
// alike.
data::Run score_files(const dist::Context& context, const ScoreRequest& request);

}  // namespace puma::eval
