// SPDX-License-Identifier: Apache-2.0
// Everything a killed training needs to go on bit-equal: weights, moments, idle counters, where it
// stood, and the best score so far. The sampler needs nothing: its batches are functions of the
// step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "data/safetensors.hpp"
#include "model/autoencoder.hpp"
#include "model/checkpoint.hpp"
#include "model/stage.hpp"

namespace puma::model::detail {

struct TrainingPosition {
  CheckpointInfo here;  // recipe, k, seed, data; stage and number of steps done in it (in `step`)
  CheckpointInfo best;  // of best.safetensors beside it; ndcg10 < 0: there is none
};

// Written whole or not at all.
void save_training(const std::filesystem::path& file, const TrainingPosition& position,
                   Autoencoder& model, Stage& stage);

// An opened resume state: the weights first, the moments once their stage was made.
class SavedTraining {
 public:
  // Nothing when there is no file, or it belongs to another training or is damaged (said in a
  // warning): the training then starts anew.
  static std::optional<SavedTraining> open(const std::filesystem::path& file,
                                           const CheckpointInfo& expected);
  const TrainingPosition& position() const { return position_; }
  Autoencoder model(bool centre, at::Device device) const;
  void restore(Stage& stage) const;

 private:
  explicit SavedTraining(data::SafetensorsFile file) : file_(std::move(file)) {}
  data::SafetensorsFile file_;
  TrainingPosition position_;
};

// What the checkpoint of this very training says of itself, when it was published already: the job
// was killed between that and its manifest, and must not train it all again. Else nothing.
std::optional<CheckpointInfo> published_checkpoint(const std::filesystem::path& file,
                                                   const CheckpointInfo& expected);

// The weights as a checkpoint file.
void save_weights(const std::filesystem::path& file, const CheckpointInfo& info,
                  Autoencoder& model);

}  // namespace puma::model::detail
