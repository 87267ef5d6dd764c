// SPDX-License-Identifier: Apache-2.0
#include "dist/claim.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "claim_support.hpp"
#include "dist/claim_file.hpp"

namespace puma::dist {
namespace {

TEST_F(ClaimTest, IsHeldByOneAndNamesItsHolder) {
  const auto claim = Claim::try_acquire(file_);
  ASSERT_TRUE(claim);
  EXPECT_FALSE(Claim::try_acquire(file_)) << "not even by the same process";
  EXPECT_EQ(Child([&] { return Claim::try_acquire(file_).has_value() ? 1 : 0; }).wait(), 0);
  const auto holder = claim_holder(file_);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->host, host_name());
  EXPECT_EQ(holder->pid, ::getpid());
  EXPECT_EQ(holder->process_start, process_start(::getpid()));
  EXPECT_EQ(holder->boot_id, boot_id());
  EXPECT_FALSE(holder->nonce.empty());
  EXPECT_FALSE(claim_is_stale(file_));
  EXPECT_EQ(files_left(), 1U) << "no temporary file stays";
}

TEST_F(ClaimTest, EndsWithItsObjectAndLeavesNothing) {
  { const auto claim = Claim::try_acquire(file_); }
  EXPECT_EQ(files_left(), 0U);
  EXPECT_TRUE(Claim::try_acquire(file_));
}

TEST_F(ClaimTest, MovesAndReleasesWhatItHeld) {
  auto first = Claim::try_acquire(file_);
  auto second = Claim::try_acquire(folder_ / "other");
  ASSERT_TRUE(first && second);
  *first = std::move(*second);
  EXPECT_FALSE(std::filesystem::exists(file_));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "other"));
  const Claim third = std::move(*first);
  first.reset();
  EXPECT_TRUE(std::filesystem::exists(folder_ / "other"));
}

TEST_F(ClaimTest, MakesItsFolder) {
  EXPECT_TRUE(Claim::try_acquire(folder_ / "claims" / "task"));
}

TEST_F(ClaimTest, MissingIsNeitherHeldNorStale) {
  EXPECT_FALSE(claim_holder(file_));
  EXPECT_FALSE(claim_is_stale(file_));
}

TEST_F(ClaimTest, EveryAcquisitionIsAnotherIncarnation) {
  std::string before;
  for (int i = 0; i < 3; ++i) {
    const auto claim = Claim::try_acquire(file_);
    const std::string now = claim_holder(file_).value().nonce;
    EXPECT_NE(now, before);
    before = now;
  }
}

TEST_F(ClaimTest, LeavesAnothersClaimAlone) {
  {
    const auto claim = Claim::try_acquire(file_);
    write_file(file_, live_holder().dump());  // somebody took this process for dead
  }
  EXPECT_EQ(claim_holder(file_).value().nonce, "abc123");
}

TEST_F(ClaimTest, LeavesItsFileToATakerAtWork) {
  {
    const auto claim = Claim::try_acquire(file_);
    write_file(file_.string() + ".takeover." + claim_holder(file_).value().nonce,
               live_holder().dump());
  }
  EXPECT_TRUE(std::filesystem::exists(file_));
}

TEST_F(ClaimTest, HeartbeatTouchesTheFileWhileTheWorkSleeps) {
  const auto claim = Claim::try_acquire(file_, {.heartbeat_s = 0.01, .expires_s = 300});
  ASSERT_TRUE(claim);
  age(file_, 3600);
  const auto old = std::filesystem::last_write_time(file_);
  for (int i = 0; i < 1000 && std::filesystem::last_write_time(file_) <= old; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const auto age_now =
      std::filesystem::file_time_type::clock::now() - std::filesystem::last_write_time(file_);
  EXPECT_LT(age_now, std::chrono::minutes(30));
}

TEST_F(ClaimTest, WithoutHardLinksTheFirstToCreateWins) {
  const ClaimHolder first = detail::new_incarnation(), second = detail::new_incarnation();
  EXPECT_TRUE(detail::create_by_open(file_, first));
  EXPECT_FALSE(detail::create_by_open(file_, second));
  EXPECT_FALSE(detail::create_claim(file_, second));
  EXPECT_EQ(claim_holder(file_).value().nonce, first.nonce);
}

TEST_F(ClaimTest, UnusableFoldersAreErrorsThatNameThem) {
  write_file(file_, "a file, not a folder");
  try {
    (void)Claim::try_acquire(file_ / "task");
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace puma::dist
