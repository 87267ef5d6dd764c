// SPDX-License-Identifier: Apache-2.0
#include "study/stage_runner.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "dist/log.hpp"
#include "dist/signals.hpp"
#include "study/launcher.hpp"

namespace puma::study {

using Clock = std::chrono::steady_clock;
using dist::ExitCode;

namespace {

constexpr auto kPoll = std::chrono::milliseconds(250);
constexpr auto kPatience = std::chrono::seconds(120);  // for a child that was asked to stop

// One line per stage on stderr: redrawn on a terminal, else printed when a count changes.
class ProgressLine {
 public:
  ProgressLine(TaskKind kind, bool quiet)
      : kind_(kind), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

  void show(const StudyStatus& status, bool last) {
    if (quiet_) return;
    const auto stage = std::find_if(status.stages.begin(), status.stages.end(),
                                    [&](const StageStatus& s) { return s.kind == kind_; });
    if (stage == status.stages.end()) return;
    const std::string counts = stage_words(*stage, -1);
    if (!terminal_ && counts == shown_) return;
    shown_ = counts;
    const std::string line = fmt::format("{:<10}{}", kind_name(kind_),
                                         stage_words(*stage, last ? -1 : left(status, *stage)));
    if (terminal_)
      std::cerr << "\r\033[K" << line << (last ? "\n" : "") << std::flush;
    else
      std::cerr << line << std::endl;
  }

 private:
  // What running tasks tell, and the pace of this stage for those that wait.
  double left(const StudyStatus& status, const StageStatus& stage) {
    if (first_done_ < 0) first_done_ = stage.done;
    double told = -1;
    for (const TaskStatus& task : status.tasks) {
      if (task.task->kind == kind_ && task.state == TaskState::running)
        told = std::max(told, task.seconds_left);
    }
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::int64_t done = stage.done - first_done_;
    const std::int64_t queued = stage.ready + (told < 0 ? stage.running : 0);
    if (queued == 0) return told;
    if (done == 0) return -1;
    return std::max(told, 0.0) + elapsed / static_cast<double>(done) * static_cast<double>(queued);
  }

  TaskKind kind_;
  bool quiet_, terminal_;
  std::string shown_;
  std::int64_t first_done_ = -1;
  Clock::time_point start_ = Clock::now();
};

std::filesystem::path log_file(const Store& store, TaskKind kind) {
  for (int n = 1;; ++n) {
    auto file = store.root() / "logs" / fmt::format("{}-{}.log", kind_name(kind), n);
    if (!std::filesystem::exists(file)) return file;
  }
}

bool computes(TaskKind kind) {
  return kind == TaskKind::train || kind == TaskKind::encode;
}

int run_stage(TaskKind kind, const std::filesystem::path& study_file, const TaskGraph& graph,
              const Store& store, const RunOptions& options, const std::filesystem::path& log) {
  std::vector<std::string> command{options.program.string(),
                                   std::string(kind_name(kind)),
                                   "--study",
                                   study_file.string(),
                                   "--store",
                                   store.root().string()};
  if (computes(kind)) command.insert(command.end(), {"--device", options.device});
  if (options.max_fails >= 0)
    command.insert(command.end(), {"--max-fails", std::to_string(options.max_fails)});
  Child child(launch_line(command, options.ranks), log);
  ProgressLine line(kind, options.quiet);
  bool asked = false;
  Clock::time_point asked_at;
  while (child.running()) {
    if (dist::stop_requested() && !asked) {
      child.ask_to_stop();
      asked = true;
      asked_at = Clock::now();
    }
    if (asked && Clock::now() - asked_at > kPatience) child.kill();
    line.show(study_status(graph, store), false);
    std::this_thread::sleep_for(kPoll);
  }
  line.show(study_status(graph, store), true);
  return child.exit_code();
}

ExitCode stopped() {
  return dist::stop_signal() == SIGINT ? ExitCode::interrupted : ExitCode::terminated;
}

void tell_failures(const StudyStatus& status) {
  std::int64_t blocked = 0;
  for (const TaskStatus& task : status.tasks) {
    blocked += task.state == TaskState::blocked;
    if (task.state == TaskState::failed)
      std::cerr << fmt::format("failed: {}\n  {}\n", task.task->label, task.reason);
  }
  if (blocked > 0)
    std::cerr << fmt::format("{} task(s) could not start because of these.\n", blocked);
  std::cerr << "What is done stays done: run the same command again to retry the rest.\n";
}

}  // namespace

std::string stage_words(const StageStatus& stage, double seconds_left) {
  std::string words = fmt::format("{} done, {} running, {} left", stage.done, stage.running,
                                  stage.ready + stage.waiting + stage.blocked);
  if (stage.failed > 0) words += fmt::format(", {} failed", stage.failed);
  if (seconds_left >= 90)
    words += fmt::format(", about {:.0f} min", seconds_left / 60);
  else if (seconds_left >= 0)
    words += fmt::format(", about {:.0f} s", seconds_left);
  return words;
}

ExitCode run_stages(const std::filesystem::path& study_file, const TaskGraph& graph,
                    const Store& store, const RunOptions& options) {
  launch_line({}, options.ranks);  // a missing mpirun is said before anything starts
  dist::install_stop_signals();
  for (const TaskKind kind : all_kinds()) {
    const StudyStatus before = study_status(graph, store);
    const auto stage = std::find_if(before.stages.begin(), before.stages.end(),
                                    [&](const StageStatus& s) { return s.kind == kind; });
    if (stage == before.stages.end()) continue;
    if (stage->ready + stage->running + stage->failed == 0) {
      ProgressLine(kind, options.quiet).show(before, true);
      continue;
    }
    const auto log = log_file(store, kind);
    const int code = run_stage(kind, study_file, graph, store, options, log);
    if (dist::stop_requested()) return stopped();
    if (code == static_cast<int>(ExitCode::done) ||
        code == static_cast<int>(ExitCode::task_failed) ||
        code == static_cast<int>(ExitCode::incomplete)) {
      continue;  // failures are in the store; unrelated tasks go on
    }
    throw dist::Error(
        ExitCode::task_failed, fmt::format("the stage '{}' broke down", kind_name(kind)),
        fmt::format("exit code {}", code),
        fmt::format("See {}. Running the same command again goes on from here.", log.string()));
  }
  const StudyStatus after = study_status(graph, store);
  std::int64_t failed = 0, open = 0;
  for (const StageStatus& s : after.stages) {
    failed += s.failed + s.blocked;
    open += s.total() - s.done;
  }
  if (failed > 0) tell_failures(after);
  return failed > 0 ? ExitCode::task_failed : open > 0 ? ExitCode::incomplete : ExitCode::done;
}

}  // namespace puma::study
