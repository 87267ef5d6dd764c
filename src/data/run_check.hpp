// SPDX-License-Identifier: Apache-2.0
// What makes a Run a run, whoever made it.
#pragma once

#include <optional>
#include <string>

#include "data/run_file.hpp"

namespace puma::data {

struct RunProblem {
  std::string problem, expected, found;
};

// Nothing when the run is sound: unique query ids, document ids strictly descending, every list no
// longer than the depth, of known documents, none twice, with finite scores, in the order "score
// descending, then document id bytes descending".
std::optional<RunProblem> check_run(const Run& run);

}  // namespace puma::data
