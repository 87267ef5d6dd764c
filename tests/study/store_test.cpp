// SPDX-License-Identifier: Apache-2.0
#include "study/store.hpp"

#include <gtest/gtest.h>

#include "dist/claim.hpp"
#include "dist/manifest.hpp"
#include "study/progress.hpp"
#include "study_files.hpp"

namespace puma::study {
namespace {

struct Chain : testing::Test {
  void SetUp() override {
    folder = scratch("store");
    for (int i = 0; i < 3; ++i) {
      Task task;
      task.kind = all_kinds()[static_cast<std::size_t>(i)];
      task.label = fmt::format("t{}", i);
      task.params = {{"i", i}};
      if (i > 0) task.parents["p"] = ids.back();
      ids.push_back(graph.add(task));
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void finish(Store& store, int i) {
    const Task& task = graph.at(ids[static_cast<std::size_t>(i)]);
    dist::write_file(store.folder(task) / "out", "bytes");
    dist::Manifest manifest("t");
    manifest.add_output(store.folder(task) / "out");
    store.record_done(task, manifest.finish());
  }
  std::vector<TaskState> states(const Store& store) {
    std::vector<TaskState> all;
    for (const auto& t : study_status(graph, store).tasks) all.push_back(t.state);
    return all;
  }
  std::filesystem::path folder;
  TaskGraph graph;
  std::vector<std::string> ids;
};
using StoreStates = Chain;
using S = TaskState;

TEST_F(StoreStates, FollowTheFiles) {
  Store store(folder / "store");
  EXPECT_EQ(states(store), (std::vector{S::ready, S::waiting, S::waiting}));
  finish(store, 0);
  EXPECT_EQ(states(store), (std::vector{S::done, S::ready, S::waiting}));
  store.record_failure(graph.at(ids[1]), "no luck", 2);
  EXPECT_EQ(states(store), (std::vector{S::done, S::failed, S::blocked}));
  EXPECT_EQ(study_status(graph, store).tasks[1].reason, "no luck");
  EXPECT_EQ(study_status(graph, store).tasks[2].reason, "t1");
  finish(store, 1);
  EXPECT_FALSE(store.failure(graph.at(ids[1])).has_value());
  EXPECT_EQ(states(store), (std::vector{S::done, S::done, S::ready}));
  const auto claim = dist::Claim::try_acquire(store.claim_file(ids[2]));
  EXPECT_EQ(states(store)[2], S::running);
}

TEST_F(StoreStates, AnOutputOfAnotherSizeIsNotDone) {
  Store store(folder / "store");
  finish(store, 0);
  dist::write_file(store.folder(graph.at(ids[0])) / "out", "byte");
  EXPECT_FALSE(store.is_done(graph.at(ids[0])));
}

TEST_F(StoreStates, ABrokenManifestIsNotDone) {
  Store store(folder / "store");
  finish(store, 0);
  for (const std::string text : {"", "{", "[]", "{\"complete\": 1}", "{\"complete\": true}",
                                 "{\"complete\": true, \"outputs\": [3]}"}) {
    dist::write_file(store.folder(graph.at(ids[0])) / "manifest.json", text);
    EXPECT_FALSE(store.is_done(graph.at(ids[0]))) << text;
  }
}

TEST_F(StoreStates, SurviveAMoveOfTheStore) {
  Store store(folder / "store");
  finish(store, 0);
  std::filesystem::rename(folder / "store", folder / "moved");
  EXPECT_TRUE(Store(folder / "moved").is_done(graph.at(ids[0])));
}

TEST_F(StoreStates, ABrokenMemoryOfChecksumsIsReadAgain) {
  dist::write_file(folder / "store" / "checksums.json", "{{{");
  dist::write_file(folder / "file", "x");
  Store store(folder / "store");
  EXPECT_EQ(store.external_checksum(folder / "file").size(), 32u);
}

}  // namespace
}  // namespace puma::study
