// SPDX-License-Identifier: Apache-2.0
#include "dist/device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "dist/error.hpp"

namespace puma::dist {
namespace {

using testing::HasSubstr;

TEST(Device, CpuIsAlwaysThere) {
  const Device device = choose_device("cpu", 3);
  EXPECT_FALSE(device.cuda);
  EXPECT_EQ(device.name, "cpu");
  EXPECT_EQ(device.driver, "");
  EXPECT_EQ(device.memory_bytes, 0);
}

TEST(Device, AutoTakesAGpuWhereThereIsOne) {
  const int gpus = visible_gpus();
  ASSERT_GE(gpus, 0);
  const Device device = choose_device("auto", 5);
  EXPECT_EQ(device.cuda, gpus > 0);
  if (gpus > 0) {
    EXPECT_EQ(device.ordinal, 5 % gpus);
    EXPECT_GT(device.memory_bytes, 0);
  }
}

TEST(Device, CudaWithoutAGpuIsAUsageErrorThatSaysWhy) {
  if (visible_gpus() > 0) GTEST_SKIP() << "this machine has a GPU";
  try {
    choose_device("cuda", 0);
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::bad_input);
    EXPECT_THAT(e.what(),
                testing::AnyOf(HasSubstr("no GPU is visible"), HasSubstr("without CUDA")));
  }
}

TEST(Device, UnknownWishNamesTheChoices) {
  try {
    choose_device("gpu", 0);
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "the device 'gpu' is unknown (expected cpu, cuda or auto)");
  }
}

class LocalRank : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() {
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PALS_LOCAL_RANKID",
                             "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"}) {
      ::unsetenv(name);
    }
  }
};

TEST_F(LocalRank, ComesFromTheLauncherNearestToUs) {
  EXPECT_EQ(local_rank_from_environment(), 0);
  ::setenv("SLURM_LOCALID", "2", 1);
  EXPECT_EQ(local_rank_from_environment(), 2);
  ::setenv("OMPI_COMM_WORLD_LOCAL_RANK", "3", 1);
  EXPECT_EQ(local_rank_from_environment(), 3);
}

TEST_F(LocalRank, IgnoresWhatIsNoNumber) {
  for (const char* text : {"", "x", "1x", "-1", "99999999999999999999"}) {
    ::setenv("SLURM_LOCALID", text, 1);
    EXPECT_EQ(local_rank_from_environment(), 0) << text;
  }
}

}  // namespace
}  // namespace puma::dist
