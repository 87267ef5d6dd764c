// SPDX-License-Identifier: Apache-2.0
// Every choice on which the paper and the released code differ changes the result, and every weight
// and switch may be 0 or off.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "model/checkpoint.hpp"
#include "toy_training.hpp"

namespace puma::model {
namespace {

using Change = std::function<void(config::Recipe&)>;

struct Switch {
  std::string name;
  Change change;
  Change before = [](config::Recipe&) {};  // what both sides share
};

Checkpoint weights(const config::Recipe& recipe, const std::string& name) {
  const TrainingOptions options = toy_options(name, recipe);
  train(toy_data(21, 40, 0), options, nullptr);
  Checkpoint checkpoint = read_checkpoint(options.folder / "checkpoint.safetensors");
  std::filesystem::remove_all(options.folder);
  return checkpoint;
}

bool same(const Checkpoint& a, const Checkpoint& b) {
  return a.W_enc == b.W_enc && a.W_dec == b.W_dec && a.b_enc == b.b_enc && a.b_dec == b.b_dec;
}

std::vector<Switch> switches() {
  using namespace config;
  return {
      {"expansion", [](Recipe& r) { r.expansion = 5; }},
      {"centre", [](Recipe& r) { r.centre = true; }},
      {"stage2_steps", [](Recipe& r) { r.stage2_steps = 25; }},
      {"stage3_steps", [](Recipe& r) { r.stage3_steps = 17; }},
      {"stage2_lr", [](Recipe& r) { r.stage2_lr = 0.02; }},
      {"stage3_lr", [](Recipe& r) { r.stage3_lr = 0.02; }},
      {"stage2_warmup", [](Recipe& r) { r.stage2_warmup = 3; }},
      {"stage3_warmup", [](Recipe& r) { r.stage3_warmup = 3; }},
      {"batch", [](Recipe& r) { r.batch = 7; }},
      {"weight_decay", [](Recipe& r) { r.weight_decay = 0; }},
      {"stage3_weight_decay", [](Recipe& r) { r.stage3_weight_decay = 0; }},
      {"beta1", [](Recipe& r) { r.beta1 = 0.8; }},
      {"beta2", [](Recipe& r) { r.beta2 = 0.9; }},
      {"epsilon", [](Recipe& r) { r.epsilon = 1e-3; }},
      {"clip_norm", [](Recipe& r) { r.clip_norm = 0.1; }},
      {"clip_off", [](Recipe& r) { r.clip_norm = 0; }, [](Recipe& r) { r.clip_norm = 0.1; }},
      {"stage3_trains", [](Recipe& r) { r.stage3_trains = Stage3Trains::all; }},
      {"anneal_cosine", [](Recipe& r) { r.anneal = Anneal::cosine; }},
      {"anneal_off", [](Recipe& r) { r.anneal = Anneal::off; }},
      {"k_init", [](Recipe& r) { r.k_init = 10; }},
      {"stage2_reconstruction", [](Recipe& r) { r.stage2_reconstruction = 0; }},
      {"stage2_distillation", [](Recipe& r) { r.stage2_distillation = 0; }},
      {"stage2_contrastive", [](Recipe& r) { r.stage2_contrastive = 0; }},
      {"stage2_aux", [](Recipe& r) { r.stage2_aux = 0; }},
      {"stage3_contrastive", [](Recipe& r) { r.stage3_contrastive = 0; }},
      {"stage3_reconstruction", [](Recipe& r) { r.stage3_reconstruction = 0; }},
      {"stage3_distillation", [](Recipe& r) { r.stage3_distillation = 0; }},
      {"temperature", [](Recipe& r) { r.temperature = 0.1; }},
      {"aux_relu", [](Recipe& r) { r.aux = AuxActivation::relu; }},
      {"aux_gao", [](Recipe& r) { r.aux = AuxActivation::gao; },
       [](Recipe& r) { r.aux = AuxActivation::relu; }},
      {"aux_off", [](Recipe& r) { r.aux = AuxActivation::off; }},
      {"aux_bias", [](Recipe& r) { r.aux_bias = true; }},
      {"aux_k", [](Recipe& r) { r.aux_k = 1; }},
      {"dead_after", [](Recipe& r) { r.dead_after = 9; }},
      {"negatives", [](Recipe& r) { r.negatives = 1; }},
      {"no_negatives", [](Recipe& r) { r.negatives = 0; }},
  };
}

class RecipeSwitch : public testing::TestWithParam<Switch> {};

TEST_P(RecipeSwitch, ChangesTheResult) {
  config::Recipe plain = toy_recipe();
  GetParam().before(plain);
  config::Recipe changed = plain;
  GetParam().change(changed);
  EXPECT_FALSE(same(weights(plain, "plain"), weights(changed, "changed")));
}

INSTANTIATE_TEST_SUITE_P(Every, RecipeSwitch, testing::ValuesIn(switches()),
                         [](const auto& one) { return one.param.name; });

TEST(RecipeSwitch, EverythingOffRunsThrough) {
  config::Recipe r = toy_recipe();
  r.stage2_reconstruction = r.stage2_distillation = r.stage2_contrastive = r.stage2_aux = 0;
  r.stage3_contrastive = r.stage3_reconstruction = r.stage3_distillation = 0;
  r.weight_decay = r.stage3_weight_decay = 0;
  const Checkpoint first = weights(r, "off");
  r.stage2_steps = 0;
  EXPECT_EQ(first.W_enc, weights(r, "off-too").W_enc);  // nothing pulls: the initial weights
}

TEST(RecipeSwitch, EitherStageMayBeLeftOut) {
  config::Recipe no2 = toy_recipe(), no3 = toy_recipe();
  no2.stage2_steps = 0;
  no3.stage3_steps = 0;
  EXPECT_EQ(weights(no2, "no2").info.selected(), "stage 3 step 15");
  EXPECT_EQ(weights(no3, "no3").info.selected(), "stage 2 step 23");
  EXPECT_FALSE(same(weights(no2, "no2"), weights(no3, "no3")));
}

TEST(RecipeSwitch, Stage3TrainsOnlyTheEncoderInThePapersRecipe) {
  config::Recipe without = toy_recipe(), with = toy_recipe();
  without.stage3_steps = 0;
  const Checkpoint before = weights(without, "before"), after = weights(with, "after");
  EXPECT_NE(before.W_enc, after.W_enc);
  EXPECT_NE(before.b_enc, after.b_enc);
  EXPECT_EQ(before.b_dec, after.b_dec);
  for (std::size_t i = 0; i < before.W_dec.size(); ++i) {
    EXPECT_NEAR(before.W_dec[i], after.W_dec[i], 1e-6f);  // but for its renormalisation
  }
}

// 1 - 3e-4 * 1e-5 is 1 in float32: the released Stage 2 decays nothing.
TEST(RecipeSwitch, TheReleasedWeightDecayIsNoneInFloat32) {
  config::Recipe tiny = toy_recipe(), none = toy_recipe();
  tiny.stage2_lr = none.stage2_lr = 3e-4;
  tiny.weight_decay = 1e-5;
  none.weight_decay = 0;
  EXPECT_TRUE(same(weights(tiny, "tiny"), weights(none, "none")));
}

}  // namespace
}  // namespace puma::model
