// SPDX-License-Identifier: Apache-2.0
#include "jobs/search_validator.hpp"

#include "eval/measures.hpp"
#include "eval/search.hpp"

namespace puma::jobs {

namespace {
constexpr std::int64_t kDepth = 10;  // nDCG@10 sees no more
}

SearchValidator::SearchValidator(const model::ValidationData& data, int threads)
    : data_(data), threads_(threads) {}

double SearchValidator::ndcg10(const data::CodeMatrix& queries,
                               const data::CodeMatrix& candidates) {
  const eval::TopLists top = eval::search_sparse(queries, candidates, queries.k_max, 0, kDepth,
                                                 eval::ListRule::positive, threads_);
  data::Run run;
  run.name = "validation";
  run.representation = "sparse";
  run.depth = kDepth;
  run.pool_size = candidates.rows;
  run.query_ids = data_.query_ids;
  run.document_ids = data_.pool_ids;  // so that a document's index is its row
  for (const auto& list : top.lists) {
    auto& ranking = run.ranking.emplace_back();
    for (const kernels::ScoreKey key : list) {
      ranking.push_back({kernels::key_row(key), kernels::key_score(key)});
    }
  }
  const eval::MeasureTable table =
      eval::evaluate(run, data_.qrels, data_.pool_ids, {eval::parse_measure("nDCG@10")});
  return table.mean(0);
}

}  // namespace puma::jobs
