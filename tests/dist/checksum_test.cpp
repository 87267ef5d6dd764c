// SPDX-License-Identifier: Apache-2.0
#include "dist/checksum.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dist/error.hpp"

namespace puma::dist {
namespace {

// Known answers of xxhsum -H2 (xxHash 0.8).
TEST(Checksum, GivesTheKnownAnswers) {
  EXPECT_EQ(checksum("").hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(checksum("abc").hex(), "06b05ab6733a618578af5f94892f3950");
}

TEST(Checksum, EveryLengthAndEveryByteCounts) {
  std::string text;
  for (int n = 0; n < 300; ++n, text += 'a') {
    EXPECT_NE(checksum(text), checksum(text + 'a'));
    if (n == 0) continue;
    std::string changed = text;
    changed[static_cast<std::size_t>(n / 2)] ^= 1;
    EXPECT_NE(checksum(text), checksum(changed));
  }
}

TEST(Checksum, PrintsThirtyTwoDigitsWithLeadingZeros) {
  EXPECT_EQ((Digest{0xa, 0xb}.hex()), "000000000000000a000000000000000b");
}

TEST(Checksum, UnreadableFileIsAnError) {
  EXPECT_THROW(file_checksum("/no/such/file"), Error);
}

}  // namespace
}  // namespace puma::dist
