// SPDX-License-Identifier: Apache-2.0
#include "study/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dist/error.hpp"
#include "study_files.hpp"

namespace puma::study {
namespace {

using testing::HasSubstr;

class StudyFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch("study");
    write_embeddings(folder_ / "cache");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string text(const std::string& rest) { return study_text(folder_ / "cache", rest); }
  std::string message(const std::string& content) {
    try {
      Study study = make_study(folder_, content);
      Store store(folder_ / "store");
      expand(study, store);
    } catch (const dist::Error& error) {
      EXPECT_EQ(error.code(), dist::ExitCode::bad_input);
      EXPECT_FALSE(std::filesystem::exists(folder_ / "store" / "import"));
      return error.what();
    }
    return "nothing was thrown";
  }
  std::filesystem::path folder_;
};

TEST_F(StudyFile, EveryStudyOfTheProjectParses) {
  int found = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(PUMA_SOURCE_DIR "/configs/studies")) {
    if (entry.path().extension() != ".yaml") continue;
    EXPECT_NO_THROW(read_study(entry.path())) << entry.path();
    ++found;
  }
  EXPECT_GE(found, 1);
}

TEST_F(StudyFile, UnknownKeyHasLineAndNearestKey) {
  const auto said = message(text("k: [1]\ntrain_k: 1\nsed: [1]\n"));
  EXPECT_THAT(said, HasSubstr("s.yaml:8: unknown key 'sed'"));
  EXPECT_THAT(message(text("k: [1]\ntrain_k: 1\nmesures: [RR]\n")),
              HasSubstr("Did you mean 'measures'?"));
  EXPECT_THAT(message(text("k: [1]\ntrain_k: 1\nrecipe: {stage2_step: 3}\n")),
              HasSubstr("stage2_steps"));
}

TEST_F(StudyFile, RefusesImpossibleCombinations) {
  EXPECT_THAT(message(text("k: [1, 1]\ntrain_k: 1\n")), HasSubstr("given twice"));
  EXPECT_THAT(message(text("k: [1]\n")), HasSubstr("train_k: this key is missing"));
  EXPECT_THAT(message(text("k: [0]\ntrain_k: 1\n")), HasSubstr("out of range"));
  EXPECT_THAT(message(text("k: [1]\ntrain_k: 1\nmeasures: [nDGC@10]\n")),
              HasSubstr("Did you mean 'nDCG@10'?"));
  EXPECT_THAT(message(text("k: [1]\ntrain_k: 1\ncompare: {measure: R@3}\n")),
              HasSubstr("not computed"));
  EXPECT_THAT(
      message("study: s\nmethods: [puma]\nbackbones: [b]\nk: [1]\ntrain_k: 1\ndatasets: {}\n"),
      HasSubstr("the baseline is none of"));
}

TEST_F(StudyFile, SupportLargerThanTheDictionaryIsRefusedBeforeAnythingIsWritten) {
  EXPECT_THAT(message(text("k: [5]\ntrain_k: 1\n")), HasSubstr("k=5 is larger"));
  EXPECT_THAT(message(text("k: [4]\ntrain_k: 65\n")), HasSubstr("at most 64"));
  EXPECT_THAT(message(text("k: [4]\ntrain_k: 64\n")), HasSubstr("nothing was thrown"));
}

TEST_F(StudyFile, AMissingFileIsNamed) {
  std::filesystem::remove(folder_ / "cache" / "task0_test_qrels.txt");
  EXPECT_THAT(message(text("k: [1]\ntrain_k: 1\n")), HasSubstr("task0_test_qrels.txt"));
}

TEST_F(StudyFile, TwoBackbonesMayNotShareTheirFiles) {
  std::string content = text("k: [1]\ntrain_k: 1\n");
  content.replace(content.find("[b]"), 3, "[b, c]");
  EXPECT_THAT(message(content), HasSubstr("two backbones with the same files"));
}

TEST_F(StudyFile, BackboneInAPathIsItsName) {
  for (const std::string name : {"x", "y"}) write_embeddings(folder_ / name);
  std::string content = study_text(folder_ / "{backbone}");
  content.replace(content.find("[b]"), 3, "[x, y]");
  const Study study = make_study(folder_, content);
  EXPECT_EQ(study.datasets[0].candidates.at("y").vectors, folder_ / "y" / "docs.npy");
}

TEST_F(StudyFile, ReadsThePublishedLayout) {
  for (const std::string split : {"train", "test"}) {
    for (const std::string kind : {"query", "doc"}) {
      dist::write_file(folder_ / split / (kind + "_embeddings.npy"), split + kind);
      dist::write_file(folder_ / split / (kind + "_ids.json"), "[]");
    }
    dist::write_file(folder_ / split / "q.txt", "a 0 b 1\n");
  }
  const auto f = folder_.string();
  Study study = make_study(folder_,
                           "study: s\nmethods: [dense, puma]\nbackbones: [b]\nk: [1]\ntrain_k: "
                           "1\ndatasets:\n  d: {published: {train: " +
                               f + "/train, test: " + f + "/test}, qrels: {train: " + f +
                               "/train/q.txt, test: " + f + "/test/q.txt}}\n");
  Store store(folder_ / "store");
  const TaskGraph graph = expand(study, store);
  EXPECT_EQ(graph.of_kind(TaskKind::import_cache).size(), 4u);
  EXPECT_EQ(graph.of_kind(TaskKind::train).size(), 1u);
}

TEST_F(StudyFile, IdsFollowContentsAndNotPaths) {
  write_embeddings(folder_ / "elsewhere");
  Store store(folder_ / "store");
  const auto ids = [&](const std::string& cache) {
    std::vector<std::string> all;
    for (const Task& t : expand(make_study(folder_, study_text(folder_ / cache)), store).tasks)
      all.push_back(t.id);
    return all;
  };
  const auto here = ids("cache");
  EXPECT_EQ(here.size(), 3u + 1 + 4 + 5 + 5 + 1);
  EXPECT_EQ(here, ids("cache"));
  EXPECT_EQ(here, ids("elsewhere"));
  dist::write_file(folder_ / "elsewhere" / "task0_train_qrels.txt", "q 0 d 0 train\n");
  const auto there = ids("elsewhere");
  EXPECT_EQ(there.size(), here.size());
  EXPECT_NE(there.back(), here.back());
  EXPECT_EQ(there[0], here[0]);  // the pool is untouched
}

TEST_F(StudyFile, TheValSplitIsReadOnlyWhereTheRecipeSelectsByIt) {
  Store store(folder_ / "store");
  const std::string split = "k: [1]\ntrain_k: 1\nrecipe: {validation: split}\n";
  const TaskGraph graph = expand(make_study(folder_, study_text(folder_ / "cache", split)), store);
  EXPECT_EQ(graph.of_kind(TaskKind::import_cache).size(), 4u);
  EXPECT_EQ(graph.of_kind(TaskKind::train)[0]->parents.count("validation"), 1u);
  for (const std::string end : {"queries.npy", "queries_ids.json", "qrels.txt"})
    std::filesystem::remove(folder_ / "cache" / ("task0_val_" + end));
  EXPECT_THAT(message(text(split)), HasSubstr("no val split"));
}

TEST_F(StudyFile, ParentsComeBeforeTheirChildren) {
  Store store(folder_ / "store");
  const TaskGraph graph = expand(
      make_study(folder_, study_text(folder_ / "cache", "k: [1]\ntrain_k: 1\nseeds: [0, 1]\n")),
      store);
  for (const Task& task : graph.tasks) {
    for (const auto& [role, id] : task.parents)
      EXPECT_LT(graph.index.at(id), graph.index.at(task.id)) << role;
  }
  EXPECT_EQ(graph.of_kind(TaskKind::train).size(), 2u);
}

}  // namespace
}  // namespace puma::study
