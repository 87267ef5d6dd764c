// SPDX-License-Identifier: Apache-2.0
// Small tables for the tests of the report.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dist/philox.hpp"
#include "eval/report/aggregate.hpp"

namespace puma::eval::testing {

// `n` queries whose nDCG@10 and Success@5 lie around `level`; the same for equal arguments.
inline Cell sample_cell(const std::string& dataset, const std::string& method,
                        std::optional<std::int64_t> k, double level, std::size_t n = 60,
                        std::int64_t seed = 0) {
  Cell cell{dataset, "toy256", method, k, seed, {}, "qrels-1", "id-descending", "", 0};
  cell.provenance = fmt::format("evaluate/{}-{}{}-{}", dataset, method, k.value_or(0), seed);
  cell.bytes_per_vector = k ? 8 * *k : 4 * 256;
  MeasureTable& t = cell.measures;
  t.measures = {parse_measure("Success@5"), parse_measure("nDCG@10")};
  t.values.resize(2);
  for (std::size_t q = 0; q < n; ++q) {
    std::string id = fmt::format("q{}", 1000 + q);
    const float u =
        dist::random_unit(99, dist::RandomPurpose::test_data, static_cast<std::uint32_t>(q),
                          static_cast<std::uint64_t>(seed));
    const float v = dist::random_unit(7, dist::RandomPurpose::test_data,
                                      static_cast<std::uint32_t>(k.value_or(0)) + 100, q);
    const double gain = std::min(1.0, level * (0.4 + 0.8 * double{u} + 0.4 * double{v}));
    t.query_ids.push_back(std::move(id));
    t.values[0].push_back(gain > 0.45 ? 1 : 0);
    t.values[1].push_back(gain);
    t.relevant.push_back(1);
  }
  t.judged_queries = static_cast<std::int64_t>(n);
  return cell;
}

// Two data sets, three methods, three k.
inline std::vector<Cell> sample_cells() {
  std::vector<Cell> cells;
  for (const std::string dataset : {"toy_task7", "toy_task0"}) {
    const double scale = dataset == "toy_task7" ? 1.0 : 0.3;
    for (const std::int64_t k : {32, 8, 16}) {
      cells.push_back(sample_cell(dataset, "puma", k, scale * (0.35 + 0.004 * double(k))));
      cells.push_back(sample_cell(dataset, "raw_topk", k, scale * (0.10 + 0.0125 * double(k))));
    }
    cells.push_back(sample_cell(dataset, "dense", std::nullopt, scale * 0.5));
  }
  return cells;
}

inline AggregateOptions quick_options() {
  AggregateOptions options;
  options.study = "toy";
  options.trials = 499;
  options.resamples = 399;
  return options;
}

}  // namespace puma::eval::testing
