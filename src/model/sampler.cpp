// SPDX-License-Identifier: Apache-2.0
#include "model/sampler.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "dist/error.hpp"

namespace puma::model {

using dist::RandomPurpose;

namespace {

// Random numbers that one visit of a query may use: index = visit * this + number.
constexpr std::uint64_t kDrawsPerVisit = std::uint64_t{1} << 20;
// Epochs of the stages never share an order: the stage is the highest bits of the trial.
constexpr std::uint32_t kStageShift = 29;

std::uint32_t stage_trial(std::uint32_t stage, std::int64_t number) {
  return (stage << kStageShift) | (static_cast<std::uint32_t>(number) & ((1u << kStageShift) - 1));
}

std::uint32_t below(std::int64_t bound, std::uint64_t seed, RandomPurpose purpose,
                    std::uint32_t trial, std::uint64_t index) {
  return dist::random_below(static_cast<std::uint32_t>(bound), seed, purpose, trial, index);
}

std::int64_t distinct_count(const std::vector<std::int32_t>& rows) {
  return static_cast<std::int64_t>(
      std::unordered_set<std::int32_t>(rows.begin(), rows.end()).size());
}

}  // namespace

std::vector<std::int64_t> random_permutation(std::int64_t n, std::uint64_t seed,
                                             RandomPurpose purpose, std::uint32_t trial) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::int64_t i = n - 1; i > 0; --i) {
    const auto j = below(i + 1, seed, purpose, trial, static_cast<std::uint64_t>(i));
    std::swap(order[static_cast<std::size_t>(i)], order[j]);
  }
  return order;
}

Sampler::Sampler(const std::vector<std::vector<std::int32_t>>& positives,
                 const std::vector<std::vector<std::int32_t>>& hard_negatives,
                 std::int64_t candidates, std::int64_t batch, std::uint64_t seed, int stage)
    : positives_(positives),
      hard_negatives_(hard_negatives),
      candidates_(candidates),
      batch_(batch),
      free_candidates_(candidates),
      seed_(seed),
      stage_(static_cast<std::uint32_t>(stage)) {
  PUMA_EXPECT(!positives.empty() && batch >= 1);
  PUMA_EXPECT(candidates >= 1 && candidates <= std::numeric_limits<std::int32_t>::max());
  PUMA_EXPECT(hard_negatives.empty() || hard_negatives.size() == positives.size());
  for (const auto& rows : positives) {
    PUMA_EXPECT(!rows.empty());
    free_candidates_ = std::min(free_candidates_, candidates - distinct_count(rows));
  }
}

std::int64_t Sampler::draw_positive(std::int64_t query, std::int64_t visit) const {
  const auto& rows = positives_[static_cast<std::size_t>(query)];
  if (rows.size() == 1) return rows.front();
  return rows[below(static_cast<std::int64_t>(rows.size()), seed_, RandomPurpose::positive,
                    stage_trial(stage_, 0), static_cast<std::uint64_t>(visit))];
}

// Hard negatives first, in random order, then random candidates (released code: "topped up").
void Sampler::draw_negatives(std::int64_t query, std::int64_t visit, std::int64_t count,
                             std::vector<std::int64_t>& out) const {
  std::uint64_t next = static_cast<std::uint64_t>(visit) * kDrawsPerVisit;
  const auto draw = [&](std::int64_t bound) {
    return below(bound, seed_, RandomPurpose::negative, stage_trial(stage_, 0), next++);
  };
  const auto& positives = positives_[static_cast<std::size_t>(query)];
  std::unordered_set<std::int64_t> taken(positives.begin(), positives.end());
  std::int64_t missing = count;
  const auto take_from = [&](std::vector<std::int64_t>& pool) {
    for (std::size_t i = 0; i < pool.size() && missing > 0; ++i) {
      std::swap(pool[i], pool[i + draw(static_cast<std::int64_t>(pool.size() - i))]);
      if (!taken.insert(pool[i]).second) continue;
      out.push_back(pool[i]);
      --missing;
    }
  };
  if (!hard_negatives_.empty()) {
    const auto& hard = hard_negatives_[static_cast<std::size_t>(query)];
    std::vector<std::int64_t> pool(hard.begin(), hard.end());
    take_from(pool);
  }
  // Where half of the candidates are out of the question, drawing again and again is slow: list
  // what is left.
  if (missing > 0 && 2 * (static_cast<std::int64_t>(taken.size()) + missing) > candidates_) {
    std::vector<std::int64_t> pool;
    for (std::int64_t row = 0; row < candidates_; ++row) {
      if (taken.count(row) == 0) pool.push_back(row);
    }
    take_from(pool);
  }
  while (missing > 0) {
    const std::int64_t row = draw(candidates_);
    if (!taken.insert(row).second) continue;
    out.push_back(row);
    --missing;
  }
}

BatchRows Sampler::batch(std::int64_t step, std::int64_t negatives) {
  const auto n = static_cast<std::int64_t>(positives_.size());
  const std::int64_t per_epoch = (n + batch_ - 1) / batch_;
  const std::int64_t epoch = step / per_epoch;
  if (epoch != epoch_) {
    order_ = random_permutation(n, seed_, RandomPurpose::epoch_order, stage_trial(stage_, epoch));
    epoch_ = epoch;
  }
  const std::int64_t begin = step % per_epoch * batch_;
  const std::int64_t end = std::min(begin + batch_, n);
  BatchRows rows;
  rows.negatives_per_query = std::min(negatives, free_candidates_);
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t query = order_[static_cast<std::size_t>(i)];
    const std::int64_t visit = step * batch_ + (i - begin);
    rows.queries.push_back(query);
    rows.positives.push_back(draw_positive(query, visit));
    draw_negatives(query, visit, rows.negatives_per_query, rows.negatives);
  }
  return rows;
}

}  // namespace puma::model
