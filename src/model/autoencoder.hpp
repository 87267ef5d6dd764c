// SPDX-License-Identifier: Apache-2.0
// The TopK sparse autoencoder (paper 3.2) as tensors: z = TopK(ReLU(W_enc x + b_enc)), x^ = z W_dec
// + b_dec, rows of W_dec of norm 1. The type of the weights is the type of all arithmetic: float32
// in use, float64 where tests want 10 digits more.
#pragma once

#include <array>
#include <cstdint>

#include "model/torch.hpp"

namespace puma::model::detail {

struct Autoencoder {
  at::Tensor W_enc, W_dec;  // [D, d]
  at::Tensor b_enc;         // [D]
  at::Tensor b_dec;         // [d]
  at::Tensor idle;          // int64 [D]: tracker ticks since the atom was last used
  bool centre = false;      // encode x - b_dec, as released

  // W_enc and W_dec uniform within 1/sqrt(fan-in) (kaiming_uniform with a = sqrt 5), rows of W_dec
  // normalised, biases 0. The same weights on every device.
  static Autoencoder initial(std::int64_t dim, std::int64_t dictionary, bool centre,
                             std::uint64_t seed, at::Device device);

  std::int64_t dim() const { return W_enc.size(1); }
  std::int64_t dictionary() const { return W_enc.size(0); }
  std::array<at::Tensor*, 4> parameters() { return {&W_enc, &W_dec, &b_enc, &b_dec}; }

  at::Tensor pre_activations(const at::Tensor& x) const;        // [n, D]
  static at::Tensor code(const at::Tensor& h, std::int64_t k);  // [n, D], at most k above 0 a row
  at::Tensor decode(const at::Tensor& z) const;                 // [n, d]

  void normalise_decoder();        // last act of every step
  void tick(const at::Tensor& z);  // one batch of codes seen
  at::Tensor dead(std::int64_t dead_after) const { return idle > dead_after; }
};

}  // namespace puma::model::detail
