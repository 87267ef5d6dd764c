// SPDX-License-Identifier: Apache-2.0
// The end of a study for people: the table on the terminal and files where one looks for them.
#pragma once

#include <filesystem>
#include <string>

#include "study/store.hpp"
#include "study/task.hpp"

namespace puma::jobs {

// Copies the tables in `folder` to `target`, prints the Markdown table with its verdicts on stdout
// and where the page is. An empty or equal target copies nothing.
void show_tables(const std::filesystem::path& folder, const std::filesystem::path& target);

// Does so for every finished aggregate task, into <results>/<study>/. Returns how many there were;
// computes nothing.
int show_results(const study::TaskGraph& graph, const study::Store& store,
                 const std::filesystem::path& results = "results");

}  // namespace puma::jobs
