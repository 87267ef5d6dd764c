// SPDX-License-Identifier: Apache-2.0
// A row of the table with the per-query values behind it: what aggregate() computes with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "eval/report/aggregate.hpp"

namespace puma::eval::detail {

struct JoinedRow {
  Row row;
  std::vector<std::string> query_ids;  // sorted by bytes
  // By measure name, in query order and fixed point, averaged over seeds.
  std::map<std::string, std::vector<std::int64_t>> values;
  std::vector<std::int64_t> relevant;  // fixed point: the denominators of micro recall
  std::string tie_rule;
  std::vector<const Cell*> cells;  // by seed; borrowed
};

// Checks the cells and joins those that differ in nothing but the seed, in the table's order.
std::vector<JoinedRow> join_cells(const std::vector<Cell>& cells);

// All measures of the cells in order of first appearance.
std::vector<Measure> all_measures(const std::vector<Cell>& cells);

// Why the two rows must not be compared on `measure`; empty when they may.
std::string why_not_comparable(const JoinedRow& a, const JoinedRow& b, const Measure& measure);

// What was left out and where the tie rule decided, in words.
std::vector<std::string> data_notes(const std::vector<JoinedRow>& rows);

}  // namespace puma::eval::detail
