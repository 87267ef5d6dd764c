// SPDX-License-Identifier: Apache-2.0
// The two bodies behind select_keys; shapes are checked. Both work on host arrays.
#pragma once

#include "kernels/select_keys.hpp"

namespace puma::kernels::detail {

void select_keys_cpu(const float* scores, const ScoreRows& shape, std::int64_t depth,
                     ScoreKey* keys);
void select_keys_cuda(const float* scores, const ScoreRows& shape, std::int64_t depth,
                      ScoreKey* keys);

}  // namespace puma::kernels::detail
