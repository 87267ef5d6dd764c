// SPDX-License-Identifier: Apache-2.0
#include "data/qrels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "data/text_lines.hpp"
#include "dist/error.hpp"

namespace puma::data {

namespace {

struct Line {
  std::string_view query, document;
  std::int64_t relevance = 0;
  std::int64_t number = 0;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool has_control(std::string_view id) {
  return std::any_of(id.begin(), id.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

Line parse_line(std::string_view text, const TextLines& lines) {
  const auto columns = split_columns(text);
  if (columns.size() != 4 && columns.size() != 5) {
    dist::fail_input({lines.where(), "this is no line of qrels",
                      "4 columns (qid 0 did relevance) or M-BEIR's 5 (with the task id)",
                      fmt::format("{} column{}: '{}'", columns.size(),
                                  columns.size() == 1 ? "" : "s", printable(text)),
                      ""});
  }
  const auto relevance = whole_number(columns[3]);
  if (!relevance) {
    dist::fail_input({lines.where(), "the relevance is no whole number", "a number such as 0 or 1",
                      fmt::format("'{}'", printable(columns[3])), ""});
  }
  if (columns.size() == 5 && !whole_number(columns[4])) {
    dist::fail_input({lines.where(), "the fifth column is no task id", "a whole number",
                      fmt::format("'{}'", printable(columns[4])), ""});
  }
  for (const std::string_view id : {columns[0], columns[2]}) {
    if (has_control(id)) {
      dist::fail_input({lines.where(), "an id holds a control character", "printable ids",
                        fmt::format("'{}'", printable(id)), "Is this a text file?"});
    }
  }
  return {columns[0], columns[2], *relevance, lines.number()};
}

}  // namespace

std::int64_t Qrels::pairs() const {
  std::int64_t n = 0;
  for (const auto& [query, judged] : judgements) n += static_cast<std::int64_t>(judged.size());
  return n;
}

Qrels read_qrels(const std::filesystem::path& file) {
  TextLines lines(file);
  std::vector<Line> all;
  for (std::string_view text; lines.next(text);) all.push_back(parse_line(text, lines));
  if (all.empty()) {
    dist::fail_input(
        {file.string(), "there are no judgements", "at least one line of qrels", "none", ""});
  }
  std::sort(all.begin(), all.end(), [](const Line& a, const Line& b) {
    return std::tie(a.query, a.document, a.number) < std::tie(b.query, b.document, b.number);
  });
  Qrels qrels;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].query == all[i - 1].query && all[i].document == all[i - 1].document) {
      dist::fail_input({lines.where(all[i].number), "a pair of query and document is judged twice",
                        "each pair once",
                        fmt::format("'{} {}' in lines {} and {}", printable(all[i].query),
                                    printable(all[i].document), all[i - 1].number, all[i].number),
                        "Remove one of the lines."});
    }
    qrels.judgements[std::string(all[i].query)].push_back(
        {std::string(all[i].document), all[i].relevance});
  }
  return qrels;
}

std::string qrels_text(const Qrels& qrels) {
  std::string text;
  for (const auto& [query, judged] : qrels.judgements) {
    for (const Judgement& judgement : judged) {
      text += fmt::format("{} 0 {} {}\n", query, judgement.document, judgement.relevance);
    }
  }
  return text;
}

void check_qrels_queries(const Qrels& qrels, const std::vector<std::string>& query_ids,
                         const std::filesystem::path& file) {
  const std::unordered_set<std::string_view> known(query_ids.begin(), query_ids.end());
  std::int64_t unknown = 0;
  std::string first;
  for (const auto& [query, judged] : qrels.judgements) {
    if (known.count(query) != 0) continue;
    if (unknown++ == 0) first = query;
  }
  if (unknown == 0) return;
  dist::fail_input(
      {file.string(), fmt::format("query '{}' is judged but has no embedding", printable(first)),
       fmt::format("only queries among the {} embedded ones", query_ids.size()),
       fmt::format("{} unknown of {} judged queries", unknown, qrels.judgements.size()),
       "Do the qrels belong to this data set, task and split?"});
}

}  // namespace puma::data
