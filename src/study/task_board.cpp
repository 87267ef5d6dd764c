// SPDX-License-Identifier: Apache-2.0
#include "study/task_board.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dist/claim.hpp"
#include "dist/error.hpp"

namespace puma::study {

namespace {

// Trainings differ by their steps; everything else is short.
std::int64_t expected_length(const Task& task) {
  const auto recipe = task.params.find("recipe");
  if (task.kind != TaskKind::train || recipe == task.params.end()) return 0;
  return recipe->value("stage2_steps", std::int64_t{0}) +
         recipe->value("stage3_steps", std::int64_t{0});
}

}  // namespace

std::vector<const Task*> select_tasks(const TaskGraph& graph, TaskKind kind,
                                      const std::vector<std::string>& only) {
  const std::vector<const Task*> all = graph.of_kind(kind);
  if (only.empty()) return all;
  std::set<const Task*> chosen;
  for (const std::string& prefix : only) {
    std::vector<const Task*> fitting;
    for (const Task* task : all) {
      if (!prefix.empty() && task->id.starts_with(prefix)) fitting.push_back(task);
    }
    if (fitting.size() != 1) {
      dist::fail_usage(
          fmt::format("--task {} names {} {} tasks of this study", prefix, fitting.size(),
                      kind_name(kind)),
          "expected the id of one task, or as much of its beginning as makes it unique",
          "`puma plan --tasks` lists them.");
    }
    chosen.insert(fitting.front());
  }
  std::vector<const Task*> selected;
  std::copy_if(all.begin(), all.end(), std::back_inserter(selected),
               [&](const Task* task) { return chosen.count(task) != 0; });
  return selected;
}

TaskBoard::TaskBoard(const TaskGraph& graph, const Store& store, TaskKind kind,
                     const std::vector<std::string>& only)
    : graph_(graph), store_(store), tasks_(select_tasks(graph, kind, only)) {
  std::stable_sort(tasks_.begin(), tasks_.end(), [](const Task* a, const Task* b) {
    return expected_length(*a) > expected_length(*b);
  });
  for (const Task* task : tasks_) {
    if (const auto failure = store_.failure(*task)) earlier_[task->id] = failure->when;
  }
}

bool TaskBoard::done(const Task& task) {
  if (done_.count(task.id) != 0) return true;
  if (!store_.is_done(task)) return false;
  done_.insert(task.id);
  return true;
}

bool TaskBoard::held(const Task& task) const {
  const auto file = store_.claim_file(task.id);
  return std::filesystem::exists(file) && !dist::claim_is_stale(file);
}

TaskBoard::State TaskBoard::parents_state(const Task& task) {
  State worst = State::ready;
  for (const auto& [role, id] : task.parents) {
    const Task& parent = graph_.at(id);
    if (done(parent)) continue;
    if (held(parent)) {
      worst = State::held;
      continue;
    }
    if (store_.failure(parent)) return State::blocked;
    const State above = parents_state(parent);
    if (above == State::blocked) return above;
    if (worst != State::held) worst = above == State::held ? State::held : State::waiting;
  }
  return worst;
}

TaskBoard::State TaskBoard::state(std::size_t i) {
  const Task& task = *tasks_[i];
  if (done(task)) return State::done;
  return held(task) ? State::held : unclaimed_state(i);
}

TaskBoard::State TaskBoard::unclaimed_state(std::size_t i) {
  const Task& task = *tasks_[i];
  if (done(task)) return State::done;
  if (const auto failure = store_.failure(task)) {
    const auto before = earlier_.find(task.id);
    if (before == earlier_.end() || before->second != failure->when) return State::failed;
  }
  return parents_state(task);
}

std::int64_t TaskBoard::count(State wanted) {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) n += state(i) == wanted;
  return n;
}

}  // namespace puma::study
