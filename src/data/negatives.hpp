// SPDX-License-Identifier: Apache-2.0
// Hard negatives: lines of "qid<TAB>did".
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace puma::data {

using Negatives = std::map<std::string, std::vector<std::string>>;

Negatives read_negatives(const std::filesystem::path& file);
std::string negatives_text(const Negatives& negatives);

// neg_cand_list of M-BEIR query lines (JSON Lines).
Negatives negatives_from_query_jsonl(const std::filesystem::path& file);

}  // namespace puma::data
