// SPDX-License-Identifier: Apache-2.0
// Training a TopK sparse autoencoder (paper 3.2 to 3.5) by LibTorch autograd and AdamW: the plain
// trainer, kept for good as the oracle of every faster one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/recipe.hpp"
#include "dist/device.hpp"
#include "model/validator.hpp"

namespace puma::model {

// Everything a training reads, in memory: float32 rows.
struct TrainingData {
  std::int64_t dim = 0;
  std::vector<float> queries;     // [n, dim]: training queries that have a positive
  std::vector<float> candidates;  // [m, dim]: the pool
  std::vector<std::vector<std::int32_t>> positives;  // per query: candidate rows, not empty
  std::vector<std::vector<std::int32_t>>
      hard_negatives;  // per query: candidate rows, may be empty; or no entries at all
  std::vector<float>
      validation_queries;  // [v, dim]; empty: checkpoints are not selected, the last one is kept
  std::string checksum;    // of the inputs; stored in checkpoints and checked on resume
};

struct TrainingOptions {
  config::Recipe recipe;
  std::int64_t k = 0;  // the target support
  std::uint64_t seed = 0;
  dist::Device device;
  std::filesystem::path
      folder;  // checkpoint.safetensors, resume.safetensors, progress.json, history.jsonl
  double save_every_s = 60;  // resume state, so that a kill costs at most this
  std::string description;   // metadata: the cell, for people
};

enum class TrainingEnd { finished, stopped };  // stopped: a stop signal; the resume state is saved

struct TrainingResult {
  TrainingEnd end = TrainingEnd::finished;
  double best_ndcg10 = -1;
  std::string selected;  // "stage 3 step 299"
  std::int64_t steps = 0;
  double seconds = 0;  // this attempt's
};

// Trains to the end, resuming bit-equal from `folder` when a resume state of the same id is there.
// Throws (task_failed) on the first non-finite loss or norm, naming stage, step and term. Checks
// planned bytes against the device's memory first.
TrainingResult train(const TrainingData& data, const TrainingOptions& options,
                     Validator* validator);

}  // namespace puma::model
