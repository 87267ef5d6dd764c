// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "data/inspect_kinds.hpp"
#include "data/negatives.hpp"
#include "data/qrels.hpp"
#include "data/run_file.hpp"
#include "data/text_lines.hpp"
#include "data/vector_file.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"

namespace puma::data::detail {
namespace {

using nlohmann::json;

json parse_object(const std::string& text) {
  json object = json::parse(text, nullptr, false);
  return object.is_object() ? std::move(object) : json::object();
}

// The members that say what an object is; anything longer is counted, not shown.
json short_members(const json& object) {
  json facts = json::object();
  for (const auto& [key, value] : object.items()) {
    if (value.is_array() || value.is_object()) {
      facts[key] = fmt::format("{} entries", value.size());
    } else {
      facts[key] = value;
    }
  }
  return facts;
}

std::string object_kind(const std::filesystem::path& file, const json& object) {
  const auto format = object.find("format");
  if (format != object.end() && format->is_string()) {
    if (*format == "puma measures") return "measures";
    if (*format == "puma-table") return "table";
  }
  if (object.contains("complete") && object.contains("inputs") && object.contains("outputs")) {
    return "manifest";
  }
  if (file.filename() == "progress.json") return "progress";
  return "";
}

json history_facts(const std::filesystem::path& file) {
  TextLines lines(file);
  std::int64_t entries = 0;
  json last;
  for (std::string_view line; lines.next(line); ++entries) {
    last = json::parse(line, nullptr, false);
    if (!last.is_object()) {
      dist::fail_input({lines.where(), "this line is no JSON object", "one object a line",
                        fmt::format("'{}'", printable(line)), ""});
    }
  }
  return {{"kind", "history"}, {"entries", entries}, {"last", last}};
}

// Only `puma plan` reads studies: this says what the file claims to be.
json yaml_facts(const std::filesystem::path& file) {
  TextLines lines(file);
  for (std::string_view line; lines.next(line);) {
    if (!line.starts_with("study:")) continue;
    return {{"kind", "study"},
            {"next", "puma plan " + file.string() + " checks it and shows its tasks"}};
  }
  return {{"kind", "configuration"}, {"next", "it belongs to a study, or to --recipe"}};
}

json columns_facts(const std::filesystem::path& file, std::size_t columns) {
  if (columns == 6 || columns == 7) {
    const Run run = read_trec_run(file);
    return {{"kind", "trec run"}, {"name", run.name},
            {"columns", columns}, {"queries", run.query_ids.size()},
            {"depth", run.depth}, {"documents_listed", run.document_ids.size()}};
  }
  if (columns == 2) {
    const Negatives negatives = read_negatives(file);
    std::size_t pairs = 0;
    for (const auto& [query, documents] : negatives) pairs += documents.size();
    return {{"kind", "negatives"}, {"queries", negatives.size()}, {"pairs", pairs}};
  }
  const Qrels qrels = read_qrels(file);
  return {{"kind", "qrels"},
          {"columns", columns},
          {"queries", qrels.judgements.size()},
          {"pairs", qrels.pairs()}};
}

}  // namespace

json inspect_json(const std::filesystem::path& file) {
  if (file.extension() == ".jsonl") return history_facts(file);
  const std::string text = dist::read_file(file);
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string::npos && text[first] == '[') {
    const auto ids = read_id_list(file);
    json facts{{"kind", "id list"}, {"ids", ids.size()}};
    if (!ids.empty()) facts.update({{"first", ids.front()}, {"last", ids.back()}});
    return facts;
  }
  const json object = parse_object(text);
  const std::string kind = object_kind(file, object);
  if (kind.empty()) {
    fail_unknown_kind(file, object.empty() ? "text that begins with '{' but is no JSON object"
                                           : "a JSON object of another program");
  }
  json facts = short_members(object);
  facts["kind"] = kind;
  return facts;
}

json inspect_text(const std::filesystem::path& file) {
  const auto extension = file.extension();
  if (extension == ".yaml" || extension == ".yml") return yaml_facts(file);
  TextLines lines(file);
  std::string_view line;
  if (!lines.next(line)) fail_unknown_kind(file, "white space");
  const std::size_t columns = split_columns(line).size();
  const bool is_text = line.find('\0') == std::string_view::npos;
  if (is_text &&
      ((columns >= 4 && columns <= 7) || (columns == 2 && line.find('\t') != line.npos))) {
    return columns_facts(file, columns);
  }
  fail_unknown_kind(file, is_text
                              ? fmt::format("text of {} columns: '{}'", columns, printable(line))
                              : "binary data");
}

}  // namespace puma::data::detail
