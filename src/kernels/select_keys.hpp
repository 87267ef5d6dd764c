// SPDX-License-Identifier: Apache-2.0
// The best keys of every row of a score matrix: top-k by the total order of score_key.hpp, on the
// CPU or on a GPU. The CPU body is the definition; the GPU's gives the same bytes, since keys are
// unique integers and their selection has no rounding.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/score_key.hpp"

namespace puma::kernels {

inline constexpr std::int64_t kMaxSelectDepth =
    1024;  // one thread block sorts the survivors of a row

struct ScoreRows {
  std::int64_t rows = 0;       // queries
  std::int64_t columns = 0;    // candidates
  std::int64_t first_row = 0;  // global number of the candidate in column 0
};

enum class Where { cpu, cuda };

// False in a build without CUDA.
bool select_keys_has_cuda();
// GPUs that this process may use; 0 in a build without CUDA.
int gpu_count();

// keys[r * depth ..]: the best `depth` keys of scores[r * columns ..], best first; where there are
// fewer columns than depth the rest is 0. Scores must not be NaN. Throws std::invalid_argument for
// shapes that do not fit (1 <= depth <= kMaxSelectDepth), std::runtime_error where CUDA is not
// built or fails. Arrays lie on the host for both.
void select_keys(Where where, std::span<const float> scores, const ScoreRows& shape,
                 std::int64_t depth, std::span<ScoreKey> keys);

// The GPU body on arrays that already lie there, on `stream` (a cudaStream_t; nullptr: the default
// one); the output is ready when the stream is.
void select_keys_on_device(const float* scores, const ScoreRows& shape, std::int64_t depth,
                           ScoreKey* keys, void* stream);

}  // namespace puma::kernels
