// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "eval/report/joined_row.hpp"

namespace puma::eval::detail {
namespace {

std::string some_of(const std::vector<std::string>& ids) {
  constexpr std::size_t kNamed = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), kNamed); ++i) {
    if (i > 0) text += ", ";
    text += ids[i];
  }
  return ids.size() > kNamed ? text + ", ..." : text;
}

std::string count_of(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

void add_once(std::vector<std::string>& notes, const std::string& note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

std::string variant(const Cell& cell) {
  return cell.method + (cell.k ? fmt::format(" k={}", *cell.k) : "");
}

}  // namespace

std::vector<std::string> data_notes(const std::vector<JoinedRow>& rows) {
  std::vector<std::string> notes;
  for (const JoinedRow& row : rows) {
    for (const Cell* cell : row.cells) {
      const MeasureTable& t = cell->measures;
      const std::string place = cell->dataset + ", " + cell->backbone;
      if (!t.without_positive_in_pool.empty()) {
        add_once(notes,
                 fmt::format(
                     "{}: {} without a relevant document in the candidate pool left out "
                     "({}).",
                     place,
                     count_of(t.without_positive_in_pool.size(), "judged query", "judged queries"),
                     some_of(t.without_positive_in_pool)));
      }
      if (!t.unjudged.empty()) {
        add_once(notes,
                 fmt::format("{}: {} of the runs not judged, and ignored ({}).", place,
                             count_of(t.unjudged.size(), "query", "queries"), some_of(t.unjudged)));
      }
      if (t.positives_outside_pool > 0) {
        add_once(notes, fmt::format("{}: {} relevant document{} outside the candidate pool: no "
                                    "method can find {}.",
                                    place, t.positives_outside_pool,
                                    t.positives_outside_pool == 1 ? " lies" : "s lie",
                                    t.positives_outside_pool == 1 ? "it" : "them"));
      }
      if (!t.missing_from_run.empty()) {
        add_once(notes,
                 fmt::format("{}, {}: {} missing from the run, and counted as 0 ({}).", place,
                             variant(*cell),
                             count_of(t.missing_from_run.size(), "judged query", "judged queries"),
                             some_of(t.missing_from_run)));
      }
    }
  }
  // Where equal scores stand on both sides of a cutoff, the order of ids decides what is found.
  std::vector<std::string> places;
  for (const JoinedRow& row : rows) add_once(places, row.row.dataset + ", " + row.row.backbone);
  for (const std::string& place : places) {
    std::string list;
    for (const JoinedRow& row : rows) {
      std::int64_t ties = 0;
      for (const Cell* cell : row.cells) ties += cell->measures.ties_across_cutoff;
      if (row.row.dataset + ", " + row.row.backbone != place || ties == 0) continue;
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", variant(*row.cells[0]), ties);
    }
    if (!list.empty()) {
      notes.push_back(
          fmt::format("{}: equal scores straddle a cutoff, so that the tie rule "
                      "decides there, in (queries): {}.",
                      place, list));
    }
  }
  return notes;
}

}  // namespace puma::eval::detail
