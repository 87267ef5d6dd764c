// SPDX-License-Identifier: Apache-2.0
// One stage of training: which parameters move, their AdamW state, and the step: losses, backward,
// clip, AdamW, renorm.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/recipe.hpp"
#include "model/autoencoder.hpp"
#include "model/losses.hpp"

namespace puma::model::detail {

struct StepPlan {
  std::int64_t k = 0;
  double learning_rate = 0;
  bool measure_aux =
      false;  // also the norm of AuxK's own gradient: a backward pass more, the same step
};

struct TermValue {
  std::string name;
  double value = 0;  // without the weight
  double weight = 0;
};

struct StepReport {
  std::vector<TermValue> terms;
  double loss = 0;           // sum of weight * value
  double gradient_norm = 0;  // before clipping
  double aux_norm = -1;      // where it was measured
  std::array<std::int64_t, 2> dead{};
};

// AdamW's state of one parameter.
struct Moments {
  std::string name;       // "W_enc"
  at::Tensor* parameter;  // borrowed from the model
  at::Tensor first, second;
};

class Stage {
 public:
  // Borrows the model, whose tensors must stay in place. `number` is 2 or 3; a stage starts with
  // fresh moments.
  Stage(Autoencoder& model, const config::Recipe& recipe, int number);

  // Throws (task_failed) when a term, the norm or the loss is not finite, and leaves the weights as
  // they were.
  StepReport step(const Batch& batch, const StepPlan& plan);

  std::int64_t steps_done() const { return steps_done_; }
  void set_steps_done(std::int64_t steps) { steps_done_ = steps; }
  std::vector<Moments>& moments() { return moments_; }

 private:
  double gradient_norm() const;
  void clear_gradients();
  void update(double learning_rate);

  Autoencoder& model_;
  const config::Recipe recipe_;
  int number_;
  std::int64_t steps_done_ = 0;
  std::vector<Moments> moments_;
};

}  // namespace puma::model::detail
