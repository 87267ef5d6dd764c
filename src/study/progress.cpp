// SPDX-License-Identifier: Apache-2.0
#include "study/progress.hpp"

#include <algorithm>

#include "dist/claim.hpp"
#include "dist/files.hpp"

namespace puma::study {

namespace {

void read_progress(const std::filesystem::path& file, TaskStatus& status) {
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return;
  try {
    const auto json = nlohmann::json::parse(dist::read_file(file, 1 << 20));
    const double total = json.value("total", 0.0);
    if (total > 0) status.fraction = std::clamp(json.value("step", 0.0) / total, 0.0, 1.0);
    status.seconds_left = json.value("seconds_left", -1.0);
  } catch (const std::exception&) {  // a hint that cannot be read is no hint
  }
}

std::int64_t& counter(StageStatus& stage, TaskState state) {
  switch (state) {
    case TaskState::done:
      return stage.done;
    case TaskState::running:
      return stage.running;
    case TaskState::ready:
      return stage.ready;
    case TaskState::waiting:
      return stage.waiting;
    case TaskState::blocked:
      return stage.blocked;
    case TaskState::failed:
      break;
  }
  return stage.failed;
}

TaskStatus task_status(const Task& task, const TaskGraph& graph, const Store& store,
                       const std::map<std::string, TaskStatus>& earlier) {
  TaskStatus status;
  status.task = &task;
  if (store.is_done(task)) {
    status.state = TaskState::done;
    return status;
  }
  const auto claim = store.claim_file(task.id);
  if (std::filesystem::exists(claim) && !dist::claim_is_stale(claim)) {
    status.state = TaskState::running;
    read_progress(store.folder(task) / "progress.json", status);
    return status;
  }
  status.state = TaskState::ready;
  for (const auto& [role, id] : task.parents) {
    const TaskStatus& parent = earlier.at(id);
    if (parent.state == TaskState::failed || parent.state == TaskState::blocked) {
      status.state = TaskState::blocked;
      status.reason = parent.state == TaskState::failed ? graph.at(id).label : parent.reason;
      return status;
    }
    if (parent.state != TaskState::done) status.state = TaskState::waiting;
  }
  if (const auto failure = store.failure(task)) {
    status.state = TaskState::failed;
    status.reason = failure->message;
  }
  return status;
}

}  // namespace

std::string_view state_name(TaskState state) {
  switch (state) {
    case TaskState::done:
      return "done";
    case TaskState::running:
      return "running";
    case TaskState::ready:
      return "ready";
    case TaskState::waiting:
      return "waiting";
    case TaskState::blocked:
      return "blocked";
    case TaskState::failed:
      break;
  }
  return "failed";
}

StudyStatus study_status(const TaskGraph& graph, const Store& store) {
  StudyStatus all;
  std::map<std::string, TaskStatus> earlier;  // the graph is in stage order: parents come first
  for (const Task& task : graph.tasks) {
    TaskStatus status = task_status(task, graph, store, earlier);
    if (all.stages.empty() || all.stages.back().kind != task.kind)
      all.stages.push_back({task.kind});
    ++counter(all.stages.back(), status.state);
    earlier[task.id] = status;
    all.tasks.push_back(std::move(status));
  }
  return all;
}

}  // namespace puma::study
