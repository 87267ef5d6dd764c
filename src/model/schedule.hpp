// SPDX-License-Identifier: Apache-2.0
// Learning rate and support size as functions of the step. No state; exact order of operations
// matters (rounding meets exact halves).
#pragma once

#include <cstdint>

#include "config/recipe.hpp"

namespace puma::model {

// max(k, min(max(256, 2k), D / 4)), or recipe.k_init where given.
std::int64_t initial_k(const config::Recipe& recipe, std::int64_t dictionary, std::int64_t k);

// k of 0-based Stage 2 step `step`: linear (paper 3.4) or cosine (released), rounded half to even,
// never below k.
std::int64_t annealed_k(const config::Recipe& recipe, std::int64_t step, std::int64_t k_init,
                        std::int64_t k);

// Linear warm-up from 0, then half a cosine to 0; step counts from 0, so the first update has rate
// 0.
double learning_rate(std::int64_t step, std::int64_t total, std::int64_t warmup, double base);

}  // namespace puma::model
