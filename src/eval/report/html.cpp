// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "eval/report/html_text.hpp"
#include "eval/report/page_style.hpp"
#include "eval/report/wording.hpp"

namespace puma::eval {
namespace {

using detail::escape_html;

std::string verdict_list(const Aggregate& a) {
  std::string out = "<ul class=\"verdicts\">\n";
  for (const std::string& verdict : verdicts(a)) {
    const char* kind = verdict.find(" beats ") != std::string::npos          ? " class=\"better\""
                       : verdict.find(" falls behind ") != std::string::npos ? " class=\"worse\""
                                                                             : "";
    out += fmt::format("<li{}>{}</li>\n", kind, escape_html(verdict));
  }
  return out + "</ul>\n";
}

std::string bullet_list(const std::vector<std::string>& items) {
  std::string out = "<ul>\n";
  for (const std::string& item : items) out += "<li>" + escape_html(item) + "</li>\n";
  return out + "</ul>\n";
}

std::string figure(const Aggregate& a, const std::string& svg) {
  if (svg.empty()) return "";
  return fmt::format(
      "<h2>Quality against k</h2>\n<figure class=\"figure\">\n{}\n<figcaption>{} by the number k "
      "of active entries, with 95% bootstrap intervals. Dashed: the uncompressed vectors. These "
      "intervals are of each mean alone; the paired difference in the table is the sharper "
      "comparison.</figcaption>\n</figure>\n",
      svg, escape_html(a.options.primary));
}

// Bytes of a vector of each kind, where the cells tell.
std::string storage(const Aggregate& a) {
  std::string rows;
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const Row& row = a.rows[i];
    const auto value = row.values.find(a.options.primary);
    if (row.bytes_per_vector <= 0 || value == row.values.end()) continue;
    const auto base = std::find_if(a.rows.begin(), a.rows.end(), [&](const Row& other) {
      return detail::same_place(other, row) && other.method == a.options.baseline &&
             other.bytes_per_vector > 0;
    });
    std::string share = "–", kept = "–";
    if (base != a.rows.end()) {
      share = fmt::format("{:.1f}%", 100.0 * static_cast<double>(row.bytes_per_vector) /
                                         static_cast<double>(base->bytes_per_vector));
      const auto theirs = base->values.find(a.options.primary);
      if (theirs != base->values.end() && theirs->second.mean > 0) {
        kept = fmt::format("{:.0f}%", 100.0 * value->second.mean / theirs->second.mean);
      }
    }
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td>"
        "<td class=\"num\">{}</td></tr>\n",
        escape_html(detail::place_name(a, row)), escape_html(detail::variant_name(row)),
        row.bytes_per_vector, share, kept);
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<h2>Storage against quality</h2>\n<p>A dense vector of d dimensions takes 4d bytes, a code "
      "of k entries 8k (a 4-byte number and a 4-byte value each); narrower encodings are "
      "possible.</p>\n<table class=\"storage\"><thead><tr><th>Data set</th><th>Variant</th>"
      "<th class=\"num\">Bytes</th><th class=\"num\">of {1}</th><th class=\"num\">{0} kept</th>"
      "</tr></thead><tbody>\n{2}</tbody></table>\n",
      escape_html(a.options.primary), escape_html(a.options.baseline), rows);
}

std::string definitions(const Aggregate& a) {
  std::string out = "<h2>Measures</h2>\n<dl>\n";
  for (const Measure& m : a.measures) {
    out +=
        fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(m.name()), escape_html(m.definition()));
  }
  return out + "</dl>\n";
}

std::string provenance(const Aggregate& a) {
  std::string out =
      "<h2>Where each row comes from</h2>\n<p>Folders of the store; each holds the measures per "
      "query and a manifest with its inputs.</p>\n<dl>\n";
  for (const Row& row : a.rows) {
    std::string list;
    for (const std::string& p : row.provenance) {
      list += fmt::format("{}<code>{}</code>", list.empty() ? "" : ", ", escape_html(p));
    }
    out += fmt::format("<dt>{}: {}</dt><dd>{}</dd>\n", escape_html(detail::place_name(a, row)),
                       escape_html(detail::variant_name(row)), list);
  }
  return out + "</dl>\n";
}

}  // namespace

std::string render_html(const Aggregate& a, const std::string& figure_svg) {
  const std::string title = escape_html(a.options.study);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}: {1} against "
      "{2}</title>\n<style>{3}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p "
      "class=\"lead\">Retrieval with every variant, held against {2} by {1}.</p>\n",
      title, escape_html(a.options.primary), escape_html(a.options.baseline), detail::page_style());
  // The author's remarks come first in `notes`: they say how to read the page.
  const auto remarks = static_cast<std::ptrdiff_t>(a.options.notes.size());
  for (const std::string& note : a.options.notes) out += "<p>" + escape_html(note) + "</p>\n";
  out += figure(a, figure_svg);
  out += "<h2>Results</h2>\n" + detail::results_table(a);
  out += "<h2>Verdicts</h2>\n" + verdict_list(a);
  if (std::ssize(a.notes) > remarks) {
    out += "<h2>Notes on the data</h2>\n" + bullet_list({a.notes.begin() + remarks, a.notes.end()});
  }
  out += storage(a);
  out += "<h2>How the statistics were made</h2>\n" + bullet_list(detail::how_made(a, "†"));
  out += definitions(a) + provenance(a);
  return out +
         "<footer>The same numbers unrounded: table.json and table.csv; for a paper: table.tex; "
         "the figure: figure.svg.</footer>\n</main>\n</body>\n</html>\n";
}

}  // namespace puma::eval
