// SPDX-License-Identifier: Apache-2.0
#include "config/recipe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "dist/error.hpp"
#include "dist/files.hpp"

namespace puma::config {
namespace {

using testing::HasSubstr;

Recipe read(const std::string& yaml) {
  return read_recipe(Yaml::parse(yaml, "study.yaml"));
}

std::string refusal(const std::string& yaml) {
  try {
    read(yaml);
  } catch (const dist::Error& error) {
    EXPECT_EQ(error.code(), dist::ExitCode::bad_input);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Recipe, PresetsDifferWhereThePaperAndTheReleasedCodeDo) {
  const Recipe paper = recipe_preset("paper"), released = recipe_preset("released");
  EXPECT_FALSE(paper.centre);
  EXPECT_TRUE(released.centre);
  EXPECT_FALSE(paper.aux_bias);
  EXPECT_TRUE(released.aux_bias);
  EXPECT_EQ(paper.batch, 64);
  EXPECT_EQ(released.batch, 512);
  EXPECT_EQ(paper.weight_decay, 1e-2);
  EXPECT_EQ(released.weight_decay, 1e-5);
  EXPECT_EQ(paper.anneal, Anneal::linear);
  EXPECT_EQ(released.anneal, Anneal::cosine);
  EXPECT_EQ(paper.stage3_trains, Stage3Trains::encoder);
  EXPECT_EQ(released.stage3_trains, Stage3Trains::all);
  EXPECT_EQ(paper.validation_fraction, 0.1);
  EXPECT_EQ(released.validation_fraction, 0.02);
  EXPECT_EQ(paper.validation_cap, 0);
  EXPECT_EQ(released.validation_cap, 500);
}

TEST(Recipe, FilesOfThePresetsAreWhatThePresetsPrint) {
  for (const std::string& name : recipe_presets()) {
    const std::string file = std::string(PUMA_SOURCE_DIR) + "/configs/recipes/" + name + ".yaml";
    EXPECT_EQ(dist::read_file(file), recipe_yaml(recipe_preset(name))) << file;
    EXPECT_EQ(read_recipe(Yaml::load(file)), recipe_preset(name)) << file;
  }
}

TEST(Recipe, ANameAloneIsAPreset) {
  EXPECT_EQ(read("released"), recipe_preset("released"));
}

TEST(Recipe, AnEmptyNodeIsThePaper) {
  EXPECT_EQ(read("{}"), recipe_preset("paper"));
}

TEST(Recipe, ShortenedStepsScaleWarmUpsAndTheDeadRule) {
  const Recipe r = read("{preset: paper, stage2_steps: 2000, stage3_steps: 300}");
  EXPECT_EQ(r.stage2_warmup, 50);
  EXPECT_EQ(r.dead_after, 50);
  EXPECT_EQ(r.stage3_warmup, 30);
}

TEST(Recipe, WhatIsGivenDoesNotScale) {
  const Recipe r = read(
      "{stage2_steps: 2000, stage2_warmup: 7, dead_after: 9, stage3_steps: 300, stage3_warmup: 1}");
  EXPECT_EQ(r.stage2_warmup, 7);
  EXPECT_EQ(r.dead_after, 9);
  EXPECT_EQ(r.stage3_warmup, 1);
}

TEST(Recipe, ScalesToOneAtLeast) {
  const Recipe r = read("{stage2_steps: 1, stage3_steps: 0}");
  EXPECT_EQ(r.stage2_warmup, 1);
  EXPECT_EQ(r.dead_after, 1);
  EXPECT_EQ(r.stage3_warmup, 1);
}

TEST(Recipe, ChangesLieOverTheRecipeLastOneOnTop) {
  const Yaml base = Yaml::parse("{preset: released, batch: 8, stage2_steps: 2000}", "f.yaml");
  const Recipe r =
      read_recipe(base, {Yaml::parse("batch: 16", "--set"), Yaml::parse("batch: 32", "--set"),
                         Yaml::parse("stage2_steps: 4000", "--set")});
  EXPECT_EQ(r.batch, 32);
  EXPECT_EQ(r.stage2_steps, 4000);
  EXPECT_EQ(r.dead_after, 100);
  EXPECT_TRUE(r.centre);
}

TEST(Recipe, JsonHoldsEveryFieldAndReadsBack) {
  Recipe r = recipe_preset("released");
  r.stage2_aux = 1.0 / 3;
  r.k_init = 40;
  r.aux = AuxActivation::gao;
  r.device = "cuda";
  EXPECT_EQ(recipe_from_json(recipe_json(r)), r);
  EXPECT_EQ(recipe_from_json(nlohmann::json::parse(recipe_json(r).dump())), r);
  EXPECT_EQ(read_recipe(Yaml::parse(recipe_yaml(r), "dump")), r);
}

TEST(Recipe, JsonRefusesUnknownMissingAndWrongFields) {
  const nlohmann::json whole = recipe_json(recipe_preset("paper"));
  nlohmann::json more = whole, fewer = whole, wrong = whole, bounds = whole;
  more["bacth"] = 1;
  fewer.erase("batch");
  wrong["batch"] = "64";
  bounds["beta1"] = 1.0;
  for (const auto& [json, text] :
       {std::pair{more, "bacth"}, {fewer, "batch"}, {wrong, "batch"}, {bounds, "beta1"}}) {
    try {
      recipe_from_json(json);
      ADD_FAILURE() << text;
    } catch (const dist::Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  }
}

TEST(Recipe, HelpNamesEveryField) {
  const nlohmann::json fields = recipe_json(recipe_preset("paper"));
  for (const auto& [name, value] : fields.items()) EXPECT_THAT(recipe_help(), HasSubstr(name));
}

TEST(Recipe, RefusesAnUnknownKeyWithTheNearest) {
  const std::string text = refusal("preset: paper\nstage2_step: 5\n");
  EXPECT_THAT(text, HasSubstr("study.yaml:2"));
  EXPECT_THAT(text, HasSubstr("stage2_steps"));
}

TEST(Recipe, RefusesValuesOutOfBoundsWithTheBounds) {
  EXPECT_THAT(refusal("batch: 0"), HasSubstr("at least 1"));
  EXPECT_THAT(refusal("validation_fraction: 1"), HasSubstr("below 1"));
  EXPECT_THAT(refusal("temperature: 0"), HasSubstr("above 0"));
  EXPECT_THAT(refusal("stage2_steps: -1"), HasSubstr("at least 0"));
  EXPECT_THAT(refusal("aux: gelu"), HasSubstr("softplus, relu, gao, off"));
  EXPECT_THAT(refusal("preset: papre"), HasSubstr("paper, released"));
  EXPECT_THAT(refusal("device: tpu"), HasSubstr("cpu or cuda"));
}

TEST(Recipe, RefusesImpossibleCombinations) {
  EXPECT_THAT(refusal("{stage2_steps: 0, stage3_steps: 0}"), HasSubstr("nothing to train"));
  EXPECT_THAT(refusal("{stage2_steps: 10, stage2_warmup: 11}"), HasSubstr("at most 10"));
  EXPECT_THAT(refusal("{stage3_steps: 10, stage3_warmup: 11}"), HasSubstr("at most 10"));
}

}  // namespace
}  // namespace puma::config
