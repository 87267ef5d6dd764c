// SPDX-License-Identifier: Apache-2.0
// puma aggregate: measures of many runs to tables, verdicts, a figure and a page.
#include <CLI/CLI.hpp>
#include <memory>

#include "dist/job.hpp"
#include "dist/manifest.hpp"
#include "eval/report/aggregate.hpp"
#include "jobs/command.hpp"
#include "jobs/show_results.hpp"
#include "jobs/study_options.hpp"
#include "jobs/table_files.hpp"
#include "study/task_loop.hpp"

namespace puma::jobs {
namespace {

struct AggregateCommand {
  StudyOptions study;
  std::vector<std::string> cells;
  eval::AggregateOptions options;
  std::string out, results = "results";
  bool show = false;
};

void aggregate_task(const dist::Context& context, const OpenStudy& open, const study::Task& task,
                    dist::Manifest& manifest) {
  std::vector<eval::Cell> cells;
  dist::agree(context.comm, [&] { cells = read_cells(open.graph, open.store, task); });
  const auto table = eval::aggregate(cells, options_from_params(task.params), context.comm);
  const std::filesystem::path folder = open.store.folder(task);
  dist::agree(context.comm, [&] {
    if (context.comm.is_root()) write_tables(folder, table);
  });
  for (const std::string& name : table_file_names()) manifest.add_output(folder / name);
}

dist::ExitCode aggregate_study(const AggregateCommand& command, const dist::Context& context) {
  OpenStudy open = open_study(command.study);
  const study::TaskLoopOptions loop{study::TaskKind::aggregate, study::Sharing::all_ranks,
                                    command.study.tasks, command.study.max_fails};
  const auto code =
      study::run_tasks(context, open.graph, open.store, loop,
                       [&](const dist::Context& c, const study::Task& task,
                           dist::Manifest& manifest) { aggregate_task(c, open, task, manifest); });
  if (context.comm.is_root() && code == dist::ExitCode::done) {
    show_results(open.graph, open.store, command.results);
  }
  return code;
}

dist::ExitCode show_study(const AggregateCommand& command) {
  const OpenStudy open = open_study(command.study);
  if (show_results(open.graph, open.store, command.results) > 0) return dist::ExitCode::done;
  throw dist::Error(dist::ExitCode::incomplete, "the study has no finished table",
                    command.study.study, "Run it: `puma run --study " + command.study.study + "`.");
}

dist::ExitCode aggregate_cells(const AggregateCommand& command, const dist::Context& context) {
  std::vector<eval::Cell> cells;
  dist::agree(context.comm, [&] {
    for (const std::string& text : command.cells) cells.push_back(read_cell(text));
  });
  const auto table = eval::aggregate(cells, command.options, context.comm);
  dist::agree(context.comm, [&] {
    if (!context.comm.is_root()) return;
    write_tables(command.out, table);
    show_tables(command.out, "");
  });
  return dist::ExitCode::done;
}

Action declare(CLI::App& app) {
  auto c = std::make_shared<AggregateCommand>();
  declare_study_options(app, c->study, false);
  app.add_option("--cell", c->cells,
                 "A variant, without a study: dataset=D,backbone=B,method=M[,k=K][,seed=S],"
                 "measures=FILE (repeat it)");
  app.add_option("--out", c->out, "Folder for the tables of --cell");
  app.add_option("--name", c->options.study, "Title of the tables of --cell")
      ->capture_default_str();
  app.add_option("--baseline", c->options.baseline, "Method that the others are held against")
      ->capture_default_str();
  app.add_option("--peer", c->options.peer, "Method also compared with at equal k ('' for none)")
      ->capture_default_str();
  app.add_option("--primary", c->options.primary, "Measure of the verdicts and the figure")
      ->capture_default_str();
  app.add_option("--alpha", c->options.alpha, "p below it is marked")->capture_default_str();
  app.add_option("--trials", c->options.trials, "Sign-flip trials R")->capture_default_str();
  app.add_option("--resamples", c->options.resamples, "Bootstrap resamples B")
      ->capture_default_str();
  app.add_option("--seed", c->options.seed, "Seed of trials and resamples")->capture_default_str();
  app.add_option("--note", c->options.notes, "A remark printed with the table (repeat it)");
  app.add_option("--results", c->results, "Folder that gets a copy as <results>/<study>/")
      ->capture_default_str();
  app.add_flag("--show", c->show, "Print and copy the finished table of --study; compute nothing");
  return [c] {
    if (c->show && c->study.given()) return dist::run_tool([&] { return show_study(*c); });
    return dist::run_job({"aggregate"}, [&](dist::Context& context) {
      if (c->study.given()) return aggregate_study(*c, context);
      if (c->cells.empty() || c->out.empty()) {
        dist::fail_usage("aggregate has nothing to do", "neither --study nor --cell with --out",
                         "See `puma aggregate --help`.");
      }
      return aggregate_cells(*c, context);
    });
  };
}

}  // namespace

Command aggregate_command() {
  return {"aggregate", "Measures of many runs to tables, verdicts, a figure and a page", declare};
}

}  // namespace puma::jobs
