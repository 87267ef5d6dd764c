// SPDX-License-Identifier: Apache-2.0
#include "study/task.hpp"

#include <fmt/format.h>

#include <array>

#include "dist/checksum.hpp"
#include "dist/error.hpp"

namespace puma::study {

namespace {

struct KindFacts {
  TaskKind kind;
  std::string_view name;
  int version;
};

// The one list of kinds, in stage order.
constexpr std::array<KindFacts, 6> kKinds{{
    {TaskKind::import_cache, "import", 1},
    {TaskKind::train, "train", 1},
    {TaskKind::encode, "encode", 1},
    {TaskKind::score, "score", 1},
    {TaskKind::evaluate, "evaluate", 1},
    {TaskKind::aggregate, "aggregate", 1},
}};

const KindFacts& facts(TaskKind kind) {
  for (const KindFacts& f : kKinds) {
    if (f.kind == kind) return f;
  }
  PUMA_ASSERT(false && "every kind is listed");
  return kKinds[0];
}

}  // namespace

std::string_view kind_name(TaskKind kind) {
  return facts(kind).name;
}

TaskKind kind_from_name(std::string_view name) {
  std::string all;
  for (const KindFacts& f : kKinds) {
    if (f.name == name) return f.kind;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", f.name);
  }
  dist::fail_usage(fmt::format("'{}' is no kind of task", name),
                   fmt::format("expected one of {}", all));
}

const std::vector<TaskKind>& all_kinds() {
  static const std::vector<TaskKind> kinds = [] {
    std::vector<TaskKind> list;
    for (const KindFacts& f : kKinds) list.push_back(f.kind);
    return list;
  }();
  return kinds;
}

int kind_version(TaskKind kind) {
  return facts(kind).version;
}

void seal(Task& task) {
  // nlohmann::json keeps keys sorted and prints numbers in shortest round-trip form: the same task
  // is the same text.
  const nlohmann::json name = {{"kind", kind_name(task.kind)},
                               {"version", kind_version(task.kind)},
                               {"params", task.params},
                               {"parents", task.parents},
                               {"externals", task.externals}};
  task.id = dist::checksum(std::string_view(name.dump())).hex();
}

const Task& TaskGraph::at(const std::string& id) const {
  const auto it = index.find(id);
  if (it == index.end()) dist::fail_usage(fmt::format("there is no task {} in this study", id));
  return tasks[it->second];
}

std::string TaskGraph::add(Task task) {
  seal(task);
  std::string id = task.id;
  if (contains(id)) return id;
  // Behind the last task of its own or an earlier stage.
  std::size_t place = tasks.size();
  while (place > 0 && tasks[place - 1].kind > task.kind) --place;
  tasks.insert(tasks.begin() + static_cast<std::ptrdiff_t>(place), std::move(task));
  for (std::size_t i = place; i < tasks.size(); ++i) index[tasks[i].id] = i;
  return id;
}

std::vector<const Task*> TaskGraph::of_kind(TaskKind kind) const {
  std::vector<const Task*> found;
  for (const Task& task : tasks) {
    if (task.kind == kind) found.push_back(&task);
  }
  return found;
}

}  // namespace puma::study
