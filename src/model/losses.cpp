// SPDX-License-Identifier: Apache-2.0
#include "model/losses.hpp"

#include <algorithm>
#include <limits>

namespace puma::model::detail {

namespace {

struct Forward {
  at::Tensor h, z, decoded;
};

Forward forward(const Autoencoder& model, const at::Tensor& x, std::int64_t k) {
  Forward f;
  f.h = model.pre_activations(x);
  f.z = Autoencoder::code(f.h, k);
  f.decoded = model.decode(f.z);
  return f;
}

// 1 - cos(x, x^), mean over the batch.
at::Tensor reconstruction(const at::Tensor& x, const at::Tensor& decoded) {
  return (1 - at::cosine_similarity(x, decoded, 1)).mean();
}

// Squared difference of the sparse and the dense score of each positive pair.
at::Tensor distillation(const at::Tensor& zq, const at::Tensor& zp, const Batch& batch) {
  return at::mse_loss((zq * zp).sum(1), (batch.queries * batch.positives).sum(1));
}

// InfoNCE: row i's positive is column i.
at::Tensor contrastive(const at::Tensor& logits, double temperature) {
  const auto rows =
      at::arange(logits.size(0), at::TensorOptions().dtype(at::kLong).device(logits.device()));
  return at::cross_entropy_loss(logits / temperature, rows);
}

// AuxK: the largest pre-activations of dead atoms have to explain what the living left over. The
// residual is a constant: dead atoms must not pull at the main reconstruction.
at::Tensor aux(const Autoencoder& model, const at::Tensor& x, const Forward& f,
               const at::Tensor& dead, std::int64_t dead_count, const config::Recipe& recipe) {
  using config::AuxActivation;
  const at::Tensor masked =
      f.h.masked_fill(dead.logical_not(), -std::numeric_limits<double>::infinity());
  const auto [values, atoms] = at::topk(masked, std::min(recipe.aux_k, dead_count), 1);
  const at::Tensor active =
      recipe.aux == AuxActivation::softplus ? at::softplus(values) : at::relu(values);
  at::Tensor part = at::scatter(at::zeros_like(f.h), 1, atoms, active).matmul(model.W_dec);
  if (recipe.aux_bias && recipe.aux != AuxActivation::gao) part = part + model.b_dec;
  const at::Tensor residual = (x - f.decoded).detach();
  const at::Tensor loss = (part - residual).pow(2).sum(1).mean();
  if (recipe.aux != AuxActivation::gao) return loss;
  return loss / (residual - residual.mean(0)).pow(2).sum(1).mean();
}

struct AuxLoss {
  at::Tensor value;
  std::int64_t dead = 0;
};

AuxLoss tick_and_aux(Autoencoder& model, const at::Tensor& x, const Forward& f,
                     const config::Recipe& recipe) {
  model.tick(f.z);
  const at::Tensor dead = model.dead(recipe.dead_after);
  AuxLoss result;
  result.dead = dead.sum().item<std::int64_t>();
  const bool off = result.dead == 0 || recipe.aux == config::AuxActivation::off;
  result.value = off ? at::zeros({}, x.options()) : aux(model, x, f, dead, result.dead, recipe);
  return result;
}

}  // namespace

Losses stage2_losses(Autoencoder& model, const Batch& batch, std::int64_t k,
                     const config::Recipe& recipe) {
  const Forward q = forward(model, batch.queries, k);
  const Forward p = forward(model, batch.positives, k);
  const AuxLoss aux_q = tick_and_aux(model, batch.queries, q, recipe);
  const AuxLoss aux_p = tick_and_aux(model, batch.positives, p, recipe);
  Losses losses;
  losses.dead = {aux_q.dead, aux_p.dead};
  losses.terms = {
      {"reconstruction", recipe.stage2_reconstruction,
       0.5 *
           (reconstruction(batch.queries, q.decoded) + reconstruction(batch.positives, p.decoded))},
      {"distillation", recipe.stage2_distillation, distillation(q.z, p.z, batch)},
      {"contrastive", recipe.stage2_contrastive,
       contrastive(q.z.matmul(p.z.t()), recipe.temperature)},
      {"aux", recipe.stage2_aux, 0.5 * (aux_q.value + aux_p.value)},
  };
  return losses;
}

Losses stage3_losses(Autoencoder& model, const Batch& batch, std::int64_t k,
                     const config::Recipe& recipe) {
  const Forward q = forward(model, batch.queries, k);
  const Forward p = forward(model, batch.positives, k);
  at::Tensor logits = q.z.matmul(p.z.t());
  const std::int64_t b = batch.queries.size(0);
  const std::int64_t n = batch.negatives.defined() ? batch.negatives.size(1) : 0;
  if (n > 0) {  // a query's own negatives are further columns of its row, and of no other
    const at::Tensor h = model.pre_activations(batch.negatives.reshape({b * n, model.dim()}));
    const at::Tensor z = Autoencoder::code(h, k).reshape({b, n, model.dictionary()});
    logits = at::cat({logits, at::bmm(z, q.z.unsqueeze(2)).squeeze(2)}, 1);
  }
  Losses losses;
  losses.terms = {
      {"contrastive", recipe.stage3_contrastive, contrastive(logits, recipe.temperature)},
      {"reconstruction", recipe.stage3_reconstruction,
       0.5 *
           (reconstruction(batch.queries, q.decoded) + reconstruction(batch.positives, p.decoded))},
      {"distillation", recipe.stage3_distillation, distillation(q.z, p.z, batch)},
  };
  std::size_t side = 0;
  for (const Forward* f : {&q, &p}) {
    model.tick(f->z);
    losses.dead[side++] = model.dead(recipe.dead_after).sum().item<std::int64_t>();
  }
  return losses;
}

}  // namespace puma::model::detail
