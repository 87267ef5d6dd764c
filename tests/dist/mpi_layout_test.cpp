// SPDX-License-Identifier: Apache-2.0
#include "dist/mpi_layout.hpp"

#include <gtest/gtest.h>

namespace puma::dist::detail {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

TEST(Pieces, CoverTheLengthInOrder) {
  for (const std::int64_t length : {0, 1, 6, 7, 8, 14, 15}) {
    std::int64_t next = 0;
    for (const Piece piece : pieces(length, 7)) {
      EXPECT_EQ(piece.begin, next);
      EXPECT_GE(piece.count, 1);
      EXPECT_LE(piece.count, 7);
      next += piece.count;
    }
    EXPECT_EQ(next, length);
  }
}

TEST(Pieces, GoBeyondWhatAnIntCounts) {
  const auto cut = pieces(5 * gib + 3, gib);
  ASSERT_EQ(cut.size(), 6U);
  EXPECT_EQ(cut.back().begin, 5 * gib);
  EXPECT_EQ(cut.back().count, 3);
}

TEST(Pieces, RefuseALimitThatNoIntHolds) {
  EXPECT_THROW(pieces(1, 2 * gib), Error);
  EXPECT_THROW(pieces(1, 0), Error);
}

TEST(ByteLayout, AddsUpIn64Bits) {
  const ByteLayout layout({gib, 0, 3 * gib});
  EXPECT_EQ(layout.total(), 4 * gib);
  EXPECT_THROW(layout.int_offsets(), Error);
  EXPECT_THROW(layout.int_counts(), Error);
}

TEST(ByteLayout, PartsLieOneAfterAnother) {
  std::vector<std::byte> bytes(6);
  const ByteLayout layout({2, 0, 4});
  EXPECT_EQ(layout.part(std::span(bytes), 0).data(), bytes.data());
  EXPECT_TRUE(layout.part(std::span(bytes), 1).empty());
  EXPECT_EQ(layout.part(std::span(bytes), 2).data(), bytes.data() + 2);
  EXPECT_EQ(layout.part(std::span(bytes), 2).size(), 4U);
  EXPECT_EQ(layout.int_offsets(), (std::vector<int>{0, 2, 2}));
}

}  // namespace
}  // namespace puma::dist::detail
