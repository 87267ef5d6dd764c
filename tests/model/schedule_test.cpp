// SPDX-License-Identifier: Apache-2.0
#include "model/schedule.hpp"

#include <gtest/gtest.h>

namespace puma::model {
namespace {

TEST(InitialK, FollowsThePublishedRule) {
  const config::Recipe r;
  EXPECT_EQ(initial_k(r, 32768, 64), 256);
  EXPECT_EQ(initial_k(r, 32768, 144), 288);
  EXPECT_EQ(initial_k(r, 32768, 160), 320);
  EXPECT_EQ(initial_k(r, 512, 16), 128);  // a quarter of the dictionary
  EXPECT_EQ(initial_k(r, 32, 16), 16);    // never below k
}

TEST(InitialK, AGivenOneIsTakenBetweenKAndTheDictionary) {
  config::Recipe r;
  r.k_init = 40;
  EXPECT_EQ(initial_k(r, 4096, 16), 40);
  EXPECT_EQ(initial_k(r, 4096, 64), 64);
  EXPECT_EQ(initial_k(r, 32, 16), 32);
}

TEST(AnnealedK, LinearRoundsExactHalvesToEven) {
  config::Recipe r;
  r.anneal = config::Anneal::linear;
  r.stage2_steps = 32;  // falls by 7.5 a step
  EXPECT_EQ(annealed_k(r, 0, 256, 16), 256);
  EXPECT_EQ(annealed_k(r, 1, 256, 16), 248);  // 248.5
  EXPECT_EQ(annealed_k(r, 3, 256, 16), 234);  // 233.5
  EXPECT_EQ(annealed_k(r, 32, 256, 16), 16);
  EXPECT_EQ(annealed_k(r, 99, 256, 16), 16);
}

TEST(AnnealedK, ShapesDifferAndOffIsConstant) {
  config::Recipe r;
  r.stage2_steps = 100;
  r.anneal = config::Anneal::cosine;
  EXPECT_EQ(annealed_k(r, 25, 256, 16), 221);
  EXPECT_EQ(annealed_k(r, 50, 256, 16), 136);
  r.anneal = config::Anneal::linear;
  EXPECT_EQ(annealed_k(r, 25, 256, 16), 196);
  r.anneal = config::Anneal::off;
  EXPECT_EQ(annealed_k(r, 0, 256, 16), 16);
}

TEST(LearningRate, WarmsUpFromZeroAndFallsByHalfACosine) {
  EXPECT_EQ(learning_rate(0, 100, 10, 0.5), 0.0);
  EXPECT_DOUBLE_EQ(learning_rate(5, 100, 10, 0.5), 0.25);
  EXPECT_DOUBLE_EQ(learning_rate(10, 100, 10, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(learning_rate(55, 100, 10, 0.5), 0.25);
  EXPECT_GT(learning_rate(99, 100, 10, 0.5), 0.0);
}

TEST(LearningRate, NoWarmUpAndOneStepAreDefined) {
  EXPECT_DOUBLE_EQ(learning_rate(0, 1, 0, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(learning_rate(0, 1, 1, 0.5), 0.0);
}

}  // namespace
}  // namespace puma::model
