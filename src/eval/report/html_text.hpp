// SPDX-License-Identifier: Apache-2.0
// Parts of the page.
#pragma once

#include <string>

#include "eval/report/aggregate.hpp"

namespace puma::eval::detail {

// Safe in element text and in quoted attributes.
std::string escape_html(const std::string& text);

// The table of results: one body per data set and backbone, labels on each cell for narrow screens.
std::string results_table(const Aggregate& a);

}  // namespace puma::eval::detail
