// SPDX-License-Identifier: Apache-2.0
#include "eval/evaluate_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dist/hdf5.hpp"
#include "eval/score_files.hpp"

namespace puma::eval {
namespace {

constexpr std::size_t kNamedIds = 3;

std::vector<std::string> all_documents(const data::Run& run, const data::Qrels& qrels) {
  std::vector<std::string> ids = run.document_ids;
  for (const auto& [query, judgements] : qrels.judgements) {
    for (const data::Judgement& judgement : judgements) ids.push_back(judgement.document);
  }
  return ids;
}

std::string named(const std::string& what, const std::vector<std::string>& ids) {
  if (ids.empty()) return {};
  const std::size_t shown = std::min(ids.size(), kNamedIds);
  return fmt::format("{}: {} ({}{})\n", what, ids.size(),
                     fmt::join(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     ids.size() > shown ? ", ..." : "");
}

std::string counted(const std::string& what, std::int64_t count) {
  return count == 0 ? std::string() : fmt::format("{}: {}\n", what, count);
}

}  // namespace

MeasureTable evaluate_files(const std::filesystem::path& run, const std::filesystem::path& qrels,
                            const std::filesystem::path& pool,
                            const std::vector<std::string>& measures) {
  std::vector<Measure> parsed;
  for (const std::string& name : measures) parsed.push_back(parse_measure(name));
  const data::Run ranked = dist::is_hdf5(run) ? data::read_run(run) : data::read_trec_run(run);
  const data::Qrels judged = data::read_qrels(qrels);
  return evaluate(ranked, judged,
                  pool.empty() ? all_documents(ranked, judged) : read_pool_ids(pool), parsed);
}

std::string measures_text(const MeasureTable& table) {
  std::string text = fmt::format("{:<12} {:>9} {:>8}\n", "measure", "mean", "n");
  for (std::size_t m = 0; m < table.measures.size(); ++m) {
    const std::string mean = table.query_ids.empty() ? "-" : fmt::format("{:.4f}", table.mean(m));
    text +=
        fmt::format("{:<12} {:>9} {:>8}\n", table.measures[m].name(), mean, table.query_ids.size());
  }
  text += fmt::format("judged queries: {}\n", table.judged_queries);
  text += named("without a positive in the pool, skipped", table.without_positive_in_pool);
  text += named("missing from the run, counted as 0", table.missing_from_run);
  text += named("in the run without judgements, ignored", table.unjudged);
  text += counted("positives outside the pool, kept in denominators", table.positives_outside_pool);
  text += counted("queries with a tie across a cutoff, decided by id", table.ties_across_cutoff);
  return text;
}

}  // namespace puma::eval
