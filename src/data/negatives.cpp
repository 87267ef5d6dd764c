// SPDX-License-Identifier: Apache-2.0
#include "data/negatives.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <string_view>

#include "data/text_lines.hpp"
#include "dist/error.hpp"

namespace puma::data {

namespace {

namespace json = simdjson::dom;

[[noreturn]] void fail_line(const TextLines& lines, const std::string& expected,
                            const std::string& found) {
  dist::fail_input({lines.where(), "this is no M-BEIR query line", expected, found, ""});
}

std::string_view text_field(const json::element& element, const TextLines& lines,
                            const std::string& what) {
  std::string_view text;
  if (element.get_string().get(text) != simdjson::SUCCESS || text.empty()) {
    fail_line(lines, what + " as a text", "something else");
  }
  if (text.find_first_of(std::string_view(" \t\r\n\0", 5)) != std::string_view::npos) {
    fail_line(lines, what + " without white space", fmt::format("'{}'", printable(text)));
  }
  return text;
}

// The dids of neg_cand_list: strings, or objects with a `did` (the data set card shows these).
// Missing and null are empty.
std::vector<std::string> negative_list(const json::element& line, const TextLines& lines) {
  std::vector<std::string> dids;
  json::element field;
  if (line["neg_cand_list"].get(field) != simdjson::SUCCESS || field.is_null()) return dids;
  json::array list;
  if (field.get_array().get(list) != simdjson::SUCCESS) {
    fail_line(lines, "neg_cand_list as a list", "something else");
  }
  for (const json::element entry : list) {
    json::element did = entry;
    if (entry.is_object() && entry["did"].get(did) != simdjson::SUCCESS) {
      fail_line(lines, "a did in each entry of neg_cand_list", "an object without");
    }
    dids.emplace_back(text_field(did, lines, "each did"));
  }
  std::sort(dids.begin(), dids.end());
  dids.erase(std::unique(dids.begin(), dids.end()), dids.end());
  return dids;
}

}  // namespace

Negatives read_negatives(const std::filesystem::path& file) {
  TextLines lines(file);
  Negatives negatives;
  for (std::string_view text; lines.next(text);) {
    const auto columns = split_columns(text);
    if (columns.size() != 2) {
      dist::fail_input({lines.where(), "this is no line of negatives", "2 columns (qid, did)",
                        fmt::format("{}: '{}'", columns.size(), printable(text)), ""});
    }
    negatives[std::string(columns[0])].emplace_back(columns[1]);
  }
  for (auto& [query, dids] : negatives) {
    std::sort(dids.begin(), dids.end());
    const auto twice = std::adjacent_find(dids.begin(), dids.end());
    if (twice == dids.end()) continue;
    dist::fail_input({file.string(), "a negative is listed twice", "each pair once",
                      fmt::format("'{}' for query '{}'", printable(*twice), printable(query)), ""});
  }
  return negatives;
}

std::string negatives_text(const Negatives& negatives) {
  std::string text;
  for (const auto& [query, dids] : negatives) {
    for (const std::string& did : dids) text += fmt::format("{}\t{}\n", query, did);
  }
  return text;
}

Negatives negatives_from_query_jsonl(const std::filesystem::path& file) {
  TextLines lines(file);
  json::parser parser;
  Negatives negatives;
  for (std::string_view text; lines.next(text);) {
    json::element line;
    if (const auto error = parser.parse(text.data(), text.size()).get(line)) {
      fail_line(lines, "one JSON object", simdjson::error_message(error));
    }
    json::element qid;
    if (line["qid"].get(qid) != simdjson::SUCCESS) fail_line(lines, "a qid", "none");
    const std::string query(text_field(qid, lines, "the qid"));
    std::vector<std::string> dids = negative_list(line, lines);
    if (dids.empty()) continue;
    // Up-sampled files repeat whole lines; two different lists for one query are a mix of splits.
    const auto [known, is_new] = negatives.emplace(query, dids);
    if (!is_new && known->second != dids) {
      fail_line(lines, "one list of negatives a query",
                fmt::format("another one for '{}'", printable(query)));
    }
  }
  return negatives;
}

}  // namespace puma::data
