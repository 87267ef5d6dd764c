// SPDX-License-Identifier: Apache-2.0
// The loss terms of both stages (paper 3.3 and 3.5, Tab. 11; the released code where the paper is
// silent), each without its weight.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/recipe.hpp"
#include "model/autoencoder.hpp"

namespace puma::model::detail {

struct Batch {
  at::Tensor queries;    // [b, d]
  at::Tensor positives;  // [b, d]
  at::Tensor negatives;  // [b, n, d], n may be 0; Stage 3 only
};

struct LossTerm {
  std::string_view name;  // "reconstruction", "distillation", "contrastive", "aux"
  double weight = 0;
  at::Tensor value;  // without the weight
};

struct Losses {
  std::vector<LossTerm> terms;
  // Dead atoms after the query's tick and after the document's tick.
  std::array<std::int64_t, 2> dead{};
};

// Ticks the idle counters: by the queries' codes before their AuxK, then by the documents'.
Losses stage2_losses(Autoencoder& model, const Batch& batch, std::int64_t k,
                     const config::Recipe& recipe);
// The counters tick on; AuxK takes no part.
Losses stage3_losses(Autoencoder& model, const Batch& batch, std::int64_t k,
                     const config::Recipe& recipe);

}  // namespace puma::model::detail
