// SPDX-License-Identifier: Apache-2.0
// The same table for people, spreadsheets, papers and programs. Decisions (bold, markers) are made
// on unrounded values; values are rounded once. Nothing here depends on time or machine.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "eval/report/aggregate.hpp"

namespace puma::eval {

// Also what the terminal shows: aligned columns, verdicts, notes.
std::string render_markdown(const Aggregate& a);
// Unrounded, RFC 4180 quotes, LF; one line per row and measure.
std::string render_csv(const Aggregate& a);
// booktabs; the caption states n, test, sidedness, R, B, seed, and what is bold and marked.
std::string render_latex(const Aggregate& a);
// Unrounded; never NaN.
nlohmann::json render_json(const Aggregate& a);
// A self-contained page: table, verdicts in words, provenance, the figure (text of one or several
// svg elements, inlined; may be empty).
std::string render_html(const Aggregate& a, const std::string& figure_svg);

// A gnuplot script (SVG to stdout, with its data inline): quality against k with interval bands,
// one panel per data set and backbone, dense as a dashed line.
std::string figure_script(const Aggregate& a);
// Runs gnuplot on it. Empty, with a warning in the log, where gnuplot is not installed, and empty
// where nothing has a k.
std::string draw_figure(const Aggregate& a);
// The same panels as svg elements of their own, one after another: a page lays them out to its
// width.
std::string draw_panels(const Aggregate& a);

// ".0833", "-.0125", "1.0000": four digits, no leading zero, as the paper prints.
std::string format_score(double value, int digits = 4);
// "< .0001", ".0350"; never 0, never NaN.
std::string format_p(double p);

}  // namespace puma::eval
