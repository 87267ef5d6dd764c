// SPDX-License-Identifier: Apache-2.0
// The part of LibTorch that the model uses, operator by operator: a third of the compile time of
// torch/torch.h. Private to src/model; no header that other folders include may include this one.
#pragma once

// Makes LibTorch's own headers include single operators too.
#ifndef AT_PER_OPERATOR_HEADERS
#define AT_PER_OPERATOR_HEADERS
#endif

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cosine_similarity.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "dist/device.hpp"

namespace puma::model::detail {

at::Device torch_device(const dist::Device& device);

// Float32 or int64 values as a tensor of its own on `device` (a copy).
at::Tensor copy_in(std::span<const float> values, at::IntArrayRef shape, at::Device device,
                   at::ScalarType type = at::kFloat);
at::Tensor copy_in(std::span<const std::int64_t> values, at::IntArrayRef shape, at::Device device);

// The bytes of a contiguous CPU tensor; borrows them.
std::span<const std::byte> bytes_of(const at::Tensor& tensor);

// Threads of every operator of this thread until destroyed; then as before.
class TorchThreads {
 public:
  explicit TorchThreads(int threads);
  ~TorchThreads();
  TorchThreads(const TorchThreads&) = delete;
  TorchThreads& operator=(const TorchThreads&) = delete;

 private:
  int before_;
};

// Lets the allocator keep what a step frees for the next step: handing megabytes back to the kernel
// and getting them cleared again cost a seventh of a step. For the whole process, so only a
// training calls it.
void keep_freed_memory();

// CUDA: no TF32, no operator whose order of sums is left to chance, one fixed cuBLAS workspace.
// Call before the first use.
void make_deterministic(const dist::Device& device);

}  // namespace puma::model::detail
