// SPDX-License-Identifier: Apache-2.0
// Claims of the dead: who may take them, and that exactly one does.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "claim_support.hpp"
#include "dist/claim.hpp"

namespace puma::dist {
namespace {

using Takeover = ClaimTest;

void take(const std::filesystem::path& file, const std::string& why) {
  EXPECT_TRUE(claim_is_stale(file)) << why;
  const auto claim = Claim::try_acquire(file);
  ASSERT_TRUE(claim) << why;
  EXPECT_EQ(claim_holder(file).value().pid, ::getpid()) << why;
  EXPECT_FALSE(Claim::try_acquire(file)) << why;
}

void refuse(const std::filesystem::path& file, const std::string& why) {
  const auto before = read_file(file);
  EXPECT_FALSE(claim_is_stale(file)) << why;
  EXPECT_FALSE(Claim::try_acquire(file)) << why;
  EXPECT_EQ(read_file(file), before) << why;
}

TEST_F(Takeover, AKilledHolderLosesAtOnce) {
  for (const bool collected : {true, false}) {
    Child holder([&] {
      const auto claim = Claim::try_acquire(file_);
      ::pause();
      return 0;
    });
    // The claim appears a moment before its temporary name goes.
    while (!claim_holder(file_) || files_left() > 1) ::usleep(1000);
    refuse(file_, "the holder lives");
    if (collected) {
      holder.kill_it();
    } else {
      holder.kill_uncollected();
    }
    take(file_, "the holder was killed");
    EXPECT_EQ(files_left(), 0U);
  }
}

TEST_F(Takeover, ALiveHolderOfThisHostIsNeverRobbed) {
  write_file(file_, live_holder().dump());
  age(file_, 1e6);
  refuse(file_, "old heartbeat, live process");
}

TEST_F(Takeover, RecycledNumbersAndOtherBootsAreDead) {
  write_file(file_, dead_holder().dump());
  take(file_, "same number, other start");
  auto rebooted = live_holder();
  rebooted["boot_id"] = "another";
  write_file(file_, rebooted.dump());
  take(file_, "this host was rebooted");
}

TEST_F(Takeover, OtherHostsAreJudgedByTheirHeartbeat) {
  auto elsewhere = dead_holder();
  elsewhere["host"] = "not-" + host_name();
  write_file(file_, elsewhere.dump());
  refuse(file_, "fresh heartbeat");
  age(file_, 299);
  refuse(file_, "299 s of 300");
  age(file_, 302);
  take(file_, "302 s of 300");
}

TEST_F(Takeover, UnreadableClaimsExpire) {
  auto climbing = dead_holder("../../climbing");
  auto wrong_type = dead_holder();
  wrong_type["pid"] = "many";
  for (const std::string& text :
       {std::string(), std::string("{\"host\": \"a"), std::string("[]"), std::string(100000, 'x'),
        std::string("\xff\xfe\0\1", 4), climbing.dump(), wrong_type.dump()}) {
    write_file(file_, text);
    refuse(file_, "just made: " + text.substr(0, 20));
    EXPECT_FALSE(claim_holder(file_));
    age(file_, 400);
    take(file_, "old: " + text.substr(0, 20));
  }
}

TEST_F(Takeover, ADeadTakerDoesNotBlock) {
  write_file(file_, dead_holder("aaaa").dump());
  write_file(file_.string() + ".takeover.aaaa", dead_holder("bbbb").dump());
  write_file(file_.string() + ".takeover.aaaa.takeover.bbbb", dead_holder("cccc").dump());
  take(file_, "two dead takers");
  EXPECT_EQ(files_left(), 0U);
}

TEST_F(Takeover, ALiveTakerHasPrecedence) {
  write_file(file_, dead_holder("aaaa").dump());
  const std::string lock = file_.string() + ".takeover.aaaa";
  write_file(lock, live_holder("bbbb").dump());
  EXPECT_FALSE(Claim::try_acquire(file_));
  std::filesystem::remove(lock);
  take(file_, "the taker gave up");
}

TEST_F(Takeover, ExactlyOneOfManyWins) {
  constexpr int takers = 12, rounds = 15;
  for (int round = 0; round < rounds; ++round) {
    const auto file = folder_ / std::to_string(round);
    write_file(file, dead_holder().dump());
    Gate start, leave;
    const auto tally = folder_ / ("tally" + std::to_string(round));
    std::vector<Child> children;
    for (int i = 0; i < takers; ++i) {
      children.emplace_back([&] {
        leave.open();
        start.wait();
        const auto claim = Claim::try_acquire(file);
        append_line(tally, claim ? "won" : "lost");
        leave.wait();  // a winner that released early would let another win rightly
        return 0;
      });
    }
    start.open();
    const auto lines = [&] {
      const std::string text = std::filesystem::exists(tally) ? read_file(tally) : "";
      return std::count(text.begin(), text.end(), '\n');
    };
    for (int i = 0; i < 3000 && lines() < takers; ++i) ::usleep(10000);
    const std::string text = read_file(tally);
    leave.open();
    for (Child& child : children) EXPECT_EQ(child.wait(), 0);
    ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), takers);
    ASSERT_EQ(std::count(text.begin(), text.end(), 'w'), 1) << "round " << round;
  }
}

// What a rank does with a list of tasks. Some processes are killed while they hold a claim, before
// they did the work.
int work_through(const std::filesystem::path& folder, int tasks, int dies_at) {
  for (bool all_done = false; !all_done;) {
    all_done = true;
    for (int task = 0; task < tasks; ++task) {
      const std::string name = std::to_string(task);
      const auto done = folder / ("done" + name);
      if (std::filesystem::exists(done)) continue;
      all_done = false;
      const auto claim = Claim::try_acquire(folder / ("claim" + name));
      if (!claim || std::filesystem::exists(done)) continue;
      if (task >= dies_at) ::kill(::getpid(), SIGKILL);
      append_line(folder / "log", name);
      write_file(done, "");
    }
    ::usleep(500);
  }
  return 0;
}

TEST_F(Takeover, NoTaskRunsTwiceAndNoneIsLost) {
  constexpr int processes = 8, tasks = 60;
  std::vector<Child> children;
  for (int p = 0; p < processes; ++p) {
    const int dies_at = p % 2 == 1 ? 5 * p : tasks;
    children.emplace_back([&, dies_at] { return work_through(folder_, tasks, dies_at); });
  }
  for (Child& child : children) child.wait();
  std::map<std::string, int> runs;
  std::istringstream log(read_file(folder_ / "log"));
  for (std::string task; std::getline(log, task);) ++runs[task];
  EXPECT_EQ(runs.size(), static_cast<std::size_t>(tasks));
  for (const auto& [task, n] : runs) EXPECT_EQ(n, 1) << "task " << task;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("claim")) << entry.path();
  }
}

}  // namespace
}  // namespace puma::dist
