// SPDX-License-Identifier: Apache-2.0
// Training data from files: dense caches, judgements and hard negatives joined by id, and the
// held-out queries on which checkpoints are selected.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/recipe.hpp"
#include "data/qrels.hpp"
#include "model/trainer.hpp"

namespace puma::model {

struct TrainingFiles {
  std::filesystem::path queries, candidates, qrels;
  std::filesystem::path negatives;                             // empty: random ones only
  std::filesystem::path validation_queries, validation_qrels;  // empty: held out of the queries
};

// What selects a checkpoint: the validation queries' ids in row order, their judgements, and the
// pool.
struct ValidationData {
  std::vector<std::string> query_ids;
  data::Qrels qrels;                  // of these queries only
  std::vector<std::string> pool_ids;  // row order of the candidates
};

struct TrainingInputs {
  TrainingData data;
  ValidationData validation;
  std::int64_t without_positive = 0;   // queries left out: unjudged, or no positive in the pool
  std::int64_t unknown_negatives = 0;  // hard negatives that are not in the pool
};

// Warns about what was left out. Caches of different dimension and files without a usable query are
// input errors.
TrainingInputs read_training_inputs(const TrainingFiles& files, const config::Recipe& recipe);

// How many of n queries are held out: round(n * fraction), at least 1 and at most n - 1; 0 where
// fraction is 0. The cap comes later.
std::int64_t validation_count(std::int64_t n, double fraction);

}  // namespace puma::model
