// SPDX-License-Identifier: Apache-2.0
// Queries and candidates opened for scoring and found to fit each other. No collective calls.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/codes.hpp"
#include "data/dense_cache.hpp"
#include "eval/score_files.hpp"

namespace puma::eval::detail {

struct ScoreInputs {
  Representation representation = Representation::dense;
  std::string name;
  ListRule rule = ListRule::all;
  std::int64_t k = 0;    // sparse
  std::int64_t dim = 0;  // dense
  std::int64_t pool_size = 0;
  std::int64_t first_row = 0;  // of this rank's candidates
  std::vector<std::string> query_ids, candidate_ids;
  std::vector<float> query_rows, candidate_rows;  // dense: all queries, this rank's candidates
  data::CodeMatrix query_codes, candidate_codes;  // sparse: the same
};

// `part` of `parts` of the candidates is read.
ScoreInputs open_score_inputs(const ScoreRequest& request, int parts, int part);

}  // namespace puma::eval::detail
