// SPDX-License-Identifier: Apache-2.0
#include "dist/job_threads.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace puma::dist {
namespace {

CoreMask cores(std::size_t begin, std::size_t end) {
  CoreMask mask;
  for (std::size_t core = begin; core < end; ++core) mask.allowed.set(core);
  return mask;
}

std::vector<int> shares(const std::vector<std::string>& hosts, const std::vector<CoreMask>& masks) {
  std::vector<int> out;
  for (int r = 0; r < std::ssize(hosts); ++r) out.push_back(share_of_cores(hosts, masks, r));
  return out;
}

TEST(ShareOfCores, SharedCoresAreDivided) {
  const std::vector<CoreMask> same(3, cores(0, 12));
  EXPECT_EQ(shares({"a", "a", "a"}, same), (std::vector<int>{4, 4, 4}));
}

TEST(ShareOfCores, BoundRanksKeepTheirOwn) {
  EXPECT_EQ(shares({"a", "a"}, {cores(0, 4), cores(4, 10)}), (std::vector<int>{4, 6}));
}

TEST(ShareOfCores, OtherHostsDoNotCount) {
  EXPECT_EQ(shares({"a", "b", "b"}, std::vector<CoreMask>(3, cores(0, 8))),
            (std::vector<int>{8, 4, 4}));
}

TEST(ShareOfCores, MoreRanksThanCoresStillGetOne) {
  EXPECT_EQ(shares({"a", "a", "a"}, std::vector<CoreMask>(3, cores(0, 2))),
            (std::vector<int>{1, 1, 1}));
}

TEST(ShareOfCores, ThirdsAddUp) {
  EXPECT_EQ(shares({"a", "a", "a"}, std::vector<CoreMask>(3, cores(0, 3))),
            (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(shares({"a", "a", "a"}, std::vector<CoreMask>(3, cores(0, 27))),
            (std::vector<int>{9, 9, 9}));
}

TEST(AllowedCores, AreAtLeastOne) {
  EXPECT_GE(allowed_cores().allowed.count(), 1U);
}

}  // namespace
}  // namespace puma::dist
