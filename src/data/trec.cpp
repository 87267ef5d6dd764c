// SPDX-License-Identifier: Apache-2.0
// Runs as TREC text. Scores are float32, as trec_eval 9 keeps them: two scores that differ only
// beyond float32 are a tie.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "data/run_file.hpp"
#include "data/text_lines.hpp"
#include "dist/error.hpp"
#include "dist/log.hpp"

namespace puma::data {
namespace {

constexpr std::size_t longest_id = 255;

bool fits_a_column(std::string_view text) {
  return !text.empty() && text.size() <= longest_id &&
         std::none_of(text.begin(), text.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte <= 0x20 || byte == 0x7F;
         });
}

// The float32 nearest to the text; nothing when the text is no number. Too large numbers become
// infinite, too small ones zero.
std::optional<float> parse_score(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  float score = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, score);
  if (error == std::errc::invalid_argument || stop != end) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    return std::strtof(std::string(text).c_str(), nullptr);
  return score;
}

// Ids seen so far, numbered in order of appearance. The views point into the mapped file.
class Names {
 public:
  std::uint32_t number(std::string_view name) {
    const auto [place, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(name);
    return place->second;
  }
  const std::vector<std::string_view>& names() const { return names_; }

 private:
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::vector<std::string_view> names_;
};

struct Entry {
  std::uint32_t query, document;
  float score;
  std::int64_t line;
};

void check_line(const TextLines& lines, const std::vector<std::string_view>& columns,
                std::string_view text) {
  if (columns.size() != 6 && columns.size() != 7) {
    dist::fail_input({lines.where(), "this is no line of a TREC run",
                      "6 columns (qid Q0 did rank score tag) or UniIR's 7",
                      fmt::format("{} column{}: '{}'", columns.size(),
                                  columns.size() == 1 ? "" : "s", printable(text)),
                      ""});
  }
  for (const std::string_view name : {columns[0], columns[2], columns[5]}) {
    if (!fits_a_column(name)) {
      dist::fail_input({lines.where(), "an id or tag is too long or holds a control character",
                        "printable text of at most 255 bytes", fmt::format("'{}'", printable(name)),
                        "Is this a text file?"});
    }
  }
}

float finite_score(const TextLines& lines, std::string_view text) {
  const std::optional<float> score = parse_score(text);
  if (!score || !std::isfinite(*score)) {
    dist::fail_input({lines.where(), "the score is no finite number", "a float32 such as 0.25",
                      fmt::format("'{}'", printable(text)), ""});
  }
  return *score;
}

// Document numbers of appearance replaced by places among the ids, bytes descending.
void number_documents(const Names& documents, std::vector<Entry>& entries, Run& run) {
  const auto& names = documents.names();
  std::vector<std::uint32_t> order(names.size()), place(names.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return names[a] > names[b]; });
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    run.document_ids.emplace_back(names[order[i]]);
  }
  for (Entry& entry : entries) entry.document = place[entry.document];
}

void refuse_duplicates(const TextLines& lines, std::vector<Entry>& entries, const Run& run) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.query, a.document, a.line) < std::tie(b.query, b.document, b.line);
  });
  const auto twice =
      std::adjacent_find(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.query == b.query && a.document == b.document;
      });
  if (twice == entries.end()) return;
  const Entry& again = *std::next(twice);
  dist::fail_input(
      {lines.where(again.line), "a document is listed twice for one query", "each document once",
       fmt::format("'{}' for query '{}' in lines {} and {}", run.document_ids[twice->document],
                   run.query_ids[twice->query], twice->line, again.line),
       "Remove one of the lines."});
}

}  // namespace

std::string shortest(float value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  PUMA_ASSERT(error == std::errc());
  return {buffer, end};
}

std::string trec_text(const Run& run) {
  const std::string tag = run.name.empty() ? "puma" : run.name;
  for (const auto* ids : {&run.query_ids, &run.document_ids}) {
    for (const std::string& id : *ids) {
      if (!fits_a_column(id)) {
        dist::fail_input({"TREC text", "an id does not fit a column",
                          "1 to 255 bytes, no white space", fmt::format("'{}'", printable(id)),
                          "Rename it in the source data."});
      }
    }
  }
  if (!fits_a_column(tag)) {
    dist::fail_input({"TREC text", "the run's name does not fit a column", "a word",
                      fmt::format("'{}'", printable(tag)), ""});
  }
  std::string text;
  for (std::size_t q = 0; q < run.ranking.size(); ++q) {
    int rank = 0;
    for (const RankedDocument& entry : run.ranking[q]) {
      text += fmt::format("{} Q0 {} {} {} {}\n", run.query_ids[q], run.document_ids[entry.document],
                          ++rank, shortest(entry.score), tag);
    }
  }
  return text;
}

Run read_trec_run(const std::filesystem::path& file) {
  TextLines lines(file);
  Run run;
  Names queries, documents;
  std::vector<Entry> entries;
  std::optional<std::string_view> other_tag;
  for (std::string_view text; lines.next(text);) {
    const std::vector<std::string_view> columns = split_columns(text);
    check_line(lines, columns, text);
    if (entries.empty()) run.name = columns[5];
    if (!other_tag && columns[5] != run.name) other_tag = columns[5];
    entries.push_back({queries.number(columns[0]), documents.number(columns[2]),
                       finite_score(lines, columns[4]), lines.number()});
  }
  if (entries.empty()) {
    dist::fail_input(
        {file.string(), "there are no results", "at least one line of a TREC run", "none", ""});
  }
  if (other_tag) {
    dist::log_world(
        dist::LogLevel::warning,
        fmt::format("{}: holds lines of several runs ('{}', '{}'); they are read as one",
                    file.string(), printable(run.name), printable(*other_tag)));
  }
  run.query_ids.assign(queries.names().begin(), queries.names().end());
  number_documents(documents, entries, run);
  refuse_duplicates(lines, entries, run);
  // Entries of a query stand by document now, so a stable order by score leaves ties by id bytes
  // descending.
  run.representation = "unknown";
  run.ranking.resize(run.query_ids.size());
  for (const Entry& entry : entries)
    run.ranking[entry.query].push_back({entry.document, entry.score});
  for (auto& list : run.ranking) {
    std::stable_sort(
        list.begin(), list.end(),
        [](const RankedDocument& a, const RankedDocument& b) { return a.score > b.score; });
    run.depth = std::max(run.depth, static_cast<std::int64_t>(list.size()));
  }
  return run;
}

}  // namespace puma::data
