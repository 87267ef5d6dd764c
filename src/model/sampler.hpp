// SPDX-License-Identifier: Apache-2.0
// Which rows a training step sees, as a function of (seed, stage, step): a resumed training needs
// no sampler state, only the number of its next step.
#pragma once

#include <cstdint>
#include <vector>

#include "dist/philox.hpp"

namespace puma::model {

// The numbers 0 to n-1 in random order (Fisher-Yates on the random numbers of `trial`).
std::vector<std::int64_t> random_permutation(std::int64_t n, std::uint64_t seed,
                                             dist::RandomPurpose purpose, std::uint32_t trial);

struct BatchRows {
  std::vector<std::int64_t> queries;    // [b] training rows
  std::vector<std::int64_t> positives;  // [b] candidate rows, one of the query's positives
  std::vector<std::int64_t> negatives;  // [b, n] candidate rows, distinct in a row, none a positive
  std::int64_t negatives_per_query = 0;
};

class Sampler {
 public:
  // Borrows the lists. `stage` keeps the stages' random numbers apart.
  Sampler(const std::vector<std::vector<std::int32_t>>& positives,
          const std::vector<std::vector<std::int32_t>>& hard_negatives, std::int64_t candidates,
          std::int64_t batch, std::uint64_t seed, int stage);

  // Epochs without end, each in an order of its own; the short last batch of an epoch is kept.
  // `negatives` a query are wanted: fewer come when some query's pool without its positives is
  // smaller.
  BatchRows batch(std::int64_t step, std::int64_t negatives);

 private:
  std::int64_t draw_positive(std::int64_t query, std::int64_t visit) const;
  void draw_negatives(std::int64_t query, std::int64_t visit, std::int64_t count,
                      std::vector<std::int64_t>& out) const;

  const std::vector<std::vector<std::int32_t>>& positives_;
  const std::vector<std::vector<std::int32_t>>& hard_negatives_;
  std::int64_t candidates_, batch_;
  std::int64_t free_candidates_ = 0;  // least number of non-positives over the queries
  std::uint64_t seed_;
  std::uint32_t stage_;
  std::int64_t epoch_ = -1;  // whose order `order_` holds
  std::vector<std::int64_t> order_;
};

}  // namespace puma::model
