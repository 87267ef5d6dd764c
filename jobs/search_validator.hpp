// SPDX-License-Identifier: Apache-2.0
// The trainer's Validator by the same exact search and the same measures that score the finished
// codes.
#pragma once

#include "model/training_data.hpp"
#include "model/validator.hpp"

namespace puma::jobs {

class SearchValidator final : public model::Validator {
 public:
  SearchValidator(const model::ValidationData& data, int threads);
  double ndcg10(const data::CodeMatrix& queries, const data::CodeMatrix& candidates) override;

 private:
  const model::ValidationData& data_;  // borrowed
  int threads_;
};

}  // namespace puma::jobs
