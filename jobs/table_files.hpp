// SPDX-License-Identifier: Apache-2.0
// What aggregation reads and writes as files: measures in, tables out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "eval/report/aggregate.hpp"
#include "study/store.hpp"
#include "study/task.hpp"

namespace puma::jobs {

// "dataset=D,backbone=B,method=M[,k=K][,seed=S],measures=FILE" (the file last: its path may hold
// commas) with the measures read. Wrong keys are usage errors.
eval::Cell read_cell(const std::string& text);

// The cells of an aggregate task, from the measures of its parents.
std::vector<eval::Cell> read_cells(const study::TaskGraph& graph, const study::Store& store,
                                   const study::Task& task);

// The options of an aggregate task.
eval::AggregateOptions options_from_params(const nlohmann::json& params);

// table.md, table.csv, table.tex, table.json, figure.svg and index.html: what they are called in
// every folder that holds them.
const std::vector<std::string>& table_file_names();

// Writes them all into `folder`, each atomically; figure.svg is empty text where nothing was drawn.
void write_tables(const std::filesystem::path& folder, const eval::Aggregate& a);

}  // namespace puma::jobs
