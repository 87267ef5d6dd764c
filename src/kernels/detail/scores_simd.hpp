// SPDX-License-Identifier: Apache-2.0
// The run-time dispatched bodies behind dense_scores and sparse_scores_block; shapes are checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace puma::kernels::detail {

void dense_scores_dispatched(const float* queries, std::size_t query_count, const float* candidates,
                             std::size_t candidate_count, std::size_t dim, float* scores);

void sparse_scores_dispatched(const float* block, std::size_t width, const std::uint32_t* atoms,
                              const float* values, std::size_t count, float* scores);

// Names of the instruction sets that this build has code for and this machine runs, best first.
std::vector<std::string> simd_targets();
// From now on dispatch to this one (tests and benches); an empty name means the best again.
void use_simd_target(const std::string& name);

}  // namespace puma::kernels::detail
