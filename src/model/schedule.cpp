// SPDX-License-Identifier: Apache-2.0
#include "model/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace puma::model {

std::int64_t initial_k(const config::Recipe& recipe, std::int64_t dictionary, std::int64_t k) {
  const std::int64_t wanted = recipe.k_init > 0
                                  ? recipe.k_init
                                  : std::min(std::max<std::int64_t>(256, 2 * k), dictionary / 4);
  return std::min(std::max(k, wanted), dictionary);
}

std::int64_t annealed_k(const config::Recipe& recipe, std::int64_t step, std::int64_t k_init,
                        std::int64_t k) {
  if (recipe.anneal == config::Anneal::off) return k;
  const double x = std::min(static_cast<double>(step) /
                                static_cast<double>(std::max<std::int64_t>(recipe.stage2_steps, 1)),
                            1.0);
  const double first = static_cast<double>(k_init);
  const double last = static_cast<double>(k);
  // 256 to 16 in 40,000 steps meets exact halves: another order of operations, or a fused
  // multiply-add, rounds some of them to the other side.
  const double value = recipe.anneal == config::Anneal::cosine
                           ? last + (first - last) * 0.5 * (1 + std::cos(std::numbers::pi * x))
                           : first + (last - first) * x;
  return std::max(k, static_cast<std::int64_t>(std::nearbyint(value)));  // half to even
}

double learning_rate(std::int64_t step, std::int64_t total, std::int64_t warmup, double base) {
  if (step < warmup) {
    return base *
           (static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(warmup, 1)));
  }
  const double done = static_cast<double>(step - warmup) /
                      static_cast<double>(std::max<std::int64_t>(total - warmup, 1));
  return base * (0.5 * (1 + std::cos(std::numbers::pi * done)));
}

}  // namespace puma::model
