// SPDX-License-Identifier: Apache-2.0
// From per-query measures to the rows of a table: means with intervals, and each method against the
// baseline.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dist/comm.hpp"
#include "eval/measures.hpp"
#include "eval/stats/bootstrap.hpp"
#include "eval/stats/sign_flip.hpp"

namespace puma::eval {

// One evaluated variant.
struct Cell {
  std::string dataset, backbone, method;
  std::optional<std::int64_t> k;  // none for dense
  std::int64_t seed = 0;
  MeasureTable measures;
  std::string qrels_checksum;         // comparisons across different judgements are refused
  std::string tie_rule;               // and across different orders of equal scores
  std::string provenance;             // "evaluate/<id>"
  std::int64_t bytes_per_vector = 0;  // 4d dense, 8k sparse; 0: unknown
};

struct Comparison {
  double difference = 0;  // mean(method) - mean(the other)
  stats::Interval interval;
  stats::SignFlipResult test;
  std::int64_t wins = 0, ties = 0, losses = 0;
};

struct MeasuredValue {
  double mean = 0;
  stats::Interval interval;
  std::optional<Comparison> against_baseline;  // none for the baseline itself
  std::string no_comparison_because;  // "the query sets differ", ... when there should be one
};

struct Row {
  std::string dataset, backbone, method;
  std::optional<std::int64_t> k;
  std::vector<std::int64_t> seeds;  // per-query values are averaged over these before any test
  std::int64_t queries = 0;
  std::map<std::string, MeasuredValue> values;  // by measure name
  std::optional<Comparison> against_peer;       // primary measure, against the peer at equal k
  std::vector<std::string> provenance;
  std::string qrels_checksum;
  std::int64_t bytes_per_vector = 0;  // 0: unknown
};

struct AggregateOptions {
  std::string study = "study";
  std::string baseline = "dense";
  std::string peer = "raw_topk";    // also compared with at equal k; empty: with none
  std::string primary = "nDCG@10";  // the measure of the verdict and the figure
  double alpha = 0.05;
  std::int64_t trials = 9999;     // R
  std::int64_t resamples = 9999;  // B
  std::uint64_t seed = 0;
  std::vector<std::string> notes;  // remarks of the study's author, printed under the table
};

struct Aggregate {
  AggregateOptions options;
  std::vector<Measure> measures;  // every cell's, in order of first appearance
  // Data set and backbone in order of first appearance; within them dense, raw_topk, other methods
  // in order of first appearance, puma last; then k ascending.
  std::vector<Row> rows;
  std::vector<std::string> notes;  // the options' notes; left-out queries, ties across cutoffs, ...
};

// Joins by query id. Bad cells (a NaN, a cell given twice, an unknown primary measure) are input or
// usage errors. Collective (replicates and trials are shared out); same on all ranks.
Aggregate aggregate(const std::vector<Cell>& cells, const AggregateOptions& options,
                    const dist::Comm& comm = {});

// "puma k=8 beats dense on emoji_task7: +.0120 nDCG@10 [+.0040, +.0200], p = .0004": one sentence
// per row that should have a comparison, and one per comparison at equal k.
std::vector<std::string> verdicts(const Aggregate& a);

}  // namespace puma::eval
