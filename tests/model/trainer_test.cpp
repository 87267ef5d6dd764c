// SPDX-License-Identifier: Apache-2.0
#include "model/trainer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <limits>

#include "dist/error.hpp"
#include "dist/signals.hpp"
#include "model/checkpoint.hpp"
#include "toy_training.hpp"

namespace puma::model {
namespace {

using testing::HasSubstr;

std::string refusal(const TrainingData& data, const TrainingOptions& options) {
  try {
    train(data, options, nullptr);
  } catch (const dist::Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Trainer, TheSameSeedIsTheSameBytesAndAnotherSeedIsNot) {
  const TrainingData data = toy_data(21, 40, 0);
  EXPECT_EQ(trained("seed-a", toy_recipe()), trained("seed-b", toy_recipe()));
  TrainingOptions other = toy_options("seed-c");
  other.seed = 4;
  train(data, other, nullptr);
  EXPECT_NE(read_checkpoint(other.folder / "checkpoint.safetensors").W_enc, [&] {
    const TrainingOptions same = toy_options("seed-d");
    train(data, same, nullptr);
    return read_checkpoint(same.folder / "checkpoint.safetensors").W_enc;
  }());
}

TEST(Trainer, LeavesACheckpointAndNothingToResume) {
  const TrainingOptions options = toy_options("files");
  const TrainingResult result = train(toy_data(21, 40, 0), options, nullptr);
  EXPECT_EQ(result.end, TrainingEnd::finished);
  EXPECT_EQ(result.steps, 40);
  EXPECT_EQ(result.selected, "stage 3 step 15");
  EXPECT_TRUE(std::filesystem::exists(options.folder / "checkpoint.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(options.folder / "history.jsonl"));
  for (const char* name : {"resume.safetensors", "best.safetensors", "progress.json"}) {
    EXPECT_FALSE(std::filesystem::exists(options.folder / name)) << name;
  }
  const Checkpoint checkpoint = read_checkpoint(options.folder / "checkpoint.safetensors");
  EXPECT_EQ(checkpoint.info.recipe, options.recipe);
  EXPECT_EQ(checkpoint.info.k, 4);
  EXPECT_EQ(checkpoint.info.data_checksum, "toy");
  for (std::int64_t row = 0; row < checkpoint.dictionary; ++row) {
    double norm = 0;
    for (std::int64_t j = 0; j < checkpoint.dim; ++j) {
      norm += std::pow(checkpoint.W_dec[static_cast<std::size_t>(row * checkpoint.dim + j)], 2);
    }
    EXPECT_NEAR(norm, 1.0, 1e-5) << row;
  }
}

TEST(Trainer, ValidatesAtTheEndOfStage2AndAcrossStage3) {
  // Stage 3 has 16 steps: 0, 3, 6, 9, 12, 15; a strict maximum at the fourth call is at step 6.
  ScriptedValidator validator({.1, .2, .2, .9, .9, .3, .4});
  const TrainingOptions options = toy_options("select");
  const TrainingResult result = train(toy_data(), options, &validator);
  EXPECT_EQ(validator.calls, 7u);
  EXPECT_EQ(validator.query_rows, 5);
  EXPECT_EQ(validator.candidate_rows, 40);
  EXPECT_EQ(result.best_ndcg10, .9);
  EXPECT_EQ(result.selected, "stage 3 step 6");
  const Checkpoint checkpoint = read_checkpoint(options.folder / "checkpoint.safetensors");
  EXPECT_EQ(checkpoint.info.selected(), "stage 3 step 6");
  EXPECT_EQ(checkpoint.info.ndcg10, .9);
}

TEST(Trainer, Stage2CanWin) {
  ScriptedValidator validator({.9, .2, .2, .2, .2, .2, .9});
  const TrainingResult result = train(toy_data(), toy_options("stage2-wins"), &validator);
  EXPECT_EQ(result.selected, "stage 2 step 23");
}

TEST(Trainer, AStopSignalSavesAndResumes) {
  const TrainingData data = toy_data(21, 40, 0);
  const std::string straight = trained("straight", toy_recipe(), data);
  const TrainingOptions options = toy_options("stopped");
  dist::install_stop_signals();
  std::raise(SIGUSR1);
  const TrainingResult stopped = train(data, options, nullptr);
  dist::clear_stop_signal();
  EXPECT_EQ(stopped.end, TrainingEnd::stopped);
  EXPECT_EQ(stopped.steps, 0);
  EXPECT_FALSE(std::filesystem::exists(options.folder / "checkpoint.safetensors"));
  EXPECT_EQ(train(data, options, nullptr).end, TrainingEnd::finished);
  EXPECT_EQ(checkpoint_bytes(options), straight);
}

TEST(Trainer, TheFirstNonFiniteTermEndsItNamingStageStepAndTerm) {
  TrainingData data = toy_data(21, 40, 0);
  data.queries[0] = std::numeric_limits<float>::quiet_NaN();
  const TrainingOptions options = toy_options("nan");
  const std::string text = refusal(data, options);
  EXPECT_THAT(text, HasSubstr("Stage 2, step"));
  EXPECT_THAT(text, HasSubstr("reconstruction"));
  EXPECT_FALSE(std::filesystem::exists(options.folder / "checkpoint.safetensors"));
}

TEST(Trainer, RefusesKAboveTheDictionary) {
  TrainingOptions options = toy_options("k");
  options.k = 49;
  EXPECT_THAT(refusal(toy_data(), options), HasSubstr("D = expansion 4 * d 12 = 48"));
}

TEST(Trainer, RefusesWhatCannotFitBeforeItStarts) {
  TrainingOptions options = toy_options("memory");
  options.device.cuda = true;
  options.device.name = "a small GPU";
  options.device.memory_bytes = 1000;
  EXPECT_THAT(refusal(toy_data(), options), HasSubstr("a small GPU"));
}

TEST(Trainer, AwkwardSizesRunThrough) {
  config::Recipe one = toy_recipe();
  one.batch = 1000;    // larger than n
  one.negatives = 99;  // more than the pool
  EXPECT_FALSE(trained("one-row", one, toy_data(1, 2, 0)).empty());
  EXPECT_FALSE(trained("small-pool", one, toy_data(3, 4, 0)).empty());
  EXPECT_FALSE(trained("no-negatives", one, toy_data(1, 1, 0)).empty());
}

}  // namespace
}  // namespace puma::model
