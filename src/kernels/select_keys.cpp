// SPDX-License-Identifier: Apache-2.0
#include "kernels/select_keys.hpp"

#include <cstddef>
#include <stdexcept>

#include "kernels/detail/select_keys_bodies.hpp"

namespace puma::kernels {

void select_keys(Where where, std::span<const float> scores, const ScoreRows& shape,
                 std::int64_t depth, std::span<ScoreKey> keys) {
  constexpr std::int64_t kRowNumbers = std::int64_t{1} << 32;
  if (depth < 1 || depth > kMaxSelectDepth) {
    throw std::invalid_argument("select_keys: depth must be in 1..1024");
  }
  if (shape.rows < 0 || shape.columns < 0 || shape.first_row < 0 ||
      shape.first_row > kRowNumbers - shape.columns) {
    throw std::invalid_argument("select_keys: row numbers must fit 32 bits");
  }
  const auto rows = static_cast<std::size_t>(shape.rows);
  if (scores.size() != rows * static_cast<std::size_t>(shape.columns) ||
      keys.size() != rows * static_cast<std::size_t>(depth)) {
    throw std::invalid_argument("select_keys: array lengths do not fit the shape");
  }
  if (rows == 0) return;
  if (where == Where::cuda) {
    detail::select_keys_cuda(scores.data(), shape, depth, keys.data());
  } else {
    detail::select_keys_cpu(scores.data(), shape, depth, keys.data());
  }
}

}  // namespace puma::kernels
