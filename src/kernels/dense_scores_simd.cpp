// SPDX-License-Identifier: Apache-2.0
// dense_scores for every instruction set, chosen at run time (Google Highway compiles this file
// once per target).
#include <hwy/base.h>
// Vectors of scalable sets cannot be kept in arrays of accumulators; their machines run NEON too.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dense_scores_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, as Highway demands.
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "kernels/detail/scores_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace puma::kernels::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = 16;  // of the definition, whatever the vectors' width
// A tile of query rows x candidate rows has one accumulator each: as many as the registers hold.
constexpr std::size_t kTileQueries = 4;
constexpr std::size_t kTileCandidates = HWY_TARGET <= HWY_AVX3 ? 6 : 3;

// lanes[q][c][j] += products of dimensions j (mod 16). Each lane group of one vector is a pass of
// its own over the rows (they lie in L1 or L2), so that the whole tile stays in registers.
template <std::size_t Q, std::size_t C>
HWY_ATTR void dense_tile(const float* queries, const float* candidates, std::size_t dim,
                         std::size_t stride, float* scores) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> f;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t N = hn::MaxLanes(d);
  const std::size_t whole = dim - dim % kLanes;
  HWY_ALIGN double lanes[Q * C][kLanes];
  for (std::size_t group = 0; group < kLanes; group += N) {
    V sums[Q][C];
    for (auto& row : sums) {
      for (V& sum : row) sum = hn::Zero(d);
    }
    for (std::size_t i = group; i < whole; i += kLanes) {
      V right[C];
      for (std::size_t c = 0; c < C; ++c) {
        right[c] = hn::PromoteTo(d, hn::LoadU(f, candidates + c * dim + i));
      }
      for (std::size_t q = 0; q < Q; ++q) {
        const V left = hn::PromoteTo(d, hn::LoadU(f, queries + q * dim + i));
        for (std::size_t c = 0; c < C; ++c) sums[q][c] = hn::MulAdd(left, right[c], sums[q][c]);
      }
    }
    for (std::size_t q = 0; q < Q; ++q) {
      for (std::size_t c = 0; c < C; ++c) hn::Store(sums[q][c], d, lanes[q * C + c] + group);
    }
  }
  for (std::size_t q = 0; q < Q; ++q) {
    for (std::size_t c = 0; c < C; ++c) {
      double* lane = lanes[q * C + c];
      for (std::size_t i = whole; i < dim; ++i) {
        lane[i - whole] += static_cast<double>(queries[q * dim + i]) *
                           static_cast<double>(candidates[c * dim + i]);
      }
      for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
        for (std::size_t j = 0; j < width; ++j) lane[j] += lane[j + width];
      }
      scores[q * stride + c] = static_cast<float>(lane[0]);
    }
  }
}

template <std::size_t Q>
HWY_ATTR void dense_row(const float* queries, const float* candidates, std::size_t candidate_count,
                        std::size_t dim, float* scores) {
  std::size_t c = 0;
  for (; c + kTileCandidates <= candidate_count; c += kTileCandidates) {
    dense_tile<Q, kTileCandidates>(queries, candidates + c * dim, dim, candidate_count, scores + c);
  }
  for (; c < candidate_count; ++c) {
    dense_tile<Q, 1>(queries, candidates + c * dim, dim, candidate_count, scores + c);
  }
}

HWY_ATTR void dense_all(const float* queries, std::size_t query_count, const float* candidates,
                        std::size_t candidate_count, std::size_t dim, float* scores) {
  std::size_t q = 0;
  for (; q + kTileQueries <= query_count; q += kTileQueries) {
    dense_row<kTileQueries>(queries + q * dim, candidates, candidate_count, dim,
                            scores + q * candidate_count);
  }
  for (; q < query_count; ++q) {
    dense_row<1>(queries + q * dim, candidates, candidate_count, dim, scores + q * candidate_count);
  }
}

}  // namespace puma::kernels::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace puma::kernels::detail {

HWY_EXPORT(dense_all);

void dense_scores_dispatched(const float* queries, std::size_t query_count, const float* candidates,
                             std::size_t candidate_count, std::size_t dim, float* scores) {
  HWY_DYNAMIC_DISPATCH(dense_all)
  (queries, query_count, candidates, candidate_count, dim, scores);
}

}  // namespace puma::kernels::detail
#endif
