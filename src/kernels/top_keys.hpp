// SPDX-License-Identifier: Apache-2.0
// The K largest keys of a stream, without sorting it: a reservoir of 2K that is cut back to K when
// full (Faiss keeps such a one from K = 100 on).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/score_key.hpp"

namespace puma::kernels {

class TopKeys {
 public:
  explicit TopKeys(std::int64_t depth);  // depth >= 1
  // Keys at or below this cannot enter.
  ScoreKey threshold() const { return threshold_; }
  void push(ScoreKey key) {
    if (key <= threshold_) return;
    keys_.push_back(key);
    if (keys_.size() >= capacity_) shrink();
  }
  // Best first, at most depth; empties the reservoir.
  std::vector<ScoreKey> take();

 private:
  void shrink();
  std::int64_t depth_;
  std::size_t capacity_;
  ScoreKey threshold_ = 0;
  std::vector<ScoreKey> keys_;
};

// The plain definition, kept as the oracle: sort everything, cut.
std::vector<ScoreKey> top_keys_reference(std::span<const ScoreKey> keys, std::int64_t depth);

}  // namespace puma::kernels
