// SPDX-License-Identifier: Apache-2.0
// What a task loop knows about the tasks of one kind: read from the files, so that ranks, other
// jobs and earlier runs all count.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "study/store.hpp"
#include "study/task.hpp"

namespace puma::study {

class TaskBoard {
 public:
  enum class State {
    done,
    failed,   // since this board was made
    blocked,  // a task it needs has failed
    held,     // somebody works on it, or on a task it needs
    waiting,  // a task it needs is not done, and nobody works on that
    ready,
  };

  // `only`: ids or unambiguous prefixes; empty: all of the kind. Longest first.
  TaskBoard(const TaskGraph& graph, const Store& store, TaskKind kind,
            const std::vector<std::string>& only);

  std::size_t size() const { return tasks_.size(); }
  const Task& task(std::size_t i) const { return *tasks_[i]; }
  State state(std::size_t i);
  State unclaimed_state(
      std::size_t i);  // as if nobody had claimed it: what the holder of its claim asks
  std::int64_t count(State state);

 private:
  bool done(const Task& task);
  bool held(const Task& task) const;
  State parents_state(const Task& task);

  const TaskGraph& graph_;
  const Store& store_;
  std::vector<const Task*> tasks_;
  std::set<std::string> done_;                  // done stays done
  std::map<std::string, std::string> earlier_;  // task -> when it failed before this board was made
};

// The tasks of `kind` that `only` names; a prefix that fits none or several is a usage error.
std::vector<const Task*> select_tasks(const TaskGraph& graph, TaskKind kind,
                                      const std::vector<std::string>& only);

}  // namespace puma::study
