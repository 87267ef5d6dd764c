// SPDX-License-Identifier: Apache-2.0
#include "dist/mapped_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "dist/error.hpp"
#include "dist/files.hpp"
#include "scratch_folder.hpp"

namespace puma::dist {
namespace {

class Mapped : public testing::Test {
 protected:
  test::ScratchFolder folder_{"mapped"};
  std::filesystem::path file_ = folder_.path() / "f";
};

TEST_F(Mapped, ViewsTypedElementsAtAnOffset) {
  const std::uint32_t values[] = {7, 8, 9};
  write_file(file_, {reinterpret_cast<const char*>(values), sizeof values});
  const MappedFile map(file_);
  EXPECT_THAT(map.view<std::uint32_t>(4, 2), testing::ElementsAre(8, 9));
  EXPECT_TRUE(map.view<std::uint32_t>(12, 0).empty());
}

TEST_F(Mapped, RefusesViewsThatLeaveTheFileOrAreMisaligned) {
  write_file(file_, std::string(16, 'x'));
  const MappedFile map(file_);
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(map.view<std::uint64_t>(0, 3), Error);
  EXPECT_THROW(map.view<std::uint64_t>(16, 1), Error);
  EXPECT_THROW(map.view<std::uint64_t>(24, 0), Error);
  EXPECT_THROW(map.view<std::uint64_t>(4, 1), Error);
  EXPECT_THROW(map.view<std::uint64_t>(8, huge / 4), Error);
  EXPECT_THROW(map.view<std::uint64_t>(huge - 7, 1), Error);
}

TEST_F(Mapped, EmptyFilesAreEmptySpans) {
  write_file(file_, "");
  EXPECT_TRUE(MappedFile(file_).bytes().empty());
  EXPECT_TRUE(MappedFile().bytes().empty());
}

TEST_F(Mapped, MovesLeaveTheSourceEmpty) {
  write_file(file_, "abc");
  MappedFile a(file_);
  MappedFile b(std::move(a));
  EXPECT_TRUE(a.bytes().empty());  // NOLINT: the state after a move is the claim
  MappedFile c;
  c = std::move(b);
  EXPECT_EQ(c.bytes().size(), 3u);
}

TEST_F(Mapped, FilesThatAreNoneAreInputErrors) {
  EXPECT_THROW(MappedFile(folder_.path() / "absent"), Error);
  EXPECT_THROW(MappedFile(folder_.path()), Error);
  EXPECT_THROW(MappedFile("/dev/null"), Error);
}

}  // namespace
}  // namespace puma::dist
