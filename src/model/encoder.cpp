// SPDX-License-Identifier: Apache-2.0
#include "model/encoder.hpp"

#include <fmt/format.h>

#include <mutex>
#include <vector>

#include "dist/checksum.hpp"
#include "dist/error.hpp"
#include "model/checkpoint.hpp"
#include "model/encode_blocks.hpp"

namespace puma::model {

struct Encoder::Impl {
  detail::Autoencoder model;
  at::Device device{at::kCPU};
  std::string file, checksum;
};

Encoder::Encoder(const std::filesystem::path& checkpoint, const dist::Device& device)
    : impl_(std::make_unique<Impl>()) {
  detail::make_deterministic(device);
  impl_->device = detail::torch_device(device);
  impl_->file = checkpoint.string();
  impl_->checksum = dist::file_checksum(checkpoint).hex();
  const Checkpoint read = read_checkpoint(checkpoint);
  const std::int64_t D = read.dictionary, d = read.dim;
  impl_->model.W_enc = detail::copy_in(read.W_enc, {D, d}, impl_->device);
  impl_->model.b_enc = detail::copy_in(read.b_enc, {D}, impl_->device);
  impl_->model.b_dec = detail::copy_in(read.b_dec, {d}, impl_->device);
  impl_->model.centre = read.info.recipe.centre;
}

Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;

std::int64_t Encoder::dim() const {
  return impl_->model.dim();
}
std::int64_t Encoder::dictionary() const {
  return impl_->model.dictionary();
}
std::string Encoder::content_checksum() const {
  return impl_->checksum;
}

data::CodeMatrix Encoder::encode(
    dist::RowRange mine, std::int64_t k, int threads,
    const std::function<void(dist::RowRange, std::span<float>)>& rows) const {
  if (k < 1 || k > dictionary()) {
    dist::fail_input({impl_->file, "k does not fit the dictionary",
                      fmt::format("1 <= k <= {}", dictionary()), fmt::format("{}", k),
                      "Ask for fewer atoms, or train with a larger expansion."});
  }
  std::mutex reading;  // a reader need not be safe for several threads
  return detail::encode_blocks(impl_->model, mine, k, threads, [&](dist::RowRange range) {
    std::vector<float> values(static_cast<std::size_t>(range.size() * dim()));
    {
      const std::lock_guard lock(reading);
      rows(range, values);
    }
    return detail::copy_in(values, {range.size(), dim()}, impl_->device);
  });
}

}  // namespace puma::model
