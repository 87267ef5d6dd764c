// SPDX-License-Identifier: Apache-2.0
#include "data/run_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

namespace puma::data {
namespace {

std::optional<RunProblem> check_queries(const Run& run) {
  if (run.query_ids.size() != run.ranking.size()) {
    return RunProblem{"queries and rankings differ in number",
                      fmt::format("{} rankings", run.query_ids.size()),
                      std::to_string(run.ranking.size())};
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& id : run.query_ids) {
    if (id.empty()) return RunProblem{"a query id is empty", "a text", "nothing"};
    if (!seen.insert(id).second) {
      return RunProblem{"a query id occurs twice", "unique ids", fmt::format("'{}'", id)};
    }
  }
  return std::nullopt;
}

std::optional<RunProblem> check_documents(const Run& run) {
  for (std::size_t i = 0; i < run.document_ids.size(); ++i) {
    const std::string& id = run.document_ids[i];
    if (id.empty()) return RunProblem{"a document id is empty", "a text", "nothing"};
    if (i > 0 && !(id < run.document_ids[i - 1])) {
      return RunProblem{"document ids are out of order", "unique ids, bytes descending",
                        fmt::format("'{}' after '{}'", id, run.document_ids[i - 1])};
    }
  }
  return std::nullopt;
}

std::optional<RunProblem> check_list(const Run& run, const std::vector<RankedDocument>& list) {
  if (static_cast<std::int64_t>(list.size()) > run.depth) {
    return RunProblem{"a list is longer than the depth", fmt::format("at most {}", run.depth),
                      std::to_string(list.size())};
  }
  std::vector<std::uint32_t> documents;
  documents.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto [document, score] = list[i];
    if (document >= run.document_ids.size()) {
      return RunProblem{fmt::format("rank {} names an unknown document", i + 1),
                        fmt::format("numbers below {}", run.document_ids.size()),
                        std::to_string(document)};
    }
    if (!std::isfinite(score)) {
      return RunProblem{fmt::format("rank {} has no finite score", i + 1), "a finite number",
                        fmt::format("{}", score)};
    }
    documents.push_back(document);
    if (i == 0) continue;
    const RankedDocument& before = list[i - 1];
    if (score > before.score || (score == before.score && document < before.document)) {
      return RunProblem{
          fmt::format("rank {} is out of order", i + 1),
          "score descending, ties by document id bytes descending",
          fmt::format("{} ('{}') after {} ('{}')", shortest(score), run.document_ids[document],
                      shortest(before.score), run.document_ids[before.document])};
    }
  }
  std::sort(documents.begin(), documents.end());
  const auto twice = std::adjacent_find(documents.begin(), documents.end());
  if (twice != documents.end()) {
    return RunProblem{"a document is listed twice", "each document once",
                      fmt::format("'{}'", run.document_ids[*twice])};
  }
  return std::nullopt;
}

}  // namespace

std::optional<RunProblem> check_run(const Run& run) {
  if (run.tie_rule != "id-descending") {
    return RunProblem{"unknown tie rule", "'id-descending'", fmt::format("'{}'", run.tie_rule)};
  }
  if (run.depth < 0 || run.pool_size < 0) {
    return RunProblem{"a count is negative", "depth and pool size of at least 0",
                      fmt::format("depth {}, pool size {}", run.depth, run.pool_size)};
  }
  if (auto problem = check_queries(run)) return problem;
  if (auto problem = check_documents(run)) return problem;
  for (std::size_t q = 0; q < run.ranking.size(); ++q) {
    if (auto problem = check_list(run, run.ranking[q])) {
      problem->problem = fmt::format("query '{}': {}", run.query_ids[q], problem->problem);
      return problem;
    }
  }
  return std::nullopt;
}

}  // namespace puma::data
