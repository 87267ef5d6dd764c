// SPDX-License-Identifier: Apache-2.0
// A small training whose rows are random functions of a seed, for the tests of the trainer.
#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "dist/files.hpp"
#include "dist/philox.hpp"
#include "model/trainer.hpp"

namespace puma::model {

// n rows of norm 1.
inline std::vector<float> random_rows(std::int64_t n, std::int64_t dim, std::uint32_t trial) {
  std::vector<float> rows(static_cast<std::size_t>(n * dim));
  for (std::int64_t i = 0; i < n; ++i) {
    double norm = 0;
    for (std::int64_t j = 0; j < dim; ++j) {
      const auto at = static_cast<std::size_t>(i * dim + j);
      rows[at] = dist::random_unit(5, dist::RandomPurpose::test_data, trial, at) - 0.4f;
      norm += static_cast<double>(rows[at]) * rows[at];
    }
    for (std::int64_t j = 0; j < dim; ++j) {
      rows[static_cast<std::size_t>(i * dim + j)] /= static_cast<float>(std::sqrt(norm));
    }
  }
  return rows;
}

// Query i's positives are candidates i and (odd queries) i + 1.
inline TrainingData toy_data(std::int64_t queries = 21, std::int64_t candidates = 40,
                             std::int64_t validation = 5) {
  TrainingData data;
  data.dim = 12;
  data.queries = random_rows(queries, data.dim, 0);
  data.candidates = random_rows(candidates, data.dim, 1);
  if (validation > 0) data.validation_queries = random_rows(validation, data.dim, 2);
  for (std::int32_t i = 0; i < queries; ++i) {
    data.positives.push_back({i});
    if (i % 2 == 1 && i + 1 < candidates) data.positives.back().push_back(i + 1);
  }
  data.checksum = "toy";
  return data;
}

inline config::Recipe toy_recipe() {
  config::Recipe r = config::recipe_preset("paper");
  r.expansion = 4;
  r.stage2_steps = 24;
  r.stage3_steps = 16;
  r.stage2_warmup = r.stage3_warmup = 2;
  r.dead_after = 4;
  r.aux_k = 8;
  r.batch = 8;
  r.k_init = 12;
  r.stage2_lr = r.stage3_lr = 0.01;
  return r;
}

inline TrainingOptions toy_options(const std::string& name,
                                   const config::Recipe& recipe = toy_recipe()) {
  TrainingOptions options;
  options.recipe = recipe;
  options.k = 4;
  options.seed = 3;
  options.folder =
      std::filesystem::path(testing::TempDir()) / ("puma-" + std::to_string(getpid()) + "-" + name);
  std::filesystem::remove_all(options.folder);
  return options;
}

// Scores that rise and fall, so that neither the first nor the last evaluation is the best.
class ScriptedValidator : public Validator {
 public:
  explicit ScriptedValidator(std::vector<double> scores) : scores_(std::move(scores)) {}
  double ndcg10(const data::CodeMatrix& queries, const data::CodeMatrix& candidates) override {
    query_rows = queries.rows;
    candidate_rows = candidates.rows;
    return scores_.at(calls++);
  }
  std::size_t calls = 0;
  std::int64_t query_rows = 0, candidate_rows = 0;

 private:
  std::vector<double> scores_;
};

// A score that is a function of the codes: what a resumed training sees again.
class CodeValidator : public Validator {
 public:
  double ndcg10(const data::CodeMatrix& queries, const data::CodeMatrix&) override {
    double sum = 0;
    for (const float v : queries.values) sum += v;
    return std::fmod(sum * 1000, 1.0);
  }
};

inline std::string checkpoint_bytes(const TrainingOptions& options) {
  return dist::read_file(options.folder / "checkpoint.safetensors");
}

// Trains in a folder of its own and returns the checkpoint's bytes.
inline std::string trained(const std::string& name, const config::Recipe& recipe,
                           const TrainingData& data = toy_data(21, 40, 0)) {
  const TrainingOptions options = toy_options(name, recipe);
  train(data, options, nullptr);
  const std::string bytes = checkpoint_bytes(options);
  std::filesystem::remove_all(options.folder);
  return bytes;
}

}  // namespace puma::model
