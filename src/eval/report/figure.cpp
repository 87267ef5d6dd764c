// SPDX-License-Identifier: Apache-2.0
#include "eval/report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "dist/error.hpp"
#include "eval/report/wording.hpp"

namespace puma::eval {
namespace detail {
namespace {

constexpr int kPanelWidth = 560, kPanelHeight = 400;

// Okabe and Ito's colours, told apart with any colour vision, and a shape each for print in grey.
struct Look {
  const char* colour;
  int point_type;
};

Look look_of(const std::string& method, std::size_t other) {
  if (method == "puma") return {"#0072B2", 7};
  if (method == "raw_topk") return {"#D55E00", 5};
  constexpr std::array<Look, 5> kOthers{
      {{"#009E73", 9}, {"#CC79A7", 11}, {"#E69F00", 13}, {"#56B4E9", 15}, {"#7F6000", 3}}};
  return kOthers[other % kOthers.size()];
}

// In double quotes of gnuplot; what would be taken as markup or a command stays a letter.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

const MeasuredValue& primary(const Aggregate& a, const Row& row) {
  return row.values.at(a.options.primary);
}

// Data inline, under a name: k, mean, low, high.
std::string data_block(const Aggregate& a, const std::string& name,
                       const std::vector<const Row*>& rows) {
  std::string out = name + " << END\n";
  for (const Row* row : rows) {
    const MeasuredValue& v = primary(a, *row);
    out += fmt::format("{} {} {} {}\n", *row->k, v.mean, v.interval.low, v.interval.high);
  }
  return out + "END\n";
}

std::string axes(const Aggregate& a, const Panel& panel) {
  std::set<std::int64_t> ks;
  double top = 0;
  for (const auto& curve : panel.curves) {
    for (const Row* row : curve) {
      ks.insert(*row->k);
      top = std::max({top, primary(a, *row).mean, primary(a, *row).interval.high});
    }
  }
  for (const Row* row : panel.flat) top = std::max(top, primary(a, *row).interval.high);
  std::string tics;
  for (const std::int64_t k : ks) tics += fmt::format("{}{}", tics.empty() ? "" : ", ", k);
  return fmt::format(
      "set title {}\nset xtics ({})\nset xrange [{}:{}]\nset yrange [0:{}]\nset format y '%.{}f'\n",
      quoted(panel.title), tics, static_cast<double>(*ks.begin()) / 1.25,
      static_cast<double>(*ks.rbegin()) * 1.25, top > 0 ? 1.15 * top : 1.0, top < 0.05 ? 3 : 2);
}

// A dashed line with its interval, and its own label: it is no curve over k.
std::string flat_line(const Aggregate& a, const Row& row, int tag) {
  const MeasuredValue& v = primary(a, row);
  return fmt::format(
      "set object {0} rectangle from graph 0, first {2} to graph 1, first {3} behind "
      "fillcolor rgb '#777777' fillstyle solid 0.12 noborder\n"
      "set arrow {0} from graph 0, first {1} to graph 1, first {1} nohead "
      "linecolor rgb '#333333' linewidth 2 dashtype 2\n"
      "set label {0} {4} at graph 0.02, first {3} offset 0, 0.6 textcolor rgb '#333333'\n",
      tag, v.mean, v.interval.low, v.interval.high,
      quoted(row.method + " " + format_score(v.mean)));
}

std::string panel_script(const Aggregate& a, const Panel& panel) {
  std::string out = axes(a, panel);
  std::string bands, lines;
  int tag = 1;
  for (const Row* row : panel.flat) out += flat_line(a, *row, tag++);
  std::size_t others = 0;
  for (const auto& curve : panel.curves) {
    const std::string& method = curve[0]->method;
    const bool known = method == "puma" || method == "raw_topk";
    const Look look = look_of(method, known ? 0 : others++);
    const std::string name = fmt::format("$curve{}", tag++);
    out += data_block(a, name, curve);
    bands += fmt::format(
        "{} using 1:3:4 with filledcurves fillcolor rgb '{}' fillstyle "
        "transparent solid 0.18 noborder notitle, ",
        name, look.colour);
    lines += fmt::format(
        "{0}{1} using 1:2:3:4 with yerrorlines linecolor rgb '{2}' linewidth 2 "
        "pointtype {3} pointsize 0.9 title {4}",
        lines.empty() ? "" : ", ", name, look.colour, look.point_type, quoted(method));
  }
  return out + "plot " + bands + lines + "\nunset label\nunset arrow\nunset object\n";
}

}  // namespace

std::vector<Panel> figure_panels(const Aggregate& a) {
  std::vector<Panel> panels;
  const Row* above = nullptr;
  for (const Row& row : a.rows) {
    if (row.values.count(a.options.primary) == 0) continue;
    if (!above || !same_place(*above, row)) panels.push_back({place_name(a, row), {}, {}});
    Panel& panel = panels.back();
    if (!row.k) {
      panel.flat.push_back(&row);
    } else if (panel.curves.empty() || panel.curves.back()[0]->method != row.method) {
      panel.curves.push_back({&row});
    } else {
      panel.curves.back().push_back(&row);
    }
    above = &row;
  }
  std::erase_if(panels, [](const Panel& panel) { return panel.curves.empty(); });
  return panels;
}

std::string panels_script(const Aggregate& a, const std::vector<Panel>& panels) {
  PUMA_EXPECT(!panels.empty());
  const int columns = panels.size() == 1 ? 1 : 2;
  const int lines = (static_cast<int>(panels.size()) + columns - 1) / columns;
  std::string out = fmt::format(
      "set encoding utf8\n"
      "set terminal svg noenhanced size {},{} dynamic font 'Helvetica,Arial,sans-serif,15' "
      "background rgb 'white' linewidth 1\n"
      "set border 3 linecolor rgb '#555555'\nset tics nomirror out scale 0.6\nset title font "
      "',17'\n"
      "set grid ytics linecolor rgb '#DDDDDD' linetype 1\n"
      "set logscale x 2\n"
      "set xlabel 'k (active entries of a code)'\nset ylabel {}\n"
      "set key bottom right opaque samplen 2\n"
      "set lmargin 9\nset rmargin 2\nset tmargin 2.2\nset bmargin 3.4\n",
      columns * kPanelWidth, lines * kPanelHeight, quoted(a.options.primary));
  if (panels.size() > 1) out += fmt::format("set multiplot layout {},{}\n", lines, columns);
  for (const Panel& panel : panels) out += panel_script(a, panel);
  if (panels.size() > 1) out += "unset multiplot\n";
  return out;
}

}  // namespace detail

std::string figure_script(const Aggregate& a) {
  const auto panels = detail::figure_panels(a);
  return panels.empty() ? "" : detail::panels_script(a, panels);
}

std::string draw_figure(const Aggregate& a) {
  const std::string script = figure_script(a);
  return script.empty() ? "" : detail::run_gnuplot(script);
}

std::string draw_panels(const Aggregate& a) {
  std::string out;
  for (const detail::Panel& panel : detail::figure_panels(a)) {
    const std::string svg = detail::run_gnuplot(detail::panels_script(a, {panel}));
    if (svg.empty()) return "";                    // it will not work for the next one either
    const std::size_t element = svg.find("<svg");  // the XML declaration has no place in a page
    if (element != std::string::npos) out += svg.substr(element);
  }
  return out;
}

}  // namespace puma::eval
