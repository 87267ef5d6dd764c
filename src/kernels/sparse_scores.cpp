// SPDX-License-Identifier: Apache-2.0
#include "kernels/sparse_scores.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "kernels/detail/scores_simd.hpp"

namespace puma::kernels {

float sparse_score_reference(std::span<const std::uint32_t> query_atoms,
                             std::span<const float> query_values,
                             std::span<const std::uint32_t> candidate_atoms,
                             std::span<const float> candidate_values) {
  if (query_atoms.size() != query_values.size() ||
      candidate_atoms.size() != candidate_values.size()) {
    throw std::invalid_argument("sparse_score_reference: atoms and values differ in number");
  }
  float sum = 0.0f;
  std::size_t q = 0, c = 0;
  while (q < query_atoms.size() && c < candidate_atoms.size()) {
    if (query_atoms[q] < candidate_atoms[c]) {
      ++q;
    } else if (candidate_atoms[c] < query_atoms[q]) {
      ++c;
    } else {
      sum = std::fma(candidate_values[c++], query_values[q++], sum);
    }
  }
  return sum + 0.0f;  // a product that underflows may leave -0, which no zero weight may turn over
}

void sparse_scores_block(std::span<const float> block, std::int64_t width,
                         std::span<const std::uint32_t> atoms, std::span<const float> values,
                         std::span<float> scores) {
  if (width < 0 || width % 16 != 0 || scores.size() != static_cast<std::size_t>(width) ||
      atoms.size() != values.size()) {
    throw std::invalid_argument(
        "sparse_scores_block: width must be a multiple of 16 and the length of scores, and each "
        "atom needs a value");
  }
  if (width == 0) return;
  // Atoms ascend, so the last one tells whether all lie inside the block.
  if (!atoms.empty() && (std::size_t{atoms.back()} + 1) * scores.size() > block.size()) {
    throw std::invalid_argument("sparse_scores_block: an atom lies outside the block");
  }
  detail::sparse_scores_dispatched(block.data(), scores.size(), atoms.data(), values.data(),
                                   atoms.size(), scores.data());
}

}  // namespace puma::kernels
