// SPDX-License-Identifier: Apache-2.0
// puma plan: what a study consists of, and what of it is done. Runs nothing; the same study and
// store print the same bytes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "dist/job.hpp"
#include "jobs/command.hpp"
#include "jobs/study_options.hpp"
#include "study/progress.hpp"

namespace puma::jobs {

namespace {

struct PlanCommand {
  StudyOptions study;
  bool tasks = false, json = false;
};

nlohmann::json plan_json(const OpenStudy& open, const study::StudyStatus& status) {
  nlohmann::json tasks = nlohmann::json::array();
  for (const study::TaskStatus& t : status.tasks) {
    tasks.push_back({{"id", t.task->id},
                     {"kind", study::kind_name(t.task->kind)},
                     {"label", t.task->label},
                     {"done", t.state == study::TaskState::done},
                     {"params", t.task->params},
                     {"parents", t.task->parents},
                     {"externals", t.task->externals}});
  }
  return {{"study", open.study.name}, {"tasks", std::move(tasks)}};
}

void print_plan(const PlanCommand& command, const OpenStudy& open,
                const study::StudyStatus& status) {
  std::cout << fmt::format("study {}: {} tasks, store {}\n", open.study.name,
                           open.graph.tasks.size(), open.store.root().string());
  std::cout << fmt::format("{:<10} {:>6} {:>6} {:>6}\n", "stage", "tasks", "done", "left");
  for (const study::StageStatus& stage : status.stages) {
    std::cout << fmt::format("{:<10} {:>6} {:>6} {:>6}\n", study::kind_name(stage.kind),
                             stage.total(), stage.done, stage.total() - stage.done);
  }
  if (!command.tasks) {
    std::cout << "`--tasks` lists them with their ids. `puma run` runs what is left.\n";
    return;
  }
  for (const study::TaskStatus& t : status.tasks) {
    std::cout << fmt::format("{}  {:<4}  {}\n", t.task->id,
                             t.state == study::TaskState::done ? "done" : "left", t.task->label);
  }
}

dist::ExitCode plan(const PlanCommand& command) {
  const OpenStudy open = open_study(command.study);
  const study::StudyStatus status = study::study_status(open.graph, open.store);
  if (command.json)
    std::cout << plan_json(open, status).dump(2) << "\n";
  else
    print_plan(command, open, status);
  return dist::ExitCode::done;
}

}  // namespace

Command plan_command() {
  return {
      "plan", "Print what a study consists of and what of it is done", [](CLI::App& app) -> Action {
        auto c = std::make_shared<PlanCommand>();
        app.add_option("study", c->study.study, "Study file")->type_name("FILE");
        app.add_option("--study", c->study.study, "The same")->type_name("FILE");
        app.add_option("--store", c->study.store,
                       "Folder of all results (default: $PUMA_STORE, else ./store)")
            ->type_name("DIR");
        app.add_flag("--tasks", c->tasks, "Every task with its id");
        app.add_flag("--json", c->json, "One JSON object: every task with what decides its result");
        return [c] { return dist::run_tool([&] { return plan(*c); }); };
      }};
}

}  // namespace puma::jobs
