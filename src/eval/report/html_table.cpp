// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "eval/report/html_text.hpp"
#include "eval/report/wording.hpp"

namespace puma::eval::detail {
namespace {

std::string cell(const std::string& label, const std::string& classes, const std::string& inner) {
  return fmt::format("<td class=\"{}\" data-label=\"{}\">{}</td>", classes, escape_html(label),
                     inner);
}

std::string measure_cell(const Aggregate& a, const Row& row, const std::string& name) {
  const auto value = row.values.find(name);
  if (value == row.values.end()) return cell(name, "num empty", "–");
  return cell(
      name, "num",
      fmt::format("<span><span{}>{}</span><span class=\"ci\">{}</span></span>",
                  is_best(a, row, name) ? " class=\"best\"" : "", format_score(value->second.mean),
                  format_interval(value->second.interval, false)));
}

std::string comparison_cells(const Aggregate& a, const Row& row) {
  const std::string label = "vs " + a.options.baseline;
  const Comparison* c = primary_comparison(a, row);
  if (!c) {
    const auto value = row.values.find(a.options.primary);
    const bool reason = value != row.values.end() && !value->second.no_comparison_because.empty();
    return cell(label, reason ? "num" : "num empty",
                reason ? escape_html(value->second.no_comparison_because) : "") +
           cell("p", "num empty", "") + cell("W/T/L", "num empty", "");
  }
  const bool significant = is_significant(a, *c);
  const char* direction = !significant ? "" : c->difference > 0 ? "up" : "down";
  return cell(label, "num",
              fmt::format("<span><span class=\"{}\">{}</span><span class=\"ci\">{}</span></span>",
                          direction, format_signed(c->difference),
                          format_interval(c->interval, true))) +
         cell("p", "num",
              fmt::format("<span>{}{}<span class=\"ci\">{}</span></span>",
                          escape_html(format_p(c->test.p)), significant ? " †" : "",
                          test_kind(c->test))) +
         cell("W/T/L", "num", fmt::format("{}/{}/{}", c->wins, c->ties, c->losses));
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string results_table(const Aggregate& a) {
  std::string out =
      "<div class=\"results\">\n<table>\n<thead><tr><th>Method</th><th class=\"num\">k</th>";
  for (const Measure& m : a.measures) {
    out += "<th class=\"num\">" + escape_html(m.name()) + "</th>";
  }
  out += fmt::format(
      "<th class=\"num\">{} vs {}</th><th class=\"num\">p</th><th "
      "class=\"num\">W/T/L</th></tr></thead>\n",
      escape_html(a.options.primary), escape_html(a.options.baseline));
  const Row* above = nullptr;
  for (const Row& row : a.rows) {
    if (!above || !same_place(*above, row)) {
      out += fmt::format(
          "{}<tbody class=\"place\">\n<tr><th colspan=\"{}\">{}<small>{}, {} "
          "queries</small></th></tr>\n",
          above ? "</tbody>\n" : "", a.measures.size() + 5, escape_html(row.dataset),
          escape_html(row.backbone), row.queries);
    }
    out += row.method == a.options.baseline ? "<tr class=\"variant baseline\">"
                                            : "<tr class=\"variant\">";
    out += cell("", "name", escape_html(row.method)) +
           cell("k", row.k ? "num" : "num empty", k_text(row));
    for (const Measure& m : a.measures) out += measure_cell(a, row, m.name());
    out += comparison_cells(a, row) + "</tr>\n";
    above = &row;
  }
  return out + (above ? "</tbody>\n" : "") + "</table>\n</div>\n";
}

}  // namespace puma::eval::detail
