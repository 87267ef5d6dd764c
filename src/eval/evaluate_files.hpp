// SPDX-License-Identifier: Apache-2.0
// Measures from files, and their table for people.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "eval/measures.hpp"

namespace puma::eval {

// `run` is a run file or TREC text. Without `pool` (empty) every judged or listed document counts
// as a candidate.
MeasureTable evaluate_files(const std::filesystem::path& run, const std::filesystem::path& qrels,
                            const std::filesystem::path& pool,
                            const std::vector<std::string>& measures);

// A few lines: each measure's mean with n, then what was left out, counted and (the first ids)
// named.
std::string measures_text(const MeasureTable& table);

}  // namespace puma::eval
