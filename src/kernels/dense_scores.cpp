// SPDX-License-Identifier: Apache-2.0
#include "kernels/dense_scores.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>

#include "kernels/detail/scores_simd.hpp"

namespace puma::kernels {

float dense_score_reference(std::span<const float> query, std::span<const float> candidate) {
  if (query.size() != candidate.size()) {
    throw std::invalid_argument("dense_score_reference: the vectors differ in length");
  }
  // lane[j] = sum over i = j (mod 16) of q[i] * c[i]; each product is exact in float64, so a fused
  // and an unfused multiply-add round alike.
  std::array<double, 16> lane{};
  for (std::size_t i = 0; i < query.size(); ++i) {
    lane[i % 16] += static_cast<double>(query[i]) * static_cast<double>(candidate[i]);
  }
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t j = 0; j < width; ++j) lane[j] += lane[j + width];
  }
  return static_cast<float>(lane[0]);
}

void dense_scores(std::span<const float> queries, std::span<const float> candidates,
                  std::int64_t dim, std::span<float> scores) {
  if (dim < 1) throw std::invalid_argument("dense_scores: dim must be at least 1");
  const auto d = static_cast<std::size_t>(dim);
  const std::size_t q = queries.size() / d, n = candidates.size() / d;
  if (queries.size() != q * d || candidates.size() != n * d || scores.size() != q * n) {
    throw std::invalid_argument("dense_scores: array lengths do not fit the dimension");
  }
  if (q == 0 || n == 0) return;
  detail::dense_scores_dispatched(queries.data(), q, candidates.data(), n, d, scores.data());
}

}  // namespace puma::kernels
