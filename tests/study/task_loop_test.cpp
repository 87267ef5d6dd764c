// SPDX-License-Identifier: Apache-2.0
#include "study/task_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "dist/comm.hpp"
#include "dist/error.hpp"
#include "study_files.hpp"

namespace puma::study {
namespace {

class TaskLoop : public testing::TestWithParam<Sharing> {
 protected:
  void SetUp() override {
    context_.comm = dist::Comm::world();
    std::string folder;
    if (context_.comm.is_root()) folder = scratch("loop").string();
    folder_ = context_.comm.broadcast(folder);
    for (int i = 0; i < 7; ++i) {
      Task task;
      task.kind = TaskKind::import_cache;
      task.label = fmt::format("task {}", i);
      task.params = {{"i", i}};
      ids_.push_back(graph_.add(task));
    }
    Task child;
    child.kind = TaskKind::train;
    child.label = "child of 3";
    child.params = nlohmann::json::object();
    child.parents["p"] = ids_[3];
    graph_.add(child);
    context_.comm.barrier();
  }
  void TearDown() override {
    context_.comm.barrier();
    if (context_.comm.is_root()) std::filesystem::remove_all(folder_);
  }

  // Task i writes its number; those in `failing` throw. Every start leaves a line in
  // folder/started.
  dist::ExitCode run(Store& store, TaskKind kind, const std::vector<int>& failing,
                     std::int64_t max_fails = -1) {
    const TaskLoopOptions options{kind, GetParam(), {}, max_fails};
    return run_tasks(
        context_, graph_, store, options,
        [&](const dist::Context& own, const Task& task, dist::Manifest& manifest) {
          const int i = task.params.value("i", -1);
          const auto file = store.folder(task) / "out";
          dist::agree(own.comm, [&] {
            if (own.comm.is_root())
              dist::append_line(std::filesystem::path(folder_) / "started", task.label);
            if (std::find(failing.begin(), failing.end(), i) != failing.end()) {
              throw dist::Error(dist::ExitCode::bad_input, fmt::format("task {} is unlucky", i));
            }
            if (own.comm.is_root()) dist::write_file(file, std::to_string(i));
          });
          manifest.add_output(file);
        });
  }
  std::map<std::string, int> starts() {
    std::map<std::string, int> count;
    std::istringstream lines(dist::read_file(std::filesystem::path(folder_) / "started"));
    for (std::string line; std::getline(lines, line);) ++count[line];
    return count;
  }

  dist::Context context_;
  std::string folder_;
  TaskGraph graph_;
  std::vector<std::string> ids_;
};

TEST_P(TaskLoop, DoesEveryTaskOnceAndNothingTheSecondTime) {
  Store store(std::filesystem::path(folder_) / "store");
  EXPECT_EQ(run(store, TaskKind::import_cache, {}), dist::ExitCode::done);
  EXPECT_EQ(run(store, TaskKind::import_cache, {}), dist::ExitCode::done);
  EXPECT_EQ(starts().size(), 7u);
  for (const auto& [label, n] : starts()) EXPECT_EQ(n, 1) << label;
  for (const auto& id : ids_) EXPECT_TRUE(store.is_done(graph_.at(id)));
}

TEST_P(TaskLoop, AFailingTaskStopsNeitherTheOthersNorTheNextRun) {
  Store store(std::filesystem::path(folder_) / "store");
  EXPECT_EQ(run(store, TaskKind::import_cache, {3, 5}), dist::ExitCode::task_failed);
  EXPECT_EQ(starts()["task 3"], 1);  // no rank tries again what another one failed
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(store.is_done(graph_.at(ids_[static_cast<std::size_t>(i)])), i != 3 && i != 5);
  EXPECT_EQ(store.failure(graph_.at(ids_[3]))->message, "task 3 is unlucky");
  EXPECT_EQ(run(store, TaskKind::train, {}), dist::ExitCode::task_failed);  // blocked
  context_.comm.barrier();
  EXPECT_EQ(run(store, TaskKind::import_cache, {}), dist::ExitCode::done);
  EXPECT_EQ(starts()["task 3"], 2);
  EXPECT_EQ(run(store, TaskKind::train, {}), dist::ExitCode::done);
}

TEST_P(TaskLoop, MissingParentsAreIncomplete) {
  Store store(std::filesystem::path(folder_) / "store");
  EXPECT_EQ(run(store, TaskKind::train, {}), dist::ExitCode::incomplete);
}

TEST_P(TaskLoop, StopsClaimingAfterTooManyFailures) {
  Store store(std::filesystem::path(folder_) / "store");
  EXPECT_EQ(run(store, TaskKind::import_cache, {0, 1, 2, 3, 4, 5, 6}, 1),
            dist::ExitCode::task_failed);
  EXPECT_LE(starts().size(), static_cast<std::size_t>(context_.comm.size()));
}

TEST_P(TaskLoop, AnUnknownTaskIsAUsageError) {
  Store store(std::filesystem::path(folder_) / "store");
  const TaskLoopOptions options{TaskKind::import_cache, GetParam(), {"zz"}, -1};
  EXPECT_THROW(run_tasks(context_, graph_, store, options, {}), dist::Error);
}

INSTANTIATE_TEST_SUITE_P(Sharing, TaskLoop, testing::Values(Sharing::one_rank, Sharing::all_ranks));

}  // namespace
}  // namespace puma::study
