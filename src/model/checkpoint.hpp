// SPDX-License-Identifier: Apache-2.0
// A trained autoencoder as a file: safetensors W_enc [D,d], W_dec [D,d], b_enc [D], b_dec [d] in
// float32, and what they are as metadata. No times, no paths: equal trainings are equal bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "config/recipe.hpp"

namespace puma::model {

struct CheckpointInfo {
  config::Recipe recipe;
  std::int64_t k = 0;
  std::uint64_t seed = 0;
  int stage = 0;              // 0: the initial weights
  std::int64_t step = -1;     // 0-based, of the update after which these weights stood
  double ndcg10 = -1;         // on the validation queries; -1: not evaluated
  std::string data_checksum;  // of everything that was trained on
  std::string description;    // for people

  std::string selected() const;  // "stage 3 step 299"
};

// Borrowed.
struct WeightSpans {
  std::int64_t dim = 0, dictionary = 0;
  std::span<const float> W_enc, W_dec, b_enc, b_dec;
};

void write_checkpoint(const std::filesystem::path& file, const CheckpointInfo& info,
                      const WeightSpans& weights);

struct Checkpoint {
  CheckpointInfo info;
  std::int64_t dim = 0, dictionary = 0;
  std::vector<float> W_enc, W_dec, b_enc, b_dec;
};

// Untrusted: missing names, other shapes or types, weights that are not finite and damaged metadata
// are input errors.
Checkpoint read_checkpoint(const std::filesystem::path& file);

// The metadata alone, as texts, and back; the resume state carries the same.
std::map<std::string, std::string> checkpoint_metadata(const CheckpointInfo& info);
CheckpointInfo checkpoint_info(const std::map<std::string, std::string>& metadata,
                               const std::filesystem::path& file);

}  // namespace puma::model
