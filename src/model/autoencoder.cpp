// SPDX-License-Identifier: Apache-2.0
#include "model/autoencoder.hpp"

#include <cmath>
#include <vector>

#include "dist/philox.hpp"

namespace puma::model::detail {

namespace {

at::Tensor uniform(std::int64_t rows, std::int64_t columns, double bound, std::uint64_t seed,
                   std::uint32_t trial, at::Device device) {
  std::vector<float> values(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float unit = dist::random_unit(seed, dist::RandomPurpose::weights, trial, i);
    values[i] = (2.0f * unit - 1.0f) * static_cast<float>(bound);
  }
  return copy_in(values, {rows, columns}, device);
}

}  // namespace

Autoencoder Autoencoder::initial(std::int64_t dim, std::int64_t dictionary, bool centre,
                                 std::uint64_t seed, at::Device device) {
  const auto options = at::TensorOptions().dtype(at::kFloat).device(device);
  Autoencoder model;
  model.W_enc = uniform(dictionary, dim, 1 / std::sqrt(static_cast<double>(dim)), seed, 0, device);
  // W_dec is kept transposed, so its fan-in is the dictionary.
  model.W_dec =
      uniform(dictionary, dim, 1 / std::sqrt(static_cast<double>(dictionary)), seed, 1, device);
  model.b_enc = at::zeros({dictionary}, options);
  model.b_dec = at::zeros({dim}, options);
  model.idle = at::zeros({dictionary}, options.dtype(at::kLong));
  model.centre = centre;
  model.normalise_decoder();
  return model;
}

at::Tensor Autoencoder::pre_activations(const at::Tensor& x) const {
  return at::linear(centre ? x - b_dec : x, W_enc, b_enc);
}

// A row with fewer than k positive values takes zeros for the rest: they stay zeros, and ReLU gives
// them no gradient.
at::Tensor Autoencoder::code(const at::Tensor& h, std::int64_t k) {
  const auto [values, atoms] = at::topk(at::relu(h), k, 1);
  return at::scatter(at::zeros_like(h), 1, atoms, values);
}

at::Tensor Autoencoder::decode(const at::Tensor& z) const {
  return z.matmul(W_dec) + b_dec;
}

void Autoencoder::normalise_decoder() {
  const at::NoGradGuard no_grad;
  const at::Tensor norms = at::linalg_vector_norm(W_dec, 2, at::IntArrayRef{1}, true);
  W_dec.div_(norms.clamp_min(1e-12));
}

void Autoencoder::tick(const at::Tensor& z) {
  const at::NoGradGuard no_grad;
  idle.add_(1).masked_fill_((z > 0).any(0), 0);
}

}  // namespace puma::model::detail
