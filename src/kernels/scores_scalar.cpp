// SPDX-License-Identifier: Apache-2.0
// What dispatch leads to where Google Highway was not found: the definitions, in scalar code.
#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "kernels/dense_scores.hpp"
#include "kernels/detail/scores_simd.hpp"

namespace puma::kernels::detail {

void dense_scores_dispatched(const float* queries, std::size_t query_count, const float* candidates,
                             std::size_t candidate_count, std::size_t dim, float* scores) {
  for (std::size_t q = 0; q < query_count; ++q) {
    for (std::size_t c = 0; c < candidate_count; ++c) {
      *scores++ = dense_score_reference(std::span(queries + q * dim, dim),
                                        std::span(candidates + c * dim, dim));
    }
  }
}

void sparse_scores_dispatched(const float* block, std::size_t width, const std::uint32_t* atoms,
                              const float* values, std::size_t count, float* scores) {
  std::fill_n(scores, width, 0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    const float* column = block + std::size_t{atoms[i]} * width;
    for (std::size_t q = 0; q < width; ++q) scores[q] = std::fma(values[i], column[q], scores[q]);
  }
  for (std::size_t q = 0; q < width; ++q) scores[q] += 0.0f;
}

std::vector<std::string> simd_targets() {
  return {"scalar"};
}
void use_simd_target(const std::string& name) {
  if (!name.empty() && name != "scalar") {
    throw std::invalid_argument("this build has scalar kernels only");
  }
}

}  // namespace puma::kernels::detail
