// SPDX-License-Identifier: Apache-2.0
// How good a checkpoint is on held-out queries. The trainer owns this interface; jobs/train.cpp
// builds one on src/eval, which the model never sees.
#pragma once

#include <cstdint>
#include <vector>

#include "data/codes.hpp"

namespace puma::model {

class Validator {
 public:
  virtual ~Validator() = default;
  // Sparse nDCG@10 of the validation queries (rows as given to the trainer) against the whole pool
  // (paper, appendix "Optimization").
  virtual double ndcg10(const data::CodeMatrix& queries, const data::CodeMatrix& candidates) = 0;
};

}  // namespace puma::model
