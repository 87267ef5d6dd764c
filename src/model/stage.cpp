// SPDX-License-Identifier: Apache-2.0
#include "model/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dist/error.hpp"

namespace puma::model::detail {

namespace {

// Elements of one pass of AdamW: six operators over a piece that stays in the cache, instead of six
// trips to memory. Every element sees the same operations whatever the piece.
constexpr std::int64_t kPiece = 1 << 15;

[[noreturn]] void fail_not_finite(int stage, std::int64_t step, const std::string& what,
                                  double value) {
  throw dist::Error(
      dist::ExitCode::task_failed,
      fmt::format("training diverged: {} is {} in Stage {}, step {}", what, value, stage, step),
      "every term and the gradient norm must be finite",
      "Lower the learning rate, or look for rows of unusual norm in the caches (puma inspect).");
}

}  // namespace

Stage::Stage(Autoencoder& model, const config::Recipe& recipe, int number)
    : model_(model), recipe_(recipe), number_(number) {
  const bool all = number == 2 || recipe.stage3_trains == config::Stage3Trains::all;
  const auto names = {"W_enc", "W_dec", "b_enc", "b_dec"};
  auto name = names.begin();
  for (at::Tensor* parameter : model.parameters()) {
    const bool trained = all || parameter == &model.W_enc || parameter == &model.b_enc;
    parameter->requires_grad_(trained);
    parameter->mutable_grad() = at::Tensor();
    if (trained) {
      const at::Tensor value = parameter->detach();
      moments_.push_back({*name, parameter, at::zeros_like(value), at::zeros_like(value)});
    }
    ++name;
  }
}

double Stage::gradient_norm() const {
  std::vector<at::Tensor> norms;
  for (const Moments& m : moments_) {
    if (m.parameter->grad().defined()) norms.push_back(at::linalg_vector_norm(m.parameter->grad()));
  }
  return norms.empty() ? 0.0 : at::linalg_vector_norm(at::stack(norms)).item<double>();
}

void Stage::clear_gradients() {
  for (Moments& m : moments_) m.parameter->mutable_grad() = at::Tensor();
}

StepReport Stage::step(const Batch& batch, const StepPlan& plan) {
  const Losses losses = number_ == 2 ? stage2_losses(model_, batch, plan.k, recipe_)
                                     : stage3_losses(model_, batch, plan.k, recipe_);
  StepReport report;
  report.dead = losses.dead;
  at::Tensor loss;
  for (const LossTerm& term : losses.terms) {
    const double value = term.value.item<double>();
    if (!std::isfinite(value)) {
      fail_not_finite(number_, steps_done_, fmt::format("the {} term", term.name), value);
    }
    report.terms.push_back({std::string(term.name), value, term.weight});
    // Terms of weight 0 stay in the sum: their gradients are exact zeros.
    const at::Tensor weighted = term.weight * term.value;
    loss = loss.defined() ? loss + weighted : weighted;
  }
  report.loss = loss.item<double>();
  if (plan.measure_aux && losses.terms.back().name == "aux") {
    const at::Tensor weighted = losses.terms.back().weight * losses.terms.back().value;
    report.aux_norm = 0;
    if (weighted.requires_grad()) {
      weighted.backward({}, true);
      report.aux_norm = gradient_norm();
      clear_gradients();
    }
  }
  if (loss.requires_grad()) loss.backward();

  const at::NoGradGuard no_grad;
  report.gradient_norm = gradient_norm();
  if (!std::isfinite(report.gradient_norm)) {
    fail_not_finite(number_, steps_done_, "the gradient norm", report.gradient_norm);
  }
  if (recipe_.clip_norm > 0) {
    const double scale = std::min(recipe_.clip_norm / (report.gradient_norm + 1e-6), 1.0);
    for (Moments& m : moments_) {
      if (scale < 1 && m.parameter->grad().defined()) m.parameter->mutable_grad().mul_(scale);
    }
  }
  update(plan.learning_rate);
  clear_gradients();
  model_.normalise_decoder();
  ++steps_done_;
  return report;
}

// p -= lr * (wd * p + m^ / (sqrt(v^) + eps)) in the order of operations of torch.optim.AdamW. The
// decay is its own multiplication: in float32, a factor 1 - lr * wd that rounds to 1 decays nothing
// (the released Stage 2).
void Stage::update(double learning_rate) {
  const double t = static_cast<double>(steps_done_ + 1);
  const double decay = number_ == 2 ? recipe_.weight_decay : recipe_.stage3_weight_decay;
  const double step_size = learning_rate / (1 - std::pow(recipe_.beta1, t));
  const double root = std::sqrt(1 - std::pow(recipe_.beta2, t));
  for (Moments& m : moments_) {
    if (!m.parameter->grad().defined()) continue;
    const at::Tensor parameter = m.parameter->detach().view(-1);
    const at::Tensor gradient = m.parameter->grad().contiguous().view(-1);
    const at::Tensor first = m.first.view(-1), second = m.second.view(-1);
    const std::int64_t n = parameter.numel();
    const std::int64_t piece = parameter.is_cuda() ? n : kPiece;
    for (std::int64_t begin = 0; begin < n; begin += piece) {
      const std::int64_t length = std::min(piece, n - begin);
      at::Tensor p = parameter.narrow(0, begin, length), g = gradient.narrow(0, begin, length);
      at::Tensor m1 = first.narrow(0, begin, length), m2 = second.narrow(0, begin, length);
      p.mul_(1 - learning_rate * decay);
      m1.lerp_(g, 1 - recipe_.beta1);
      m2.mul_(recipe_.beta2).addcmul_(g, g, 1 - recipe_.beta2);
      p.addcdiv_(m1, m2.sqrt().div_(root).add_(recipe_.epsilon), -step_size);
    }
  }
}

}  // namespace puma::model::detail
