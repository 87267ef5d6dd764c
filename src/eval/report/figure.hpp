// SPDX-License-Identifier: Apache-2.0
// The figure as gnuplot scripts: which curves a panel has, and how they look.
#pragma once

#include <string>
#include <vector>

#include "eval/report/aggregate.hpp"

namespace puma::eval::detail {

// One data set and backbone: rows of the table that have the primary measure.
struct Panel {
  std::string title;
  std::vector<const Row*> flat;                 // without k: horizontal lines
  std::vector<std::vector<const Row*>> curves;  // one a method, k ascending
};

// Only panels with at least one curve.
std::vector<Panel> figure_panels(const Aggregate& a);

// A script that draws these panels into one SVG on stdout. Expects at least one.
std::string panels_script(const Aggregate& a, const std::vector<Panel>& panels);

// Standard output of gnuplot for a script; empty, with a warning in the log, when gnuplot is not
// installed or fails.
std::string run_gnuplot(const std::string& script);

}  // namespace puma::eval::detail
