// SPDX-License-Identifier: Apache-2.0
// What an import tells: the same facts as JSON and as a line.
#include <fmt/format.h>

#include "data/import.hpp"

namespace puma::data {

nlohmann::json import_json(const ImportResult& result) {
  nlohmann::json outputs = nlohmann::json::array();
  for (const auto& file : result.outputs) outputs.push_back(file.string());
  nlohmann::json json{{"role", to_string(result.info.role)},
                      {"backbone", result.info.backbone},
                      {"rows", result.info.rows},
                      {"dim", result.info.dim},
                      {"dtype", to_string(result.info.type)},
                      {"normalised", result.info.normalised},
                      {"vectors", result.vectors_are},
                      {"content", result.content},
                      {"judged_queries", result.judged_queries},
                      {"judged_pairs", result.judged_pairs},
                      {"negative_pairs", result.negative_pairs},
                      {"outputs", std::move(outputs)}};
  if (!result.linked_to.empty()) json["linked_to"] = result.linked_to.string();
  return json;
}

std::string import_text(const ImportResult& result) {
  std::string text =
      fmt::format("{}: {} {} x {} {} of {}, {}, from {}", result.outputs.front().string(),
                  result.info.rows, to_string(result.info.role), result.info.dim,
                  to_string(result.info.type), result.info.backbone,
                  result.info.normalised ? "normalised" : "not normalised", result.vectors_are);
  if (!result.linked_to.empty()) {
    text += fmt::format("; the same file as {}", result.linked_to.string());
  }
  if (result.judged_pairs > 0) {
    text +=
        fmt::format("; {} judgements of {} queries", result.judged_pairs, result.judged_queries);
  }
  if (result.negative_pairs > 0) text += fmt::format("; {} negatives", result.negative_pairs);
  return text;
}

}  // namespace puma::data
