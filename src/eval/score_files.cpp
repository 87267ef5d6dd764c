// SPDX-License-Identifier: Apache-2.0
#include "eval/score_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dist/error.hpp"
#include "eval/score_inputs.hpp"

namespace puma::eval {
namespace {

TopLists search_shard(const detail::ScoreInputs& inputs, std::int64_t depth, int threads) {
  return inputs.representation == Representation::dense
             ? search_dense(inputs.query_rows, inputs.candidate_rows, inputs.dim, inputs.first_row,
                            depth, threads)
             : search_sparse(inputs.query_codes, inputs.candidate_codes, inputs.k, inputs.first_row,
                             depth, inputs.rule, threads);
}

// Rows are in canonical order, so documents numbered by ascending row are by id bytes descending.
data::Run make_run(const detail::ScoreInputs& inputs, const TopLists& top) {
  data::Run run;
  run.name = inputs.name;
  run.representation = inputs.representation == Representation::dense ? "dense" : "sparse";
  run.depth = top.depth;
  run.pool_size = inputs.pool_size;
  run.query_ids = inputs.query_ids;
  std::vector<std::uint32_t> listed;
  for (const auto& list : top.lists) {
    for (const kernels::ScoreKey key : list) listed.push_back(kernels::key_row(key));
  }
  std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  for (const std::uint32_t row : listed) run.document_ids.push_back(inputs.candidate_ids[row]);
  for (const auto& list : top.lists) {
    auto& ranking = run.ranking.emplace_back();
    for (const kernels::ScoreKey key : list) {
      const auto place = std::lower_bound(listed.begin(), listed.end(), kernels::key_row(key));
      ranking.push_back(
          {static_cast<std::uint32_t>(place - listed.begin()), kernels::key_score(key)});
    }
  }
  return run;
}

// Finite inputs of absurd size can overflow a float32 score.
void expect_finite(const data::Run& run, const ScoreRequest& request) {
  for (std::size_t q = 0; q < run.ranking.size(); ++q) {
    for (const data::RankedDocument& listed : run.ranking[q]) {
      if (std::isfinite(listed.score)) continue;
      dist::fail_input({request.queries.string(),
                        fmt::format("the score of query '{}' and document '{}' overflows",
                                    run.query_ids[q], run.document_ids[listed.document]),
                        "finite float32 scores", fmt::format("{}", listed.score),
                        "Normalise the embeddings"});
    }
  }
}

}  // namespace

data::Run score_files(const dist::Context& context, const ScoreRequest& request) {
  detail::ScoreInputs inputs;
  TopLists mine;
  dist::agree(context.comm, [&] {
    inputs = detail::open_score_inputs(request, context.comm.size(), context.comm.rank());
    mine = search_shard(inputs, request.depth, context.threads);
  });
  const TopLists top = merge_over_ranks(context.comm, mine);
  data::Run run;
  dist::agree(context.comm, [&] {
    if (!context.comm.is_root()) return;
    run = make_run(inputs, top);
    expect_finite(run, request);
  });
  return run;
}

}  // namespace puma::eval
