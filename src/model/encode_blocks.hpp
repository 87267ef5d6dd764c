// SPDX-License-Identifier: Apache-2.0
// The one way in which rows become codes, for the encoder and for the trainer's validation: blocks
// of 256 rows, the last one padded with zero rows, one thread a block. A product of 256 rows always
// has the same shape and the same thread, so a row's bits do not depend on how the rows were dealt.
#pragma once

#include <cstdint>
#include <functional>

#include "data/codes.hpp"
#include "dist/partition.hpp"
#include "model/autoencoder.hpp"

namespace puma::model::detail {

// Rows [range) as a float32 tensor [range.size(), d] on the model's device. Called from several
// threads at once.
using BlockReader = std::function<at::Tensor(dist::RowRange)>;

// Codes of rows `mine`, whose first one must be a multiple of 256. An error in a block (a row that
// is not finite) is thrown after the other threads have ended; of several, the first block's.
data::CodeMatrix encode_blocks(const Autoencoder& model, dist::RowRange mine, std::int64_t k,
                               int threads, const BlockReader& rows);

}  // namespace puma::model::detail
