// SPDX-License-Identifier: Apache-2.0
// The dense score: products of the float32 inputs (exact in float64) summed in float64 in one fixed
// order, rounded once to float32. The order: lane j of 16 takes dimensions i with i mod 16 = j,
// ascending; lanes are then added in pairs (j, j+8), (j, j+4), (j, j+2), (j, j+1).
#pragma once

#include <cstdint>
#include <span>

namespace puma::kernels {

// The definition in scalar code.
float dense_score_reference(std::span<const float> query, std::span<const float> candidate);

// scores[q * candidates + c] for row-major queries [queries, dim] and candidates [candidates, dim];
// the same bits as the reference, by run-time dispatched SIMD (Highway), on one thread.
void dense_scores(std::span<const float> queries, std::span<const float> candidates,
                  std::int64_t dim, std::span<float> scores);

}  // namespace puma::kernels
