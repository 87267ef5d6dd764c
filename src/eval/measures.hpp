// SPDX-License-Identifier: Apache-2.0
// Retrieval measures per query, in the names of ir_measures.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/qrels.hpp"
#include "data/run_file.hpp"

namespace puma::eval {

enum class MeasureKind {
  success,       // Success@k: 1 if any relevant document is in the first k (Hit@k of the paper, hit
                 // rate; UniIR calls it Recall)
  recall,        // R@k: relevant found in the first k / all relevant (macro average over queries)
  micro_recall,  // MicroR@k: the published code's recall: sum of found over sum of relevant; per
                 // query the found count
  ndcg,          // nDCG@k, linear gain, log2(rank + 1) discount, ideal from the judgements
  rr,            // RR, RR@k: 1 / rank of the first relevant document
};

struct Measure {
  MeasureKind kind = MeasureKind::ndcg;
  std::int64_t cutoff = 0;         // 0: none
  std::string name() const;        // "nDCG@10"
  std::string definition() const;  // one sentence with its source, for captions
};
// "nDCG@10", "R@10", "Success@5" (alias "Hit@5"), "RR", "RR@100", "MicroR@10". Unknown names are
// usage errors that list what there is.
Measure parse_measure(const std::string& name);

// Per-query values over the judged queries with a positive in the pool, sorted by query id bytes.
struct MeasureTable {
  std::vector<std::string> query_ids;
  std::vector<Measure> measures;
  std::vector<std::vector<double>> values;  // [measure][query]
  std::vector<double>
      relevant;  // per query: number of relevant documents (the denominator of micro recall)

  // What was left out, counted and named.
  std::int64_t judged_queries = 0;                    // queries of the qrels
  std::vector<std::string> without_positive_in_pool;  // skipped, as the published code does
  std::vector<std::string>
      missing_from_run;               // judged, with a positive, but not in the run: value 0
  std::vector<std::string> unjudged;  // in the run, not in the qrels: ignored
  std::int64_t positives_outside_pool =
      0;  // relevant documents of the counted queries that the pool lacks: they stay in every
          // denominator and in the ideal
  std::int64_t ties_across_cutoff =
      0;  // queries where a tie straddles some cutoff: the tie rule decides there

  double mean(std::size_t measure) const;  // micro recall: sum / sum
};

// `pool_ids`: ids of the candidate pool (a judged document outside it cannot be found).
MeasureTable evaluate(const data::Run& run, const data::Qrels& qrels,
                      const std::vector<std::string>& pool_ids,
                      const std::vector<Measure>& measures);

// Lossless JSON, unrounded, and back. Keys: see ARCHITECTURE.md "File formats".
nlohmann::json measures_json(const MeasureTable& table);
MeasureTable measures_from_json(const nlohmann::json& json, const std::string& file);

}  // namespace puma::eval
