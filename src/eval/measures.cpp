// SPDX-License-Identifier: Apache-2.0
// Which documents count where some positives lie outside the pool: the ideal and the denominators
// are those of the judgements (as trec_eval and the published code count them), whether or not the
// pool holds the document; a query is skipped only when the pool holds none of its positives.
#include "eval/measures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "dist/error.hpp"

namespace puma::eval {
namespace {

// One query, ready to be measured.
struct Ranked {
  std::vector<std::int64_t> gains;  // by rank: the document's relevance, 0 where not relevant
  std::vector<std::int64_t> ideal;  // relevances of all relevant documents, descending
};

double dcg(std::span<const std::int64_t> gains) {
  double sum = 0;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    if (gains[i] > 0) {
      sum += static_cast<double>(gains[i]) / std::log2(static_cast<double>(i) + 2.0);
    }
  }
  return sum;
}

double value_of(const Measure& measure, const Ranked& query) {
  const auto first = [&](const std::vector<std::int64_t>& list) {
    const std::size_t limit = measure.cutoff > 0 ? static_cast<std::size_t>(measure.cutoff)
                                                 : std::numeric_limits<std::size_t>::max();
    return std::span(list).first(std::min(list.size(), limit));
  };
  const std::span<const std::int64_t> gains = first(query.gains);
  const auto relevant = [](std::int64_t gain) { return gain > 0; };
  const auto found = static_cast<double>(std::count_if(gains.begin(), gains.end(), relevant));
  switch (measure.kind) {
    case MeasureKind::success:
      return found > 0 ? 1.0 : 0.0;
    case MeasureKind::recall:
      return found / static_cast<double>(query.ideal.size());
    case MeasureKind::micro_recall:
      return found;
    case MeasureKind::ndcg:
      return dcg(gains) / dcg(first(query.ideal));
    case MeasureKind::rr: {
      const auto hit = std::find_if(gains.begin(), gains.end(), relevant);
      return hit == gains.end() ? 0.0 : 1.0 / static_cast<double>(hit - gains.begin() + 1);
    }
  }
  PUMA_ASSERT(false);
  return 0;
}

// Does a group of equal scores lie on both sides of some cutoff?
bool tie_straddles(std::span<const data::RankedDocument> ranking,
                   const std::vector<Measure>& measures) {
  return std::any_of(measures.begin(), measures.end(), [&](const Measure& measure) {
    const auto k = static_cast<std::size_t>(measure.cutoff);
    return k > 0 && ranking.size() > k && ranking[k - 1].score == ranking[k].score;
  });
}

}  // namespace

MeasureTable evaluate(const data::Run& run, const data::Qrels& qrels,
                      const std::vector<std::string>& pool_ids,
                      const std::vector<Measure>& measures) {
  const std::unordered_set<std::string_view> pool(pool_ids.begin(), pool_ids.end());
  std::unordered_map<std::string_view, std::size_t> run_rows;
  for (std::size_t q = 0; q < run.query_ids.size(); ++q) run_rows.emplace(run.query_ids[q], q);

  MeasureTable table;
  table.measures = measures;
  table.values.resize(measures.size());
  table.judged_queries = static_cast<std::int64_t>(qrels.judgements.size());
  for (const auto& [query, judgements] : qrels.judgements) {
    std::unordered_map<std::string_view, std::int64_t> relevance;
    Ranked ranked;
    std::int64_t outside = 0;
    for (const data::Judgement& judgement : judgements) {
      if (judgement.relevance <= 0) continue;
      relevance.emplace(judgement.document, judgement.relevance);
      ranked.ideal.push_back(judgement.relevance);
      outside += pool.contains(judgement.document) ? 0 : 1;
    }
    if (outside == std::ssize(ranked.ideal)) {  // none at all, or none that could be found
      table.without_positive_in_pool.push_back(query);
      continue;
    }
    std::sort(ranked.ideal.begin(), ranked.ideal.end(), std::greater<>());
    table.positives_outside_pool += outside;
    if (const auto row = run_rows.find(query); row != run_rows.end()) {
      const auto& ranking = run.ranking[row->second];
      for (const data::RankedDocument& listed : ranking) {
        const auto hit = relevance.find(run.document_ids[listed.document]);
        ranked.gains.push_back(hit == relevance.end() ? 0 : hit->second);
      }
      table.ties_across_cutoff += tie_straddles(ranking, measures) ? 1 : 0;
    } else {
      table.missing_from_run.push_back(query);
    }
    table.query_ids.push_back(query);
    table.relevant.push_back(static_cast<double>(ranked.ideal.size()));
    for (std::size_t m = 0; m < measures.size(); ++m) {
      table.values[m].push_back(value_of(measures[m], ranked));
    }
  }
  for (const std::string& query : run.query_ids) {
    if (!qrels.judgements.contains(query)) table.unjudged.push_back(query);
  }
  std::sort(table.unjudged.begin(), table.unjudged.end());
  return table;
}

double MeasureTable::mean(std::size_t measure) const {
  double sum = 0, count = 0;
  for (std::size_t q = 0; q < query_ids.size(); ++q) {
    sum += values[measure][q];
    count += measures[measure].kind == MeasureKind::micro_recall ? relevant[q] : 1.0;
  }
  return sum / count;  // NaN without queries: there is no mean, and JSON shows null
}

}  // namespace puma::eval
