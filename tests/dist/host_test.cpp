// SPDX-License-Identifier: Apache-2.0
#include "dist/host.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace puma::dist {
namespace {

TEST(ProcessRuns, KnowsThisProcess) {
  const auto start = process_start(::getpid());
  ASSERT_TRUE(start);
  EXPECT_TRUE(process_runs(::getpid(), *start));
  EXPECT_TRUE(process_runs(::getpid(), "")) << "an unknown start counts as the same";
}

TEST(ProcessRuns, ARecycledNumberIsAnotherProcess) {
  EXPECT_FALSE(process_runs(::getpid(), "1"));
}

TEST(ProcessRuns, NumbersThatCannotBeProcessesDoNotRun) {
  for (const long pid : {0L, -1L, -5L, 1L << 40}) EXPECT_FALSE(process_runs(pid, "")) << pid;
}

TEST(ProcessRuns, EndedButUncollectedIsEnded) {
  const pid_t child = ::fork();
  if (child == 0) ::pause();
  const auto start = process_start(child);
  ASSERT_TRUE(start);
  EXPECT_TRUE(process_runs(child, *start));
  ::kill(child, SIGKILL);
  siginfo_t info = {};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(process_runs(child, *start)) << "a zombie";
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(process_runs(child, *start));
}

TEST(Host, HasNameAndBoot) {
  EXPECT_FALSE(host_name().empty());
  EXPECT_FALSE(boot_id().empty());
}

}  // namespace
}  // namespace puma::dist
