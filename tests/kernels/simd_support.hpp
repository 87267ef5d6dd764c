// SPDX-License-Identifier: Apache-2.0
// What the tests of dispatched kernels share: awkward numbers, bitwise comparison, and one run per
// instruction set.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/detail/scores_simd.hpp"

namespace puma::kernels::test {

// Floats of mixed sign and size, among them 0, -0, denormals and numbers that cancel.
inline std::vector<float> awkward_floats(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& x : values) {
    switch (random() % 12) {
      case 0:
        x = 0.0f;
        break;
      case 1:
        x = -0.0f;
        break;
      case 2:
        x = std::numeric_limits<float>::denorm_min() * static_cast<float>(random() % 1000);
        break;
      case 3:
        x = -1.5e-38f;
        break;
      case 4:
        x = normal(random) * 1e6f;
        break;
      case 5:
        x = normal(random) * 1e-20f;
        break;
      default:
        x = normal(random);
    }
  }
  return values;
}

inline std::vector<std::uint32_t> bits(const std::vector<float>& values) {
  std::vector<std::uint32_t> out;
  for (const float x : values) out.push_back(std::bit_cast<std::uint32_t>(x));
  return out;
}

// One test case per instruction set that this machine runs.
class EveryTarget : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { detail::use_simd_target(GetParam()); }
  void TearDown() override { detail::use_simd_target(""); }
};

inline auto all_targets() {
  return ::testing::ValuesIn(detail::simd_targets());
}
inline std::string target_name(const ::testing::TestParamInfo<std::string>& info) {
  return info.param;
}

}  // namespace puma::kernels::test
