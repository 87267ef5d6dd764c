// SPDX-License-Identifier: Apache-2.0
// puma evaluate: retrieval measures per query of a run; the ranks share a study's runs.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/job.hpp"
#include "eval/evaluate_files.hpp"
#include "jobs/command.hpp"
#include "jobs/study_options.hpp"
#include "study/task_loop.hpp"

namespace puma::jobs {
namespace {

struct EvaluateCommand {
  StudyOptions study;
  std::string run, qrels, pool, out;
  std::vector<std::string> measures{"Success@5", "R@10", "nDCG@10", "RR"};
  bool json = false;
};

void write_measures(const std::filesystem::path& file, const eval::MeasureTable& table) {
  dist::write_file(file, eval::measures_json(table).dump(1) + "\n");
}

dist::ExitCode evaluate_tasks(const dist::Context& context, const StudyOptions& options) {
  std::optional<OpenStudy> open;
  dist::agree(context.comm, [&] { open.emplace(open_study(options)); });
  const study::TaskLoopOptions loop{study::TaskKind::evaluate, study::Sharing::one_rank,
                                    options.tasks, options.max_fails};
  return study::run_tasks(
      context, open->graph, open->store, loop,
      [&](const dist::Context&, const study::Task& task, dist::Manifest& manifest) {
        const auto input = [&](const char* role, const char* name) {
          return open->store.output(open->graph, task, role, name);
        };
        const eval::MeasureTable table =
            eval::evaluate_files(input("run", "run.h5"), input("queries", "qrels.txt"),
                                 input("candidates", "vectors.h5"),
                                 task.params.at("measures").get<std::vector<std::string>>());
        const auto out = open->store.folder(task) / "measures.json";
        write_measures(out, table);
        manifest.add_output(out);
        manifest.set("queries", table.query_ids.size());
      });
}

dist::ExitCode evaluate_run(const EvaluateCommand& command) {
  if (command.run.empty() || command.qrels.empty()) {
    dist::fail_usage("evaluate needs --run and --qrels, or --study", "one of them is missing",
                     "See `puma evaluate --help`");
  }
  const auto table =
      eval::evaluate_files(command.run, command.qrels, command.pool, command.measures);
  if (!command.out.empty()) write_measures(command.out, table);
  if (command.json) {
    std::cout << eval::measures_json(table).dump() << '\n';
  } else {
    std::cout << eval::measures_text(table);
  }
  return dist::ExitCode::done;
}

Action declare(CLI::App& app) {
  auto c = std::make_shared<EvaluateCommand>();
  declare_study_options(app, c->study, false);
  auto* group = app.add_option_group("Explicit files");
  group->add_option("--run", c->run, "Run file, or TREC text (6 columns)");
  group->add_option("--qrels", c->qrels, "Judgements, 4 or 5 columns");
  group->add_option("--pool", c->pool,
                    "Cache of the candidates: queries without a positive among them are skipped "
                    "(default: every judged document counts as a candidate)");
  group->add_option("--measures", c->measures, "Success@k, R@k, MicroR@k, nDCG[@k], RR[@k]")
      ->delimiter(',')
      ->capture_default_str();
  group->add_option("--out", c->out, "measures.json to write: every query's values, unrounded");
  group->add_flag("--json", c->json, "Print that JSON instead of the table");
  app.footer(
      "Measures agree with trec_eval: ties stand by document id descending, gains are linear, the "
      "ideal\n"
      "and the denominators count every relevant judgement.");
  return [c] {
    if (!c->study.given()) return dist::run_tool([&] { return evaluate_run(*c); });
    if (!c->run.empty()) {
      return dist::run_tool([]() -> dist::ExitCode {
        dist::fail_usage("give either --study or --run", "both were given");
      });
    }
    return dist::run_job({"evaluate"},
                         [&](dist::Context& context) { return evaluate_tasks(context, c->study); });
  };
}

}  // namespace

Command evaluate_command() {
  return {"evaluate", "Measure a run against relevance judgements", declare};
}

}  // namespace puma::jobs
