// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "dist/error.hpp"
#include "eval/measures.hpp"

namespace puma::eval {
namespace {

constexpr const char* kFormat = "puma measures";
constexpr int kVersion = 1;

[[noreturn]] void fail(const std::string& file, const std::string& problem,
                       const std::string& expected, const std::string& found) {
  dist::fail_input({file, problem, expected, found, "Write it again with puma evaluate"});
}

// json.at(key) as T, or an input error that names the key.
template <class T>
T member(const nlohmann::json& json, const char* key, const std::string& file) {
  try {
    return json.at(key).get<T>();
  } catch (const nlohmann::json::exception& e) {
    fail(file, fmt::format("'{}' is missing or of the wrong type", key), "a file of measures",
         e.what());
  }
}

void check_numbers(const std::vector<double>& numbers, std::size_t queries, const std::string& what,
                   const std::string& file) {
  if (numbers.size() != queries) {
    fail(file, fmt::format("{} are of the wrong number", what),
         fmt::format("{}, one a query", queries), std::to_string(numbers.size()));
  }
  for (const double x : numbers) {
    if (!std::isfinite(x) || x < 0) {
      fail(file, fmt::format("{} hold an impossible value", what), "finite numbers of at least 0",
           std::to_string(x));
    }
  }
}

}  // namespace

nlohmann::json measures_json(const MeasureTable& table) {
  nlohmann::json measures = nlohmann::json::array();
  for (std::size_t m = 0; m < table.measures.size(); ++m) {
    nlohmann::json measure{{"name", table.measures[m].name()},
                           {"definition", table.measures[m].definition()},
                           {"values", table.values[m]}};
    measure["mean"] = table.query_ids.empty() ? nlohmann::json() : nlohmann::json(table.mean(m));
    measures.push_back(std::move(measure));
  }
  return {{"format", kFormat},
          {"version", kVersion},
          {"n", table.query_ids.size()},
          {"query_ids", table.query_ids},
          {"measures", std::move(measures)},
          {"relevant", table.relevant},
          {"judged_queries", table.judged_queries},
          {"without_positive_in_pool", table.without_positive_in_pool},
          {"missing_from_run", table.missing_from_run},
          {"unjudged", table.unjudged},
          {"positives_outside_pool", table.positives_outside_pool},
          {"ties_across_cutoff", table.ties_across_cutoff}};
}

MeasureTable measures_from_json(const nlohmann::json& json, const std::string& file) {
  if (!json.is_object() || json.value("format", nlohmann::json()) != kFormat) {
    fail(file, "this is not a file of measures", fmt::format("\"format\": \"{}\"", kFormat),
         json.is_object() ? json.value("format", nlohmann::json()).dump() : json.type_name());
  }
  if (const int version = member<int>(json, "version", file); version != kVersion) {
    fail(file, "the file's version is unknown", std::to_string(kVersion), std::to_string(version));
  }
  MeasureTable table;
  table.query_ids = member<std::vector<std::string>>(json, "query_ids", file);
  for (std::size_t q = 1; q < table.query_ids.size(); ++q) {
    if (table.query_ids[q - 1] < table.query_ids[q]) continue;
    fail(file, "query_ids are out of order", "ascending ids, each once", table.query_ids[q]);
  }
  table.relevant = member<std::vector<double>>(json, "relevant", file);
  check_numbers(table.relevant, table.query_ids.size(), "the counts of relevant documents", file);
  for (const nlohmann::json& measure : member<nlohmann::json::array_t>(json, "measures", file)) {
    const auto name = member<std::string>(measure, "name", file);
    table.measures.push_back(parse_measure(name));
    table.values.push_back(member<std::vector<double>>(measure, "values", file));
    check_numbers(table.values.back(), table.query_ids.size(), "the values of " + name, file);
  }
  table.judged_queries = member<std::int64_t>(json, "judged_queries", file);
  table.without_positive_in_pool =
      member<std::vector<std::string>>(json, "without_positive_in_pool", file);
  table.missing_from_run = member<std::vector<std::string>>(json, "missing_from_run", file);
  table.unjudged = member<std::vector<std::string>>(json, "unjudged", file);
  table.positives_outside_pool = member<std::int64_t>(json, "positives_outside_pool", file);
  table.ties_across_cutoff = member<std::int64_t>(json, "ties_across_cutoff", file);
  return table;
}

}  // namespace puma::eval
