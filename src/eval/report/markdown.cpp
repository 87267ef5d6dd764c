// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "eval/report/wording.hpp"

namespace puma::eval {
namespace {

// Columns on the terminal: bytes of UTF-8 that start a character (all of ours are one column wide).
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// A cell must not end its row: '|' is escaped, and line ends become spaces.
std::string cell_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

class Grid {
 public:
  void column(const std::string& title, bool right) {
    titles_.push_back(cell_text(title));
    right_.push_back(right);
  }
  void row(std::vector<std::string> cells) {
    for (std::string& c : cells) c = cell_text(c);
    rows_.push_back(std::move(cells));
  }
  std::string text() const {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < titles_.size(); ++c) {
      std::size_t w = std::max<std::size_t>(3, width(titles_[c]));
      for (const auto& row : rows_) w = std::max(w, width(row[c]));
      widths.push_back(w);
    }
    std::string out = line(titles_, widths) + "|";
    for (std::size_t c = 0; c < titles_.size(); ++c) {
      out += ' ' + std::string(widths[c] - (right_[c] ? 1 : 0), '-') + (right_[c] ? ": |" : " |");
    }
    out += '\n';
    for (const auto& row : rows_) out += line(row, widths);
    return out;
  }

 private:
  std::string line(const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths) const {
    std::string out = "|";
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string padding(widths[c] - width(cells[c]), ' ');
      out += right_[c] ? " " + padding + cells[c] + " |" : " " + cells[c] + padding + " |";
    }
    return out + '\n';
  }
  std::vector<std::string> titles_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

std::string list(const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string out = "\n" + title + "\n\n";
  for (const std::string& item : items) out += "- " + item + "\n";
  return out;
}

}  // namespace

std::string render_markdown(const Aggregate& a) {
  const bool backbones = detail::several_backbones(a);
  Grid grid;
  grid.column("Data set", false);
  if (backbones) grid.column("Backbone", false);
  grid.column("Method", false);
  grid.column("k", true);
  grid.column("n", true);
  for (const Measure& m : a.measures) grid.column(m.name(), true);
  grid.column("vs " + a.options.baseline, true);
  grid.column("95% CI", true);
  grid.column("p", true);
  grid.column("W/T/L", true);
  const Row* above = nullptr;
  for (const Row& row : a.rows) {
    // A data set is named once: the eye then finds where the next one begins.
    const bool repeated = above && detail::same_place(*above, row);
    std::vector<std::string> cells{repeated ? "" : row.dataset};
    if (backbones) cells.push_back(repeated ? "" : row.backbone);
    cells.insert(cells.end(),
                 {row.method, detail::k_text(row),
                  repeated && above->queries == row.queries ? "" : std::to_string(row.queries)});
    for (const Measure& m : a.measures) {
      const auto value = row.values.find(m.name());
      cells.push_back(value == row.values.end() ? "–" : format_score(value->second.mean));
    }
    if (const Comparison* c = detail::primary_comparison(a, row)) {
      cells.insert(
          cells.end(),
          {detail::format_signed(c->difference), detail::format_interval(c->interval, true),
           format_p(c->test.p) + (detail::is_significant(a, *c) ? " †" : "  "),
           fmt::format("{}/{}/{}", c->wins, c->ties, c->losses)});
    } else {
      cells.insert(cells.end(), {"", "", "", ""});
    }
    grid.row(std::move(cells));
    above = &row;
  }
  return fmt::format("# {}: {} against {}\n\n", a.options.study, a.options.primary,
                     a.options.baseline) +
         grid.text() + list("Verdicts", verdicts(a)) + list("Notes", a.notes) +
         list("How it was computed", detail::how_made(a, "†"));
}

}  // namespace puma::eval
