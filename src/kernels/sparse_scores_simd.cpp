// SPDX-License-Identifier: Apache-2.0
// sparse_scores_block for every instruction set, chosen at run time (Google Highway compiles this
// file once per target).
#include <hwy/base.h>
// Vectors of scalable sets cannot be kept in arrays of accumulators; their machines run NEON too.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sparse_scores_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, as Highway demands.
#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/detail/scores_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace puma::kernels::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA

// sums[s] = fma(value, row[s], sums[s]). Folds, since GCC keeps an array of vectors in registers
// only where its indices are constants before loops are unrolled.
template <class D, class V, std::size_t... S>
HWY_ATTR HWY_INLINE void add_row(D d, V value, const float* row, V* sums,
                                 std::index_sequence<S...>) {
  ((sums[S] = hn::MulAdd(value, hn::LoadU(d, row + S * hn::MaxLanes(d)), sums[S])), ...);
}

template <class D, class V, std::size_t... S>
HWY_ATTR HWY_INLINE void clear(D d, V* sums, std::index_sequence<S...>) {
  ((sums[S] = hn::Zero(d)), ...);
}

// Adding +0 turns a -0 left by an underflow over, as the definition does.
template <class D, class V, std::size_t... S>
HWY_ATTR HWY_INLINE void store_sums(D d, const V* sums, float* scores, std::index_sequence<S...>) {
  (hn::StoreU(hn::Add(sums[S], hn::Zero(d)), d, scores + S * hn::MaxLanes(d)), ...);
}

// scores[v] = fma(value, block[atom][v], scores[v]) over ascending atoms, in S vectors of columns.
template <std::size_t S>
HWY_ATTR void strip(const float* block, std::size_t width, const std::uint32_t* atoms,
                    const float* values, std::size_t count, float* scores) {
  const hn::CappedTag<float, 16> d;
  constexpr auto kAll = std::make_index_sequence<S>();
  hn::Vec<decltype(d)> sums[S];
  clear(d, sums, kAll);
  for (std::size_t i = 0; i < count; ++i) {
    add_row(d, hn::Set(d, values[i]), block + std::size_t{atoms[i]} * width, sums, kAll);
  }
  store_sums(d, sums, scores, kAll);
}

HWY_ATTR void sparse_all(const float* block, std::size_t width, const std::uint32_t* atoms,
                         const float* values, std::size_t count, float* scores) {
  constexpr std::size_t N = hn::MaxLanes(hn::CappedTag<float, 16>());
  constexpr std::size_t kStrip = 4;  // independent chains: as many as the units' latency hides
  std::size_t column = 0;
  for (; column + kStrip * N <= width; column += kStrip * N) {
    strip<kStrip>(block + column, width, atoms, values, count, scores + column);
  }
  for (; column < width; column += N) {
    strip<1>(block + column, width, atoms, values, count, scores + column);
  }
}

#else  // Without a fused instruction, only the library's fma rounds once.

HWY_ATTR void sparse_all(const float* block, std::size_t width, const std::uint32_t* atoms,
                         const float* values, std::size_t count, float* scores) {
  for (std::size_t column = 0; column < width; ++column) scores[column] = 0.0f;
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = block + std::size_t{atoms[i]} * width;
    for (std::size_t column = 0; column < width; ++column) {
      scores[column] = std::fma(values[i], row[column], scores[column]);
    }
  }
  for (std::size_t column = 0; column < width; ++column) scores[column] += 0.0f;
}

#endif

}  // namespace puma::kernels::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace puma::kernels::detail {

HWY_EXPORT(sparse_all);

void sparse_scores_dispatched(const float* block, std::size_t width, const std::uint32_t* atoms,
                              const float* values, std::size_t count, float* scores) {
  HWY_DYNAMIC_DISPATCH(sparse_all)(block, width, atoms, values, count, scores);
}

}  // namespace puma::kernels::detail
#endif
