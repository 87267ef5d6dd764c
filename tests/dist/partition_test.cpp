// SPDX-License-Identifier: Apache-2.0
#include "dist/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "dist/error.hpp"

namespace puma::dist {
namespace {

TEST(Partition, TilesTheRowsInWholeBlocksForEveryOddSize) {
  for (const std::int64_t rows : {0, 1, 2, 3, 5, 255, 256, 257, 1000}) {
    for (const int parts : {1, 2, 3, 4, 7, 64}) {
      for (const std::int64_t align : {1, 3, 256}) {
        std::int64_t next = 0, most = 0, least = std::numeric_limits<std::int64_t>::max();
        for (int part = 0; part < parts; ++part) {
          const RowRange r = partition(rows, parts, part, align);
          ASSERT_EQ(r.begin, next);
          ASSERT_GE(r.size(), 0);
          if (r.size() > 0) {
            ASSERT_EQ(r.begin % align, 0);
            ASSERT_TRUE(r.end % align == 0 || r.end == rows);
          }
          for (std::int64_t row = r.begin; row < r.end; ++row) {
            ASSERT_EQ(owner_of(row, rows, parts, align), part);
          }
          const std::int64_t blocks = (r.size() + align - 1) / align;
          most = std::max(most, blocks);
          least = std::min(least, blocks);
          next = r.end;
        }
        ASSERT_EQ(next, rows);
        ASSERT_LE(most - least, 1) << rows << " rows, " << parts << " parts, align " << align;
      }
    }
  }
}

TEST(Partition, FirstPartsGetTheExtraBlocks) {
  EXPECT_EQ(partition(5, 3, 0), (RowRange{0, 2}));
  EXPECT_EQ(partition(5, 3, 1), (RowRange{2, 4}));
  EXPECT_EQ(partition(5, 3, 2), (RowRange{4, 5}));
  EXPECT_EQ(partition(300, 3, 0, 256), (RowRange{0, 256}));
  EXPECT_EQ(partition(300, 3, 1, 256), (RowRange{256, 300}));
  EXPECT_EQ(partition(300, 3, 2, 256), (RowRange{300, 300}));
}

TEST(Partition, SurvivesTheLargestRowNumbers) {
  constexpr std::int64_t rows = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(partition(rows, 3, 2, 256).end, rows);
  EXPECT_EQ(partition(rows, 1, 0, rows), (RowRange{0, rows}));
  EXPECT_EQ(owner_of(rows - 1, rows, 3, 256), 2);
}

TEST(Partition, RefusesImpossibleParts) {
  EXPECT_THROW(partition(-1, 1, 0), Error);
  EXPECT_THROW(partition(5, 0, 0), Error);
  EXPECT_THROW(partition(5, 2, 2), Error);
  EXPECT_THROW(partition(5, 2, 0, 0), Error);
  EXPECT_THROW(owner_of(5, 5, 2), Error);
}

}  // namespace
}  // namespace puma::dist
