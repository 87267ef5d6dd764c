// SPDX-License-Identifier: Apache-2.0
// puma score: the exact best candidates of every query; the ranks share the candidates.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "data/run_file.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/job.hpp"
#include "eval/score_files.hpp"
#include "jobs/command.hpp"
#include "jobs/study_options.hpp"
#include "study/task_loop.hpp"

namespace puma::jobs {
namespace {

struct ScoreCommand {
  StudyOptions study;
  eval::ScoreRequest request;
  std::string out, trec;
};

// The root writes; the others wait for the verdict.
void score_one(const dist::Context& context, const eval::ScoreRequest& request,
               const std::string& out, const std::string& trec) {
  const data::Run run = eval::score_files(context, request);
  dist::agree(context.comm, [&] {
    if (!context.comm.is_root()) return;
    if (!out.empty()) data::write_run(out, run);
    if (!trec.empty()) dist::write_file(trec, data::trec_text(run));
  });
}

dist::ExitCode score_tasks(const dist::Context& context, const StudyOptions& options) {
  std::optional<OpenStudy> open;
  dist::agree(context.comm, [&] { open.emplace(open_study(options)); });
  const study::TaskLoopOptions loop{study::TaskKind::score, study::Sharing::all_ranks,
                                    options.tasks, options.max_fails};
  return study::run_tasks(
      context, open->graph, open->store, loop,
      [&](const dist::Context& all, const study::Task& task, dist::Manifest& manifest) {
        eval::ScoreRequest request;
        request.representation = task.params.at("representation").get<std::string>();
        request.k = task.params.value("k", std::int64_t{0});
        request.depth = task.params.at("depth").get<std::int64_t>();
        request.rule = task.params.at("rule").get<std::string>();
        request.name = task.locals.value("name", "");
        const char* file = request.representation == "dense" ? "vectors.h5" : "codes.h5";
        request.queries = open->store.output(open->graph, task, "queries", file);
        request.candidates = open->store.output(open->graph, task, "candidates", file);
        const auto out = open->store.folder(task) / "run.h5";
        score_one(all, request, out, "");
        manifest.add_output(out);
      });
}

dist::ExitCode score(const dist::Context& context, const ScoreCommand& command) {
  const bool explicit_files =
      !command.request.queries.empty() || !command.request.candidates.empty();
  if (command.study.given() == explicit_files) {
    dist::fail_usage("give either --study, or --queries and --candidates with --out",
                     explicit_files ? "both were given" : "neither was given",
                     "See `puma score --help`");
  }
  if (command.study.given()) return score_tasks(context, command.study);
  if (command.request.queries.empty() || command.request.candidates.empty() ||
      (command.out.empty() && command.trec.empty())) {
    dist::fail_usage("score needs --queries, --candidates, and --out or --trec",
                     "one of them is missing", "See `puma score --help`");
  }
  score_one(context, command.request, command.out, command.trec);
  return dist::ExitCode::done;
}

Action declare(CLI::App& app) {
  auto c = std::make_shared<ScoreCommand>();
  declare_study_options(app, c->study, true);
  auto* group = app.add_option_group("Explicit files");
  group->add_option("--queries", c->request.queries, "Dense cache or code cache of the queries");
  group->add_option("--candidates", c->request.candidates,
                    "The candidates, in a cache of the same kind");
  group
      ->add_option("--representation", c->request.representation,
                   "dense, sparse, or auto: what the files are")
      ->check(CLI::IsMember({"auto", "dense", "sparse"}))
      ->capture_default_str();
  group->add_option("--k", c->request.k, "Atoms a code that count (default: all that are stored)");
  group->add_option("--depth", c->request.depth, "Candidates listed a query, at most")
      ->capture_default_str();
  group
      ->add_option("--rule", c->request.rule,
                   "all, positive (only scores above 0), or auto: positive for codes without signs")
      ->check(CLI::IsMember({"auto", "all", "positive"}))
      ->capture_default_str();
  group->add_option("--name", c->request.name, "Run tag (default: dense, or METHOD-kK)");
  group->add_option("--out", c->out, "Run file to write");
  group->add_option("--trec", c->trec, "Also write TREC text here");
  app.footer(
      "Scores are exact: every candidate is compared. Order: score descending, then id bytes "
      "descending\n"
      "(trec_eval's). The result is the same bytes on any number of ranks and threads.\n"
      "Search runs on the processor; --device is taken so that scripts may give it to every job.");
  return [c] {
    // Exact search runs on the processor: a GPU would be held for nothing.
    return dist::run_job({"score", "cpu", c->study.threads, true},
                         [&](dist::Context& context) { return score(context, *c); });
  };
}

}  // namespace

Command score_command() {
  return {"score", "Rank the candidates of every query exactly, dense or sparse", declare};
}

}  // namespace puma::jobs
