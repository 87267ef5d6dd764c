// SPDX-License-Identifier: Apache-2.0
// Step by step beside plain PyTorch in float64 (tests/fixtures/traces): the trainer is the oracle
// of every faster one, so its own oracle is outside.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "data/safetensors.hpp"
#include "dist/files.hpp"
#include "model/schedule.hpp"
#include "model/stage.hpp"

namespace puma::model::detail {
namespace {

// Two correct float64 trainers differ only in the order of sums: about 1e-13 after 200 steps here.
constexpr double kTermTolerance = 1e-9;
constexpr double kWeightTolerance = 1e-8;

at::Tensor tensor(const data::SafetensorsFile& file, const std::string& name) {
  const data::TensorView& view = file.tensor(name);
  EXPECT_EQ(view.dtype, "F64");
  at::Tensor t = at::empty(view.shape, at::TensorOptions().dtype(at::kDouble));
  std::memcpy(t.mutable_data_ptr(), view.bytes.data(), view.bytes.size());
  return t;
}

double relative(double a, double b) {
  return std::abs(a - b) / std::max(std::max(std::abs(a), std::abs(b)), 1e-300);
}

config::Recipe recipe_of(const nlohmann::json& c, const std::string& preset) {
  config::Recipe r = config::recipe_preset(preset);
  r.expansion = c.at("D").get<std::int64_t>() / c.at("d").get<std::int64_t>();
  r.stage2_steps = c.at("stage2");
  r.stage3_steps = c.at("stage3");
  r.stage2_warmup = c.at("warm2");
  r.stage3_warmup = c.at("warm3");
  r.batch = c.at("batch");
  r.aux_k = c.at("k_aux");
  r.dead_after = c.at("dead_after");
  return r;
}

// What the presets must say by themselves: not set from the trace, but compared with it.
void expect_preset(const nlohmann::json& c, const config::Recipe& r) {
  EXPECT_EQ(c.at("centre"), r.centre);
  EXPECT_EQ(c.at("aux_bias"), r.aux_bias);
  EXPECT_EQ(c.at("weight_decay"), r.weight_decay);
  EXPECT_EQ(c.at("wd3"), r.stage3_weight_decay);
  EXPECT_EQ(c.at("lr2"), r.stage2_lr);
  EXPECT_EQ(c.at("lr3"), r.stage3_lr);
  EXPECT_EQ(c.at("clip"), r.clip_norm);
  EXPECT_EQ(c.at("tau"), r.temperature);
  EXPECT_EQ(c.at("w_aux2"), r.stage2_aux);
  EXPECT_EQ(c.at("val_fraction"), r.validation_fraction);
  EXPECT_EQ(c.at("val_cap"), r.validation_cap);
  EXPECT_EQ(c.at("negatives"), r.negatives);
}

struct TraceRun {
  nlohmann::json trace;
  config::Recipe recipe;
  at::Tensor q, p, neg;
  Autoencoder model;
};

TraceRun load(const std::string& preset) {
  const std::string folder = std::string(PUMA_SOURCE_DIR) + "/tests/fixtures/traces/" + preset;
  TraceRun run;
  run.trace = nlohmann::json::parse(dist::read_file(folder + "/trace.json"));
  run.recipe = recipe_of(run.trace.at("recipe"), preset);
  const data::SafetensorsFile init(folder + "/init.safetensors"),
      rows(folder + "/data.safetensors");
  run.q = tensor(rows, "q");
  run.p = tensor(rows, "p");
  run.neg = tensor(rows, "neg");
  run.model = {tensor(init, "W_enc"),
               tensor(init, "W_dec"),
               tensor(init, "b_enc"),
               tensor(init, "b_dec"),
               at::zeros({run.trace["recipe"]["D"].get<std::int64_t>()}, at::kLong),
               run.recipe.centre};
  return run;
}

void expect_step(const nlohmann::json& expected, const StepReport& got, const StepPlan& plan) {
  const std::string where =
      "stage " + expected["stage"].dump() + " step " + expected["step"].dump();
  EXPECT_EQ(expected["k"].get<std::int64_t>(), plan.k) << where;
  EXPECT_LT(std::abs(expected["lr"].get<double>() - plan.learning_rate), 1e-18) << where;
  EXPECT_EQ(expected["dead"][0].get<std::int64_t>(), got.dead[0]) << where;
  EXPECT_EQ(expected["dead"][1].get<std::int64_t>(), got.dead[1]) << where;
  EXPECT_LT(relative(expected["loss"], got.loss), kTermTolerance) << where;
  EXPECT_LT(relative(expected["grad_norm"], got.gradient_norm), kTermTolerance) << where;
  ASSERT_EQ(expected["terms"].size(), got.terms.size()) << where;
  for (const TermValue& term : got.terms) {
    const std::string name = term.name == "reconstruction" ? "rec"
                             : term.name == "distillation" ? "dist"
                             : term.name == "contrastive"  ? "ctr"
                                                           : "aux";
    EXPECT_LT(relative(expected["terms"][name], term.value), kTermTolerance)
        << where << " " << name;
    EXPECT_LT(relative(expected["weighted"][name], term.value * term.weight), kTermTolerance)
        << where << " " << name;
  }
}

class Parity : public testing::TestWithParam<const char*> {};

TEST_P(Parity, EveryTermNormAndWeightAgreesWithPyTorch) {
  TraceRun run = load(GetParam());
  expect_preset(run.trace["recipe"], run.recipe);
  const TorchThreads one(1);
  const std::int64_t k = run.trace["recipe"]["k"];
  const std::int64_t k_init = initial_k(run.recipe, run.model.dictionary(), k);
  EXPECT_EQ(run.trace["recipe"]["k_init"].get<std::int64_t>(), k_init);
  const auto& steps = run.trace["steps"];
  std::size_t next = 0;
  for (const int number : {2, 3}) {
    Stage stage(run.model, run.recipe, number);
    for (; next < steps.size() && steps[next]["stage"] == number; ++next) {
      const auto& expected = steps[next];
      const std::int64_t s = expected["step"];
      ASSERT_EQ(s, stage.steps_done());
      StepPlan plan;
      plan.k = number == 2 ? annealed_k(run.recipe, s, k_init, k) : k;
      plan.learning_rate = number == 2
                               ? learning_rate(s, run.recipe.stage2_steps, run.recipe.stage2_warmup,
                                               run.recipe.stage2_lr)
                               : learning_rate(s, run.recipe.stage3_steps, run.recipe.stage3_warmup,
                                               run.recipe.stage3_lr);
      plan.measure_aux = number == 2 && s % 7 == 0;  // measuring must not change the step
      const auto rows = expected["rows"].get<std::vector<std::int64_t>>();
      const at::Tensor i = copy_in(rows, {static_cast<std::int64_t>(rows.size())}, at::kCPU);
      const StepReport got = stage.step(
          {run.q.index_select(0, i), run.p.index_select(0, i), run.neg.index_select(0, i)}, plan);
      expect_step(expected, got, plan);
      if (HasFailure()) return;
    }
  }
  ASSERT_EQ(next, steps.size());
  const data::SafetensorsFile final_weights(
      std::string(PUMA_SOURCE_DIR) + "/tests/fixtures/traces/" + GetParam() + "/final.safetensors");
  const at::NoGradGuard no_grad;
  const char* names[] = {"W_enc", "W_dec", "b_enc", "b_dec"};
  auto name = std::begin(names);
  for (const at::Tensor* parameter : run.model.parameters()) {
    const at::Tensor expected = tensor(final_weights, *name);
    const double error = (*parameter - expected).abs().max().item<double>();
    EXPECT_LT(error, kWeightTolerance) << *name;
    ++name;
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, Parity, testing::Values("paper", "released"),
                         [](const auto& preset) { return std::string(preset.param); });

}  // namespace
}  // namespace puma::model::detail
