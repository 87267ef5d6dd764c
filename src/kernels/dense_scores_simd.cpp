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

#include <cstddef>
#include <utility>

#include "kernels/detail/scores_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace puma::kernels::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = 16;  // of the definition, whatever the vectors' width
// A tile of query rows x candidate rows has one accumulator each: as many as the registers hold.
constexpr std::size_t kTileQueries = 4;
constexpr std::size_t kTileCandidates = HWY_TARGET <= HWY_AVX3 ? 6 : 3;

// sums[q][c] += left[q] * right[c]. Written as a fold, since GCC keeps an array of vectors in
// registers only where its indices are constants before loops are unrolled.
template <std::size_t C, class V, std::size_t... I>
HWY_ATTR HWY_INLINE void add_products(const V* left, const V* right, V* sums,
                                      std::index_sequence<I...>) {
  ((sums[I] = hn::MulAdd(left[I / C], right[I % C], sums[I])), ...);
}

// rows[r][i..] of consecutive rows, as float64.
template <class D, class V, std::size_t... R>
HWY_ATTR HWY_INLINE void load_rows(D d, const float* rows, std::size_t dim, V* out,
                                   std::index_sequence<R...>) {
  const hn::Rebind<float, D> f;
  ((out[R] = hn::PromoteTo(d, hn::LoadU(f, rows + R * dim))), ...);
}

template <class D, class V, std::size_t... I>
HWY_ATTR HWY_INLINE void clear(D d, V* sums, std::index_sequence<I...>) {
  ((sums[I] = hn::Zero(d)), ...);
}

template <class D, class V, std::size_t... I>
HWY_ATTR HWY_INLINE void store_lanes(D d, const V* sums, double (*lanes)[kLanes], std::size_t group,
                                     std::index_sequence<I...>) {
  (hn::Store(sums[I], d, lanes[I] + group), ...);
}

// The definition's order: lanes in pairs (j, j + 8), (j, j + 4), (j, j + 2), (j, j + 1).
HWY_ATTR HWY_INLINE float add_lanes(const double* lanes) {
  const auto fold = [lanes](std::size_t j) HWY_ATTR { return lanes[j] + lanes[j + 8]; };
  const double a = fold(0) + fold(4), b = fold(1) + fold(5);
  const double c = fold(2) + fold(6), d = fold(3) + fold(7);
  return static_cast<float>((a + c) + (b + d));
}

// The scores of Q x C rows. Each lane group of one vector is a pass of its own over the rows (they
// lie in L1 or L2), so that the whole tile of sums stays in registers.
template <std::size_t Q, std::size_t C>
HWY_ATTR void dense_tile(const float* queries, const float* candidates, std::size_t dim,
                         std::size_t stride, float* scores) {
  const hn::CappedTag<double, 8> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t N = hn::MaxLanes(d);
  constexpr auto kTile = std::make_index_sequence<Q * C>();
  const std::size_t whole = dim - dim % kLanes;
  HWY_ALIGN double lanes[Q * C][kLanes];
  for (std::size_t group = 0; group < kLanes; group += N) {
    V sums[Q * C];
    clear(d, sums, kTile);
    for (std::size_t i = group; i < whole; i += kLanes) {
      V left[Q], right[C];
      load_rows(d, queries + i, dim, left, std::make_index_sequence<Q>());
      load_rows(d, candidates + i, dim, right, std::make_index_sequence<C>());
      add_products<C>(left, right, sums, kTile);
    }
    store_lanes(d, sums, lanes, group, kTile);
  }
  for (std::size_t q = 0; q < Q; ++q) {
    for (std::size_t c = 0; c < C; ++c) {
      double* lane = lanes[q * C + c];
      for (std::size_t i = whole; i < dim; ++i) {
        lane[i - whole] += static_cast<double>(queries[q * dim + i]) *
                           static_cast<double>(candidates[c * dim + i]);
      }
      scores[q * stride + c] = add_lanes(lane);
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
