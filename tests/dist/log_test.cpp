// SPDX-License-Identifier: Apache-2.0
#include "dist/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace puma::dist {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string stderr_of(const std::function<void()>& f) {
  testing::internal::CaptureStderr();
  f();
  return testing::internal::GetCapturedStderr();
}

class Log : public testing::Test {
 protected:
  void TearDown() override {
    set_log_rank(0, 1);
    set_log_level(LogLevel::info);
  }
};

TEST_F(Log, WorldMessagesComeFromRankZeroAlone) {
  set_log_rank(0, 4);
  EXPECT_THAT(stderr_of([] { log_world(LogLevel::info, "loaded {} rows"); }),
              HasSubstr("info loaded {} rows\n"));
  set_log_rank(2, 4);
  EXPECT_EQ(stderr_of([] { log_world(LogLevel::info, "loaded"); }), "");
}

TEST_F(Log, LocalMessagesNameTheirRankWhereThereAreSeveral) {
  set_log_rank(2, 4);
  EXPECT_THAT(stderr_of([] { log_local(LogLevel::warning, "slow"); }),
              HasSubstr("warning [rank 2/4] slow"));
  set_log_rank(0, 1);
  EXPECT_THAT(stderr_of([] { log_local(LogLevel::warning, "slow"); }), Not(HasSubstr("rank")));
}

TEST_F(Log, LevelHidesWhatIsBelowIt) {
  EXPECT_EQ(stderr_of([] { log_world(LogLevel::debug, "detail"); }), "");
  set_log_level(LogLevel::error);
  EXPECT_EQ(stderr_of([] { log_world(LogLevel::warning, "careful"); }), "");
  EXPECT_THAT(stderr_of([] { log_world(LogLevel::error, "broken"); }), HasSubstr("broken"));
}

TEST_F(Log, EnvironmentWinsOverTheProgram) {
  ::setenv("PUMA_LOG", "debug", 1);
  set_log_level(LogLevel::error);
  ::unsetenv("PUMA_LOG");
  EXPECT_THAT(stderr_of([] { log_world(LogLevel::debug, "detail"); }), HasSubstr("detail"));
}

}  // namespace
}  // namespace puma::dist
