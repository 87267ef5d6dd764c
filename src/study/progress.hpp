// SPDX-License-Identifier: Apache-2.0
// Where a study stands, from the files.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/store.hpp"
#include "study/task.hpp"

namespace puma::study {

enum class TaskState { done, running, ready, waiting, blocked, failed };
std::string_view state_name(TaskState state);

struct TaskStatus {
  const Task* task = nullptr;
  TaskState state = TaskState::waiting;
  std::string reason;   // failed: the message; blocked: the failed ancestor's label
  double fraction = 0;  // of a running task that tells (progress.json), else 0
  double seconds_left = -1;
};

struct StageStatus {
  TaskKind kind;
  std::int64_t done = 0, running = 0, ready = 0, waiting = 0, blocked = 0, failed = 0;
  std::int64_t total() const { return done + running + ready + waiting + blocked + failed; }
};

struct StudyStatus {
  std::vector<TaskStatus> tasks;
  std::vector<StageStatus> stages;  // stage order, only those with tasks
};

StudyStatus study_status(const TaskGraph& graph, const Store& store);

}  // namespace puma::study
