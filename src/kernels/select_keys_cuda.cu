// SPDX-License-Identifier: Apache-2.0
// One thread block a row: radix selection of the depth-th largest key, then a sort of the
// survivors. Bytes read: columns * 4 per pass, at most 8 passes of 8 bits plus one to collect
// (later passes hit L2 for rows up to some 10^7 columns over all resident blocks); written: depth
// * 8.
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "kernels/detail/select_keys_bodies.hpp"

namespace puma::kernels {
namespace {

constexpr int kThreads = 512;

void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  throw std::runtime_error(std::string(call) + " failed: " + cudaGetErrorString(code));
}

// Finds the largest `prefix` such that at least `depth` keys of the row are >= prefix: the depth-th
// largest key. Keys are unique, so exactly `depth` survive. Counts are integers: the order of the
// atomic additions changes nothing.
__device__ ScoreKey find_threshold(const float* scores, std::int64_t columns,
                                   std::uint32_t first_row, unsigned long long wanted) {
  __shared__ unsigned long long counts[256];
  __shared__ ScoreKey prefix;
  __shared__ unsigned long long left;
  if (threadIdx.x == 0) {
    prefix = 0;
    left = wanted;
  }
  for (int shift = 56; shift >= 0; shift -= 8) {
    for (int b = threadIdx.x; b < 256; b += blockDim.x) counts[b] = 0;
    __syncthreads();
    const ScoreKey above = shift == 56 ? 0 : ~ScoreKey{0} << (shift + 8);
    for (std::int64_t c = threadIdx.x; c < columns; c += blockDim.x) {
      const ScoreKey key = make_key(scores[c], first_row + static_cast<std::uint32_t>(c));
      if ((key & above) == prefix) atomicAdd(&counts[(key >> shift) & 255], 1ull);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int digit = 255;
      while (digit > 0 && counts[digit] < left) left -= counts[digit--];
      prefix |= static_cast<ScoreKey>(digit) << shift;
    }
    __syncthreads();
  }
  return prefix;
}

// Descending bitonic sort of a power of two of keys in shared memory.
__device__ void sort_descending(ScoreKey* keys, int count) {
  for (int size = 2; size <= count; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int other = i ^ step;
        if (other <= i) continue;
        const ScoreKey a = keys[i], b = keys[other];
        if ((a < b) == ((i & size) == 0)) {
          keys[i] = b;
          keys[other] = a;
        }
      }
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
    select_rows(const float* scores, ScoreRows shape, int depth, ScoreKey* keys) {
  __shared__ ScoreKey survivors[kMaxSelectDepth];
  __shared__ int found;
  const auto first_row = static_cast<std::uint32_t>(shape.first_row);
  int slots = 1;
  while (slots < depth) slots *= 2;
  for (std::int64_t r = blockIdx.x; r < shape.rows; r += gridDim.x) {
    const float* row = scores + r * shape.columns;
    for (int i = threadIdx.x; i < slots; i += blockDim.x) survivors[i] = 0;
    if (threadIdx.x == 0) found = 0;
    const ScoreKey threshold =
        shape.columns <= depth ? 0 : find_threshold(row, shape.columns, first_row, depth);
    __syncthreads();
    for (std::int64_t c = threadIdx.x; c < shape.columns; c += blockDim.x) {
      const ScoreKey key = make_key(row[c], first_row + static_cast<std::uint32_t>(c));
      if (key >= threshold) survivors[atomicAdd(&found, 1)] = key;
    }
    sort_descending(survivors, slots);
    for (int i = threadIdx.x; i < depth; i += blockDim.x) keys[r * depth + i] = survivors[i];
    __syncthreads();
  }
}

// Device memory for one call; released when it leaves the scope.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) {
    if (count > 0) check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

}  // namespace

int gpu_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;  // without a driver there is none
}

bool select_keys_has_cuda() {
  return true;
}

void select_keys_on_device(const float* scores, const ScoreRows& shape, std::int64_t depth,
                           ScoreKey* keys, void* stream) {
  if (depth < 1 || depth > kMaxSelectDepth) {
    throw std::invalid_argument("select_keys: depth must be in 1..1024");
  }
  if (shape.rows == 0) return;
  constexpr std::int64_t kMostBlocks = std::int64_t{1} << 30;  // a block loops over rows beyond
  const auto blocks = static_cast<unsigned>(shape.rows < kMostBlocks ? shape.rows : kMostBlocks);
  select_rows<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      scores, shape, static_cast<int>(depth), keys);
  check(cudaGetLastError(), "select_rows launch");
}

void detail::select_keys_cuda(const float* scores, const ScoreRows& shape, std::int64_t depth,
                              ScoreKey* keys) {
  const auto inputs = static_cast<std::size_t>(shape.rows * shape.columns);
  const auto outputs = static_cast<std::size_t>(shape.rows * depth);
  const DeviceArray<float> in(inputs);
  const DeviceArray<ScoreKey> out(outputs);
  if (inputs > 0) {
    check(cudaMemcpy(in.get(), scores, inputs * sizeof(float), cudaMemcpyHostToDevice),
          "cudaMemcpy of the scores");
  }
  select_keys_on_device(in.get(), shape, depth, out.get(), nullptr);
  check(cudaMemcpy(keys, out.get(), outputs * sizeof(ScoreKey), cudaMemcpyDeviceToHost),
        "cudaMemcpy of the keys");
}

}  // namespace puma::kernels
