// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernels/detail/select_keys_bodies.hpp"
#include "kernels/top_keys.hpp"

namespace puma::kernels::detail {

void select_keys_cpu(const float* scores, const ScoreRows& shape, std::int64_t depth,
                     ScoreKey* keys) {
  for (std::int64_t r = 0; r < shape.rows; ++r, scores += shape.columns, keys += depth) {
    TopKeys best(depth);
    for (std::int64_t c = 0; c < shape.columns; ++c) {
      best.push(make_key(scores[c], static_cast<std::uint32_t>(shape.first_row + c)));
    }
    const std::vector<ScoreKey> taken = best.take();
    std::fill(std::copy(taken.begin(), taken.end(), keys), keys + depth, ScoreKey{0});
  }
}

}  // namespace puma::kernels::detail
