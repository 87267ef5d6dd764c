// SPDX-License-Identifier: Apache-2.0
#include "eval/report/joined_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "dist/error.hpp"
#include "eval/stats/fixed_point.hpp"

namespace puma::eval::detail {
namespace {

std::string cell_name(const Cell& cell) {
  const std::string k = cell.k ? fmt::format(" k={}", *cell.k) : "";
  return fmt::format("{} ({} {} {}{} seed={})", cell.provenance, cell.dataset, cell.backbone,
                     cell.method, k, cell.seed);
}

void check_cell(const Cell& cell) {
  const MeasureTable& t = cell.measures;
  const std::size_t n = t.query_ids.size();
  const auto refuse = [&](const std::string& problem, std::string expected, std::string found) {
    dist::fail_input({cell_name(cell), problem, std::move(expected), std::move(found),
                      "Evaluate the run again with `puma evaluate`."});
  };
  if (t.values.size() != t.measures.size() || t.relevant.size() != n) {
    refuse("columns are missing",
           fmt::format("{} columns and {} denominators", t.measures.size(), n),
           fmt::format("{} and {}", t.values.size(), t.relevant.size()));
  }
  for (std::size_t m = 0; m < t.values.size(); ++m) {
    const std::string name = t.measures[m].name();
    if (t.values[m].size() != n) {
      refuse("column " + name + " has another length", std::to_string(n),
             std::to_string(t.values[m].size()));
    }
    for (std::size_t q = 0; q < n; ++q) {
      if (!std::isfinite(t.values[m][q])) {
        refuse(fmt::format("{} of query {} is no number", name, t.query_ids[q]), "a finite value",
               fmt::format("{}", t.values[m][q]));
      }
    }
  }
  for (std::size_t q = 0; q < n; ++q) {
    if (!(t.relevant[q] > 0) || !std::isfinite(t.relevant[q])) {
      refuse("query " + t.query_ids[q] + " has no relevant document", "at least 1",
             fmt::format("{}", t.relevant[q]));
    }
  }
}

// Positions of the queries in byte order of their ids; refuses an id that is there twice.
std::vector<std::size_t> order_by_id(const Cell& cell) {
  const std::vector<std::string>& ids = cell.measures.query_ids;
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (ids[order[i]] == ids[order[i - 1]]) {
      dist::fail_input({cell_name(cell), "a query is listed twice", "unique query ids",
                        ids[order[i]], "Evaluate the run again with `puma evaluate`."});
    }
  }
  return order;
}

std::vector<double> in_order(const std::vector<double>& values,
                             const std::vector<std::size_t>& order) {
  std::vector<double> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(values[i]);
  return sorted;
}

std::vector<std::string> measure_names(const Cell& cell) {
  std::vector<std::string> names;
  for (const Measure& m : cell.measures.measures) names.push_back(m.name());
  return names;
}

// The cells of one row, seeds ascending, as one: per query the mean over seeds.
JoinedRow join_seeds(std::vector<const Cell*> cells) {
  std::sort(cells.begin(), cells.end(),
            [](const Cell* a, const Cell* b) { return a->seed < b->seed; });
  const Cell& first = *cells[0];
  JoinedRow joined;
  joined.cells = cells;
  joined.tie_rule = first.tie_rule;
  joined.row.dataset = first.dataset;
  joined.row.backbone = first.backbone;
  joined.row.method = first.method;
  joined.row.k = first.k;
  joined.row.qrels_checksum = first.qrels_checksum;
  joined.row.bytes_per_vector = first.bytes_per_vector;
  joined.row.queries = static_cast<std::int64_t>(first.measures.query_ids.size());
  std::map<std::string, std::vector<double>> sums;
  std::vector<double> relevant;
  for (std::size_t s = 0; s < cells.size(); ++s) {
    const Cell& cell = *cells[s];
    check_cell(cell);
    const std::vector<std::size_t> order = order_by_id(cell);
    std::vector<std::string> ids;
    for (const std::size_t i : order) ids.push_back(cell.measures.query_ids[i]);
    const std::vector<double> denominators = in_order(cell.measures.relevant, order);
    if (s == 0) {
      joined.query_ids = ids;
      relevant = denominators;
    } else if (cell.seed == cells[s - 1]->seed) {
      dist::fail_usage(cell_name(cell) + " is given twice", cell_name(*cells[s - 1]),
                       "Give every variant and seed once.");
    } else if (ids != joined.query_ids || denominators != relevant ||
               cell.qrels_checksum != first.qrels_checksum || cell.tie_rule != first.tie_rule ||
               measure_names(cell) != measure_names(first)) {
      dist::fail_usage("seeds of one variant were evaluated differently",
                       cell_name(first) + " and " + cell_name(cell) +
                           " differ in queries, judgements, tie rule or measures",
                       "Evaluate all seeds with the same qrels and measures.");
    }
    for (std::size_t m = 0; m < cell.measures.values.size(); ++m) {
      const std::vector<double> sorted = in_order(cell.measures.values[m], order);
      std::vector<double>& sum = sums[cell.measures.measures[m].name()];
      sum.resize(sorted.size(), 0.0);
      std::transform(sum.begin(), sum.end(), sorted.begin(), sum.begin(), std::plus<>());
    }
    joined.row.seeds.push_back(cell.seed);
    joined.row.provenance.push_back(cell.provenance);
  }
  for (auto& [name, sum] : sums) {
    for (double& x : sum) x /= static_cast<double>(cells.size());
    joined.values[name] = stats::to_fixed(sum);
  }
  joined.relevant = stats::to_fixed(relevant);
  return joined;
}

// Position of `name` in `names`, which grows in order of first appearance.
std::size_t appearance(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

}  // namespace

std::vector<JoinedRow> join_cells(const std::vector<Cell>& cells) {
  // The plain methods first, the paper's method last, whatever else is compared in between.
  std::vector<std::string> datasets, backbones, methods{"dense", "raw_topk"};
  using Place = std::tuple<std::size_t, std::size_t, std::size_t, std::int64_t>;
  std::map<Place, std::vector<const Cell*>> places;
  for (const Cell& cell : cells) {
    const std::size_t method =
        cell.method == "puma" ? cells.size() + 2 : appearance(methods, cell.method);
    places[{appearance(datasets, cell.dataset), appearance(backbones, cell.backbone), method,
            cell.k.value_or(-1)}]
        .push_back(&cell);
  }
  std::vector<JoinedRow> rows;
  for (const auto& [place, members] : places) rows.push_back(join_seeds(members));
  return rows;
}

std::vector<Measure> all_measures(const std::vector<Cell>& cells) {
  std::vector<Measure> measures;
  std::vector<std::string> names;
  for (const Cell& cell : cells) {
    for (const Measure& m : cell.measures.measures) {
      const std::size_t before = names.size();
      if (appearance(names, m.name()) == before) measures.push_back(m);
    }
  }
  return measures;
}

std::string why_not_comparable(const JoinedRow& a, const JoinedRow& b, const Measure& measure) {
  if (a.values.count(measure.name()) == 0 || b.values.count(measure.name()) == 0) {
    return "the measure is missing on one side";
  }
  if (a.query_ids.empty() || b.query_ids.empty()) return "there is no query to compare on";
  if (a.query_ids != b.query_ids) return "the query sets differ";
  if (a.row.qrels_checksum != b.row.qrels_checksum) return "the relevance judgements differ";
  if (a.tie_rule != b.tie_rule) return "the tie rules differ";
  if (measure.kind == MeasureKind::micro_recall && a.relevant != b.relevant) {
    return "the numbers of relevant documents differ";
  }
  return "";
}

}  // namespace puma::eval::detail
