// SPDX-License-Identifier: Apache-2.0
// What a training needs to hold at once, so that it is refused before it starts rather than killed
// after an hour.
#pragma once

#include <cstdint>

#include "config/recipe.hpp"
#include "dist/device.hpp"

namespace puma::model {

struct TrainingSize {
  std::int64_t dim = 0, dictionary = 0;
  std::int64_t rows = 0;  // of all caches
};

// Caches, weights, gradients, two moments, and the activations of one step's batch.
double planned_bytes(const config::Recipe& recipe, const TrainingSize& size);

// Throws (task_failed) with both numbers when it cannot fit the device (on the CPU: this machine's
// memory).
void check_planned_bytes(const config::Recipe& recipe, const TrainingSize& size,
                         const dist::Device& device);

}  // namespace puma::model
