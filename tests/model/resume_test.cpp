// SPDX-License-Identifier: Apache-2.0
// Resume is bit-equal: a child process is killed for real, at many moments, and its successor ends
// with the same bytes. Every training here is a child of its own: LibTorch forbids forking a
// process that has trained beside a GPU.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "model/trainer.hpp"
#include "toy_training.hpp"

namespace puma::model {
namespace {

// Dies by SIGKILL when the trainer asks for the codes' score the n-th time.
class DeadlyValidator : public CodeValidator {
 public:
  explicit DeadlyValidator(int calls) : left_(calls) {}
  double ndcg10(const data::CodeMatrix& q, const data::CodeMatrix& c) override {
    if (--left_ < 0) std::raise(SIGKILL);
    return CodeValidator::ndcg10(q, c);
  }

 private:
  int left_;
};

std::string history(const TrainingOptions& options) {
  return dist::read_file(options.folder / "history.jsonl");
}

// Trains in a child until `microseconds` are over, or the validator kills it; true when it was
// killed.
bool killed(const TrainingData& data, const TrainingOptions& options, int validations,
            unsigned microseconds) {
  const pid_t child = fork();
  if (child == 0) {
    DeadlyValidator validator(validations);
    const TrainingResult result = train(data, options, &validator);
    _exit(result.end == TrainingEnd::finished ? 0 : 1);
  }
  if (microseconds > 0) {
    usleep(microseconds);
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

// Trains to the end in a child.
bool finished(const TrainingData& data, const TrainingOptions& options) {
  return !killed(data, options, 1000, 0);
}

class Resume : public testing::TestWithParam<const char*> {
 protected:
  TrainingOptions options(const std::string& name) const {
    config::Recipe r = toy_recipe();
    if (std::string(GetParam()) == "released") {
      r.centre = r.aux_bias = true;
      r.stage3_trains = config::Stage3Trains::all;
      r.anneal = config::Anneal::cosine;
    }
    TrainingOptions o = toy_options(name + GetParam(), r);
    o.save_every_s = 0;  // after every step
    return o;
  }
};

TEST_P(Resume, KilledAtEveryValidationEndsWithTheSameBytes) {
  const TrainingData data = toy_data();
  const TrainingOptions straight = options("straight");
  ASSERT_TRUE(finished(data, straight));
  for (int n = 0; n < 7; ++n) {
    const TrainingOptions o = options("at-" + std::to_string(n));
    ASSERT_TRUE(killed(data, o, n, 0)) << n;
    ASSERT_TRUE(std::filesystem::exists(o.folder / "resume.safetensors")) << n;
    ASSERT_TRUE(finished(data, o)) << n;
    EXPECT_EQ(checkpoint_bytes(o), checkpoint_bytes(straight)) << n;
    EXPECT_EQ(history(o), history(straight)) << n;
    std::filesystem::remove_all(o.folder);
  }
}

TEST_P(Resume, KilledAgainAndAgainAtAnyMomentEndsWithTheSameBytes) {
  const TrainingData data = toy_data();
  const TrainingOptions straight = options("straight-any"), o = options("any");
  ASSERT_TRUE(finished(data, straight));
  for (unsigned i = 1; i <= 12; ++i) killed(data, o, 1000, 3000 * i);
  ASSERT_TRUE(finished(data, o));
  EXPECT_EQ(checkpoint_bytes(o), checkpoint_bytes(straight));
  EXPECT_EQ(history(o), history(straight));
}

INSTANTIATE_TEST_SUITE_P(Presets, Resume, testing::Values("paper", "released"),
                         [](const auto& preset) { return std::string(preset.param); });

TEST(ResumeState, ACheckpointThatWasPublishedIsNotTrainedAgain) {
  const TrainingData data = toy_data();
  const TrainingOptions o = toy_options("published");
  ASSERT_TRUE(finished(data, o));
  const std::string bytes = checkpoint_bytes(o);
  EXPECT_FALSE(killed(data, o, 0, 0));  // the validator would have killed it
  EXPECT_EQ(checkpoint_bytes(o), bytes);
  TrainingOptions other = o;
  other.seed = 7;
  EXPECT_TRUE(killed(data, other, 0, 0));
}

TEST(ResumeState, OfAnotherTrainingOrDamagedIsNotUsed) {
  const TrainingData data = toy_data();
  CodeValidator validator;
  const TrainingOptions straight = toy_options("state-straight");
  train(data, straight, &validator);

  TrainingOptions o = toy_options("state");
  o.save_every_s = 0;
  ASSERT_TRUE(killed(data, o, 3, 0));
  o.seed = 99;  // another training in the same folder
  ASSERT_TRUE(finished(data, o));
  EXPECT_NE(checkpoint_bytes(o), checkpoint_bytes(straight));

  TrainingOptions damaged = toy_options("state-damaged");
  damaged.save_every_s = 0;
  ASSERT_TRUE(killed(data, damaged, 3, 0));
  std::filesystem::resize_file(damaged.folder / "resume.safetensors", 500);
  ASSERT_TRUE(finished(data, damaged));
  EXPECT_EQ(checkpoint_bytes(damaged), checkpoint_bytes(straight));

  TrainingOptions orphan = toy_options("state-orphan");
  orphan.save_every_s = 0;
  ASSERT_TRUE(killed(data, orphan, 3, 0));
  std::filesystem::remove(orphan.folder / "best.safetensors");
  ASSERT_TRUE(finished(data, orphan));
  EXPECT_EQ(checkpoint_bytes(orphan), checkpoint_bytes(straight));
}

}  // namespace
}  // namespace puma::model
