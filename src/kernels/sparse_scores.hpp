// SPDX-License-Identifier: Apache-2.0
// The sparse score: one float32 fused-multiply-add chain over the shared atoms in ascending atom
// number, starting from +0.
#pragma once

#include <cstdint>
#include <span>

namespace puma::kernels {

// Both sides sorted by ascending atom. The definition in scalar code (std::fma).
float sparse_score_reference(std::span<const std::uint32_t> query_atoms,
                             std::span<const float> query_values,
                             std::span<const std::uint32_t> candidate_atoms,
                             std::span<const float> candidate_values);

// Queries as columns: block[a * width + q] is query q's value at (remapped) atom a, 0 where it has
// none; a zero weight adds +0 and changes no bit. For one candidate (atoms ascending, in block's
// numbering) adds up scores[0..width), the same bits as the reference. width must be a multiple
// of 16.
void sparse_scores_block(std::span<const float> block, std::int64_t width,
                         std::span<const std::uint32_t> atoms, std::span<const float> values,
                         std::span<float> scores);

}  // namespace puma::kernels
