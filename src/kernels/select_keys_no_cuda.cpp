// SPDX-License-Identifier: Apache-2.0
// What stands in for the GPU body in a build without CUDA: an error that says so.
#include <stdexcept>

#include "kernels/detail/select_keys_bodies.hpp"

namespace puma::kernels {
namespace {

[[noreturn]] void fail_not_built() {
  throw std::runtime_error(
      "select_keys on a GPU is not in this build (nvcc was not found when it was configured). "
      "Configure with the cuda preset, or use --device cpu");
}

}  // namespace

int gpu_count() {
  return 0;
}

bool select_keys_has_cuda() {
  return false;
}

void select_keys_on_device(const float*, const ScoreRows&, std::int64_t, ScoreKey*, void*) {
  fail_not_built();
}

void detail::select_keys_cuda(const float*, const ScoreRows&, std::int64_t, ScoreKey*) {
  fail_not_built();
}

}  // namespace puma::kernels
