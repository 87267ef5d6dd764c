// SPDX-License-Identifier: Apache-2.0
#include "model/torch.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <malloc.h>

#include <cstdlib>

#include "dist/error.hpp"

namespace puma::model::detail {

at::Device torch_device(const dist::Device& device) {
  return device.cuda ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device.ordinal))
                     : at::Device(at::kCPU);
}

namespace {

// from_blob takes a mutable pointer; the copy leaves the values alone.
template <class T>
at::Tensor copied(std::span<const T> values, at::IntArrayRef shape, at::Device device,
                  at::ScalarType stored, at::ScalarType wanted) {
  PUMA_EXPECT(c10::multiply_integers(shape) == static_cast<std::int64_t>(values.size()));
  at::Tensor result = at::empty(shape, at::TensorOptions().dtype(wanted).device(device));
  if (!values.empty()) {
    result.copy_(
        at::from_blob(const_cast<T*>(values.data()), shape, at::TensorOptions().dtype(stored)));
  }
  return result;
}

}  // namespace

at::Tensor copy_in(std::span<const float> values, at::IntArrayRef shape, at::Device device,
                   at::ScalarType type) {
  return copied(values, shape, device, at::kFloat, type);
}

at::Tensor copy_in(std::span<const std::int64_t> values, at::IntArrayRef shape, at::Device device) {
  return copied(values, shape, device, at::kLong, at::kLong);
}

std::span<const std::byte> bytes_of(const at::Tensor& tensor) {
  PUMA_EXPECT(tensor.is_cpu() && tensor.is_contiguous());
  return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}

TorchThreads::TorchThreads(int threads) : before_(at::get_num_threads()) {
  at::set_num_threads(threads);
}
TorchThreads::~TorchThreads() {
  at::set_num_threads(before_);
}

void keep_freed_memory() {
  // glibc's largest allowed threshold on 64 bits; larger tensors are mapped as before.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

void make_deterministic(const dist::Device& device) {
  if (!device.cuda) return;
  // cuBLAS reads it when its first handle is made; a site's own choice stays.
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  at::globalContext().setDeterministicAlgorithms(true, false);
  at::globalContext().setAllowTF32CuBLAS(false);
  at::globalContext().setAllowTF32CuDNN(false);
}

}  // namespace puma::model::detail
