// SPDX-License-Identifier: Apache-2.0
// puma status: where a study stands, on one screen, from the files alone.
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

constexpr int kShown = 5;  // running and failed tasks each: one screen

nlohmann::json status_json(const OpenStudy& open, const study::StudyStatus& status) {
  nlohmann::json stages = nlohmann::json::array(), tasks = nlohmann::json::array();
  for (const study::StageStatus& s : status.stages) {
    stages.push_back({{"kind", study::kind_name(s.kind)},
                      {"total", s.total()},
                      {"done", s.done},
                      {"running", s.running},
                      {"ready", s.ready},
                      {"waiting", s.waiting},
                      {"blocked", s.blocked},
                      {"failed", s.failed}});
  }
  for (const study::TaskStatus& t : status.tasks) {
    nlohmann::json entry = {
        {"id", t.task->id}, {"label", t.task->label}, {"state", study::state_name(t.state)}};
    if (!t.reason.empty()) entry["reason"] = t.reason;
    if (t.fraction > 0) entry["fraction"] = t.fraction;
    if (t.seconds_left >= 0) entry["seconds_left"] = t.seconds_left;
    tasks.push_back(std::move(entry));
  }
  return {{"study", open.study.name}, {"stages", std::move(stages)}, {"tasks", std::move(tasks)}};
}

void print_some(const study::StudyStatus& status, study::TaskState state) {
  int found = 0;
  for (const study::TaskStatus& t : status.tasks) {
    if (t.state != state || ++found > kShown) continue;
    std::cout << fmt::format("{}: {} ({})\n", study::state_name(state), t.task->label,
                             t.task->id.substr(0, 8));
    if (!t.reason.empty()) std::cout << fmt::format("  {}\n", t.reason);
    if (t.fraction > 0) {
      std::cout << fmt::format(
          "  {:.0f}%{}\n", 100 * t.fraction,
          t.seconds_left >= 0 ? fmt::format(", about {:.0f} s left", t.seconds_left) : "");
    }
  }
  if (found > kShown)
    std::cout << fmt::format("... and {} more {}\n", found - kShown, study::state_name(state));
}

void print_status(const StudyOptions& options, const OpenStudy& open,
                  const study::StudyStatus& status) {
  std::cout << fmt::format("study {}, store {}\n", open.study.name, open.store.root().string());
  std::cout << fmt::format("{:<10} {:>6} {:>8} {:>6} {:>8} {:>8} {:>7}\n", "stage", "done",
                           "running", "ready", "waiting", "blocked", "failed");
  std::int64_t done = 0, total = 0, failed = 0;
  for (const study::StageStatus& s : status.stages) {
    std::cout << fmt::format("{:<10} {:>6} {:>8} {:>6} {:>8} {:>8} {:>7}\n",
                             study::kind_name(s.kind), s.done, s.running, s.ready, s.waiting,
                             s.blocked, s.failed);
    done += s.done;
    total += s.total();
    failed += s.failed;
  }
  print_some(status, study::TaskState::running);
  print_some(status, study::TaskState::failed);
  if (done == total) {
    std::cout << fmt::format(
        "All {} tasks are done. `puma aggregate --show --study {} --store {}` prints the table.\n",
        total, options.study, open.store.root().string());
    return;
  }
  std::cout << fmt::format("{} of {} tasks are done. To {}: puma run --study {} --store {}\n", done,
                           total, failed > 0 ? "retry the failed ones and go on" : "go on",
                           options.study, open.store.root().string());
}

dist::ExitCode show_status(const StudyOptions& options, bool json) {
  const OpenStudy open = open_study(options);
  const study::StudyStatus status = study::study_status(open.graph, open.store);
  if (json)
    std::cout << status_json(open, status).dump(2) << "\n";
  else
    print_status(options, open, status);
  return dist::ExitCode::done;
}

}  // namespace

Command status_command() {
  return {"status", "Show where a study stands: stages, running and failed tasks",
          [](CLI::App& app) -> Action {
            auto options = std::make_shared<StudyOptions>();
            auto json = std::make_shared<bool>(false);
            app.add_option("study", options->study, "Study file")->type_name("FILE");
            app.add_option("--study", options->study, "The same")->type_name("FILE");
            app.add_option("--store", options->store,
                           "Folder of all results (default: $PUMA_STORE, else ./store)")
                ->type_name("DIR");
            app.add_flag("--json", *json, "One JSON object with every task");
            return [options, json] {
              return dist::run_tool([&] { return show_status(*options, *json); });
            };
          }};
}

}  // namespace puma::jobs
