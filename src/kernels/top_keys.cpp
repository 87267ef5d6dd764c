// SPDX-License-Identifier: Apache-2.0
#include "kernels/top_keys.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace puma::kernels {
namespace {

constexpr std::int64_t kLeastCapacity =
    64;  // below this, cutting costs more than the memory it saves

std::size_t reservoir_size(std::int64_t depth) {
  if (depth < 1) throw std::invalid_argument("TopKeys: depth must be at least 1");
  if (depth > std::numeric_limits<std::int64_t>::max() / 2) {
    return std::numeric_limits<std::size_t>::max();
  }
  return static_cast<std::size_t>(std::max(2 * depth, kLeastCapacity));
}

}  // namespace

TopKeys::TopKeys(std::int64_t depth) : depth_(depth), capacity_(reservoir_size(depth)) {}

void TopKeys::shrink() {
  const auto depth = static_cast<std::size_t>(depth_);
  if (keys_.size() <= depth) return;
  const auto last = keys_.begin() + (depth_ - 1);
  std::nth_element(keys_.begin(), last, keys_.end(), std::greater<>());
  threshold_ = *last;
  keys_.resize(depth);
}

std::vector<ScoreKey> TopKeys::take() {
  shrink();
  std::sort(keys_.begin(), keys_.end(), std::greater<>());
  threshold_ = 0;
  return std::exchange(keys_, {});
}

std::vector<ScoreKey> top_keys_reference(std::span<const ScoreKey> keys, std::int64_t depth) {
  std::vector<ScoreKey> sorted(keys.begin(), keys.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  if (std::cmp_greater(sorted.size(), depth)) sorted.resize(static_cast<std::size_t>(depth));
  return sorted;
}

}  // namespace puma::kernels
