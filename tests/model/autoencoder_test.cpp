// SPDX-License-Identifier: Apache-2.0
// Rows with fewer than k positive pre-activations, and each loss against numeric gradients: what
// the golden traces do not cover.
#include "model/autoencoder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/losses.hpp"
#include "model/stage.hpp"
#include "toy_training.hpp"

namespace puma::model::detail {
namespace {

constexpr std::int64_t kDim = 6, kDictionary = 20, kRows = 5;

// float64, with a negative bias on most atoms, so that some rows have fewer than k positive
// pre-activations.
Autoencoder toy_model(bool centre) {
  Autoencoder m = Autoencoder::initial(kDim, kDictionary, centre, 1, at::kCPU);
  for (at::Tensor* p : m.parameters()) *p = p->to(at::kDouble);
  m.b_enc = m.b_enc.clone();
  for (std::int64_t i = 0; i < kDictionary; ++i) m.b_enc[i] = i % 4 == 0 ? 0.1 : -0.35;
  m.b_dec = copy_in(random_rows(1, kDim, 9), {kDim}, at::kCPU, at::kDouble);
  return m;
}

Batch toy_batch() {
  const auto rows = [](std::int64_t n, std::uint32_t trial) {
    return copy_in(random_rows(n, kDim, trial), {n, kDim}, at::kCPU, at::kDouble);
  };
  return {rows(kRows, 10), rows(kRows, 11), rows(kRows * 3, 12).reshape({kRows, 3, kDim})};
}

TEST(Autoencoder, ARowWithFewerThanKPositiveValuesKeepsOnlyThose) {
  const at::Tensor h = at::zeros({2, 6}, at::kDouble);
  h[0][4] = 2.0;
  h[0][1] = 3.0;
  h[0][2] = -1.0;
  const at::Tensor z = Autoencoder::code(h, 4);
  EXPECT_EQ((z[0] > 0).sum().item<std::int64_t>(), 2);
  EXPECT_EQ(z[0][4].item<double>(), 2.0);
  EXPECT_EQ(z[0][1].item<double>(), 3.0);
  EXPECT_EQ(z[1].abs().sum().item<double>(), 0.0);  // a row without any
}

TEST(Autoencoder, OnlyPositivePreActivationsGetAGradient) {
  at::Tensor h = at::zeros({1, 6}, at::kDouble);
  h[0][4] = 2.0;
  h[0][2] = -1.0;
  h.requires_grad_(true);
  (Autoencoder::code(h, 4) * 3).sum().backward();
  const at::Tensor g = h.grad();
  EXPECT_EQ(g[0][4].item<double>(), 3.0);
  EXPECT_EQ(g.abs().sum().item<double>(), 3.0);
}

TEST(Autoencoder, ATickCountsUnusedAtomsAndForgetsUsedOnes) {
  Autoencoder m = toy_model(false);
  at::Tensor z = at::zeros({2, kDictionary}, at::kDouble);
  z[1][3] = 0.5;
  m.tick(z);
  m.tick(z);
  EXPECT_EQ(m.idle[3].item<std::int64_t>(), 0);
  EXPECT_EQ(m.idle[4].item<std::int64_t>(), 2);
  EXPECT_EQ(m.dead(1).sum().item<std::int64_t>(), kDictionary - 1);
  EXPECT_EQ(m.dead(2).sum().item<std::int64_t>(), 0);
}

// Which loss, with which switches, and how k compares with what a row has.
struct GradientCase {
  std::string name;
  int stage;
  std::int64_t k;
  bool centre, aux_bias;
  config::AuxActivation aux;
};

class Gradient : public testing::TestWithParam<GradientCase> {
 protected:
  double loss(Autoencoder model, const config::Recipe& recipe, std::vector<at::Tensor>* gradients) {
    model.idle = at::zeros({kDictionary}, at::kLong);
    for (std::int64_t i = 0; i < kDictionary; i += 3) model.idle[i] = 100;
    const Batch batch = toy_batch();
    const std::int64_t k = GetParam().k;
    const Losses losses = GetParam().stage == 2 ? stage2_losses(model, batch, k, recipe)
                                                : stage3_losses(model, batch, k, recipe);
    if (GetParam().stage == 2) {
      EXPECT_GT(losses.dead[1], 0);
    }
    at::Tensor sum = at::zeros({}, at::kDouble);
    for (const LossTerm& term : losses.terms) sum = sum + term.weight * term.value;
    if (gradients != nullptr) {
      sum.backward();
      for (const at::Tensor* p : model.parameters()) gradients->push_back(p->grad());
    }
    return sum.item<double>();
  }
};

TEST_P(Gradient, AgreesWithDifferences) {
  config::Recipe recipe = config::recipe_preset("paper");
  recipe.aux = GetParam().aux;
  recipe.aux_bias = GetParam().aux_bias;
  recipe.aux_k = 3;
  recipe.dead_after = 50;
  recipe.temperature = 0.5;
  Autoencoder model = toy_model(GetParam().centre);
  {
    const at::NoGradGuard no_grad;
    const at::Tensor positive = (model.pre_activations(toy_batch().queries) > 0).sum(1);
    ASSERT_LT(positive.min().item<std::int64_t>(), 8);  // so that k = 8 is more than a row has
  }
  for (at::Tensor* p : model.parameters()) p->requires_grad_(true);
  std::vector<at::Tensor> gradients;
  loss(model, recipe, &gradients);
  const at::NoGradGuard no_grad;
  const double h = 1e-6;
  std::size_t number = 0;
  for (at::Tensor* p : model.parameters()) {
    at::Tensor flat = p->view(-1);
    const at::Tensor gradient =
        gradients[number].defined() ? gradients[number].reshape(-1) : at::zeros_like(flat);
    for (std::int64_t i = 0; i < flat.numel(); i += 3) {
      const double value = flat[i].item<double>();
      flat[i] = value + h;
      const double up = loss(model, recipe, nullptr);
      flat[i] = value - h;
      const double down = loss(model, recipe, nullptr);
      flat[i] = value;
      EXPECT_NEAR(gradient[i].item<double>(), (up - down) / (2 * h), 2e-7) << number << " " << i;
    }
    ++number;
  }
}

using config::AuxActivation;
INSTANTIATE_TEST_SUITE_P(
    Losses, Gradient,
    testing::Values(GradientCase{"stage3", 3, 3, false, false, AuxActivation::off},
                    GradientCase{"stage3_short_rows", 3, 8, false, false, AuxActivation::off},
                    GradientCase{"stage3_centred", 3, 8, true, false, AuxActivation::off},
                    GradientCase{"stage2_off", 2, 8, false, false, AuxActivation::off}),
    [](const auto& one) { return one.param.name; });

// AuxK's residual is a constant, so its gradient is no plain difference: hold the terms apart.
TEST(AuxK, PullsAtDeadAtomsAndTheirDecoderOnly) {
  config::Recipe recipe = config::recipe_preset("paper");
  recipe.stage2_reconstruction = recipe.stage2_distillation = recipe.stage2_contrastive = 0;
  recipe.dead_after = 50;
  for (const AuxActivation kind :
       {AuxActivation::softplus, AuxActivation::relu, AuxActivation::gao}) {
    for (const bool bias : {false, true}) {
      recipe.aux = kind;
      recipe.aux_bias = bias;
      Autoencoder model = toy_model(false);
      model.idle = at::zeros({kDictionary}, at::kLong);
      // Atom 19 never fires (its bias sees to that) and is dead; with ReLU it then gets nothing
      // either.
      model.b_enc[19] = -5.0;
      model.b_enc[16] = 0.3;
      model.idle[19] = 100;
      for (at::Tensor* p : model.parameters()) p->requires_grad_(true);
      const Losses losses = stage2_losses(model, toy_batch(), 3, recipe);
      EXPECT_EQ(losses.dead[0], 1);
      losses.terms.back().value.backward();
      const at::Tensor g = model.W_enc.grad();
      EXPECT_EQ(g.slice(0, 0, 19).abs().sum().item<double>(), 0.0);
      const double dead = g[19].abs().sum().item<double>();
      EXPECT_EQ(dead > 0, kind == AuxActivation::softplus);
      const bool bias_pulled =
          model.b_dec.grad().defined() && model.b_dec.grad().abs().sum().item<double>() > 0;
      EXPECT_EQ(bias_pulled, bias && kind != AuxActivation::gao);
    }
  }
}

}  // namespace
}  // namespace puma::model::detail
