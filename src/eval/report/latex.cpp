// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "eval/report/wording.hpp"

namespace puma::eval {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '_':
      case '%':
      case '&':
      case '#':
      case '$':
      case '{':
      case '}':
        out += '\\';
        out += c;
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '\\':
        out += "\\textbackslash{}";
        break;
      // In the OT1 encoding these two are other characters outside of mathematics.
      case '<':
      case '>':
        out += '$';
        out += c;
        out += '$';
        break;
      case '\n':
      case '\r':
        out += ' ';
        break;
      default:
        out += c;
    }
  }
  return out;
}

// A hyphen is no minus sign.
std::string number(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? std::string("$-$") : std::string(1, c);
  return out;
}

std::string marker() {
  return "\\textsuperscript{\\dag}";
}

std::string measure_cells(const Aggregate& a, const Row& row) {
  std::string out;
  for (const Measure& m : a.measures) {
    const auto value = row.values.find(m.name());
    if (value == row.values.end()) {
      out += " & --";
      continue;
    }
    const std::string mean = format_score(value->second.mean);
    out += detail::is_best(a, row, m.name()) ? " & \\textbf{" + mean + "}" : " & " + mean;
  }
  return out;
}

std::string comparison_cells(const Aggregate& a, const Row& row) {
  const Comparison* c = detail::primary_comparison(a, row);
  if (!c) return " & -- & -- & -- & --";
  return fmt::format(" & {} & {} & {}{} & {}/{}/{}", number(detail::format_signed(c->difference)),
                     number(detail::format_interval(c->interval, true)),
                     escaped(format_p(c->test.p)), detail::is_significant(a, *c) ? marker() : "",
                     c->wins, c->ties, c->losses);
}

std::string caption(const Aggregate& a) {
  std::string out = fmt::format("{}: retrieval quality, and differences of {} from {}. ",
                                escaped(a.options.study), escaped(a.options.primary),
                                escaped(a.options.baseline));
  out += "Bold: best of a data set and backbone, ties all bold.";
  // The marker is LaTeX already; a control character, which escaping leaves alone, carries it.
  for (const std::string& line : detail::how_made(a, "\x01")) out += ' ' + escaped(line);
  const std::size_t at = out.find('\x01');
  if (at != std::string::npos) out.replace(at, 1, "\\dag");
  for (const std::string& note : a.notes) out += ' ' + escaped(note);
  return out;
}

}  // namespace

std::string render_latex(const Aggregate& a) {
  const bool backbones = detail::several_backbones(a);
  std::string out = "% Needs \\usepackage{booktabs}.\n\\begin{table}[t]\n\\centering\n\\caption{" +
                    caption(a) + "}\n\\begin{tabular}{l" + (backbones ? "l" : "") + "lrr" +
                    std::string(a.measures.size(), 'r') + "rrrr}\n\\toprule\nData";
  if (backbones) out += " & Backbone";
  out += " & Method & $k$ & $n$";
  for (const Measure& m : a.measures) out += " & " + escaped(m.name());
  out += " & $\\Delta$ & 95\\% CI & $p$ & W/T/L \\\\\n";
  const Row* above = nullptr;
  for (const Row& row : a.rows) {
    const bool repeated = above && detail::same_place(*above, row);
    if (!repeated) out += "\\midrule\n";
    out += repeated ? "" : escaped(row.dataset);
    if (backbones) out += " & " + (repeated ? "" : escaped(row.backbone));
    out += fmt::format(" & {} & {} & {}", escaped(row.method),
                       row.k ? std::to_string(*row.k) : "--", row.queries);
    out += measure_cells(a, row) + comparison_cells(a, row) + " \\\\\n";
    above = &row;
  }
  return out + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

}  // namespace puma::eval
