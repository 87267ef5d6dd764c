// SPDX-License-Identifier: Apache-2.0
// The raw TopK baseline: the dense vector's own k coordinates of largest magnitude, with their
// signs. No training.
#pragma once

#include <cstdint>

#include "data/codes.hpp"
#include "data/dense_cache.hpp"
#include "dist/partition.hpp"

namespace puma::model {

// Codes of rows `mine`; the dictionary is the cache's dimension. k above it is an input error that
// names the cache.
data::CodeMatrix encode_raw_topk(const data::DenseCache& cache, dist::RowRange mine,
                                 std::int64_t k);

}  // namespace puma::model
