// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>

#include "dist/comm.hpp"
#include "dist/failure.hpp"

namespace puma::dist {
namespace {

// What agree throws here, if anything.
std::optional<AgreedError> verdict(const Comm& comm, const std::function<void()>& local) {
  try {
    agree(comm, local);
  } catch (const AgreedError& error) {
    return error;
  }
  return std::nullopt;
}

TEST(Agree, IsSilentWhenAllSucceed) {
  const Comm world = Comm::world();
  int calls = 0;
  EXPECT_FALSE(verdict(world, [&] { ++calls; }));
  EXPECT_EQ(calls, 1);
}

TEST(Agree, EveryRankThrowsTheFailingRanksError) {
  const Comm world = Comm::world();
  const int failing = std::min(2, world.size() - 1);
  const auto error = verdict(world, [&] {
    if (world.rank() == failing) {
      fail_input(
          {"docs.npy", "the file is cut short", "128 bytes", "\xff\xfe bytes", "Copy again."});
    }
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::bad_input);
  EXPECT_EQ(error->problem(), "docs.npy: the file is cut short");
  EXPECT_EQ(error->why(), "expected 128 bytes, found \xff\xfe bytes");
  EXPECT_EQ(error->suggestion(), "Copy again.");
  EXPECT_EQ(error->rank(), failing);
  EXPECT_EQ(error->ranks(), world.size());
}

TEST(Agree, TheLowestFailingRankSpeaks) {
  const Comm world = Comm::world();
  const int lowest = world.size() > 1 ? 1 : 0;
  const auto error = verdict(world, [&] {
    if (world.rank() >= lowest) fail_usage("rank " + std::to_string(world.rank()));
  });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(), ("rank " + std::to_string(lowest)).c_str());
}

TEST(Agree, ForeignExceptionsAreDefects) {
  const auto error = verdict(Comm::world(), [] { throw std::out_of_range("at 7"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::internal);
  EXPECT_NE(std::string(error->what()).find("at 7"), std::string::npos);
}

TEST(Agree, MemoryIsNoDefect) {
  const auto error = verdict(Comm::world(), [] { throw std::bad_alloc(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::task_failed);
}

TEST(Agree, AGroupAgreesAlone) {
  const Comm world = Comm::world();
  const Comm group = world.split(world.rank() % 2, world.rank());
  const auto error = verdict(group, [&] {
    if (world.rank() % 2 == 1) fail_usage("odd");
  });
  EXPECT_EQ(error.has_value(), world.rank() % 2 == 1);
  if (error) {
    EXPECT_EQ(error->ranks(), group.size());
  }
}

}  // namespace
}  // namespace puma::dist
