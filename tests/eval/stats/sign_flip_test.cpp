// SPDX-License-Identifier: Apache-2.0
#include "eval/stats/sign_flip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "dist/comm.hpp"
#include "dist/error.hpp"
#include "dist/philox.hpp"
#include "eval/stats/fixed_point.hpp"

namespace puma::eval::stats {
namespace {

using dist::Comm;

// Values in [-1, 1) with 24 bits, whatever rank asks.
std::vector<double> random_differences(std::size_t n, std::uint32_t which, double shift = 0) {
  std::vector<double> d;
  for (std::size_t q = 0; q < n; ++q) {
    d.push_back(2 * dist::random_unit(11, dist::RandomPurpose::test_data, which, q) - 1 + shift);
  }
  return d;
}

// The definition, one sign at a time.
std::int64_t count_plainly(const std::vector<double>& differences, std::int64_t trials,
                           std::uint64_t seed) {
  const auto d = to_fixed(differences);
  std::int64_t total = 0, count = 0;
  for (const auto x : d) total += x;
  for (std::int64_t t = 1; t <= trials; ++t) {
    std::int64_t sum = 0;
    for (std::size_t q = 0; q < d.size(); ++q) {
      const auto block =
          dist::philox({static_cast<std::uint32_t>(q / 128), static_cast<std::uint32_t>(t),
                        static_cast<std::uint32_t>(dist::RandomPurpose::sign_flip)},
                       seed);
      const std::size_t bit = q % 128;
      sum += ((block[bit / 32] >> (bit % 32)) & 1U) ? -d[q] : d[q];
    }
    count += std::abs(sum) >= std::abs(total) - static_cast<std::int64_t>(d.size());
  }
  return count;
}

// All 2^n assignments, each summed anew.
double enumerate_plainly(const std::vector<double>& differences) {
  const auto d = to_fixed(differences);
  std::int64_t total = 0, count = 0;
  for (const auto x : d) total += x;
  for (std::uint64_t flips = 0; flips < (std::uint64_t{1} << d.size()); ++flips) {
    std::int64_t sum = 0;
    for (std::size_t q = 0; q < d.size(); ++q) sum += ((flips >> q) & 1U) ? -d[q] : d[q];
    count += std::abs(sum) >= std::abs(total) - static_cast<std::int64_t>(d.size());
  }
  return static_cast<double>(count) / std::pow(2.0, static_cast<double>(d.size()));
}

TEST(SignFlip, TablesCountWhatTheDefinitionCounts) {
  for (const std::size_t n : {27u, 64u, 127u, 128u, 129u, 300u}) {
    const auto d = random_differences(n, static_cast<std::uint32_t>(n), 0.05);
    const auto result = sign_flip_test(d, 501, 7, Comm::world());
    EXPECT_FALSE(result.exact);
    EXPECT_EQ(result.at_least, count_plainly(d, 501, 7)) << n;
    EXPECT_EQ(result.p, static_cast<double>(result.at_least + 1) / 502.0);
  }
}

TEST(SignFlip, GrayCodeCountsWhatBruteForceCounts) {
  for (std::size_t n = 1; n <= 12; ++n) {
    const auto d = random_differences(n, 100 + static_cast<std::uint32_t>(n), 0.2);
    const auto result = sign_flip_test(d, 99, 0, Comm::world());
    EXPECT_TRUE(result.exact);
    EXPECT_EQ(result.trials, std::int64_t{1} << n);
    EXPECT_EQ(result.p, enumerate_plainly(d)) << n;
    EXPECT_EQ(result.standard_error, 0);
  }
}

TEST(SignFlip, TiesOfDecimalFractionsAreTies) {
  // .1 + .2 and .3 differ in binary; here they must tie.
  const std::vector<double> d{0.1, 0.2, -0.3};
  EXPECT_EQ(sign_flip_test(d, 99, 0, Comm::world()).p, 1.0);  // T = 0
  const std::vector<double> e{0.1, 0.2, 0.3, -0.6, 0.6};
  EXPECT_EQ(sign_flip_test(e, 99, 0, Comm::world()).p, enumerate_plainly(e));
}

TEST(SignFlip, HitsAreMcNemarsExactTest) {
  std::vector<double> d(100, 0.0);
  for (std::size_t i = 0; i < 10; ++i) d[7 * i] = 1;
  for (std::size_t i = 0; i < 3; ++i) d[7 * i + 3] = -1;
  const auto result = sign_flip_test(d, 9999, 0, Comm::world());
  EXPECT_TRUE(result.exact);
  EXPECT_EQ(result.non_zero, 13);
  EXPECT_NEAR(result.p, 0.0922852, 5e-8);
}

TEST(SignFlip, EnumeratesUpTo26AndSamplesFrom27) {
  auto d = random_differences(26, 5, 0.1);
  d.insert(d.begin() + 3, 4, 0.0);  // zeros do not count
  const auto exact = sign_flip_test(d, 9999, 0, Comm::world());
  EXPECT_TRUE(exact.exact);
  EXPECT_EQ(exact.trials, std::int64_t{1} << 26);
  d.push_back(1e-6);
  const auto sampled = sign_flip_test(d, 9999, 0, Comm::world());
  EXPECT_FALSE(sampled.exact);
  EXPECT_EQ(sampled.non_zero, 27);
  EXPECT_NEAR(sampled.p, exact.p, 5 * std::sqrt(0.25 / 9999));
}

TEST(SignFlip, AllZeroOrNothingIsOne) {
  EXPECT_EQ(sign_flip_test(std::vector<double>{}, 99, 0, Comm::world()).p, 1.0);
  const auto zeros = sign_flip_test(std::vector<double>(40, 0.0), 99, 0, Comm::world());
  EXPECT_EQ(zeros.p, 1.0);
  EXPECT_TRUE(zeros.exact);
  EXPECT_EQ(zeros.non_zero, 0);
}

TEST(SignFlip, OneQueryIsOne) {
  EXPECT_EQ(sign_flip_test(std::vector<double>{0.7}, 99, 0, Comm::world()).p, 1.0);
}

TEST(SignFlip, SwappingTheSystemsGivesTheSameP) {
  auto d = random_differences(90, 9, 0.1);
  const double p = sign_flip_test(d, 999, 3, Comm::world()).p;
  for (double& x : d) x = -x;
  EXPECT_EQ(sign_flip_test(d, 999, 3, Comm::world()).p, p);
}

TEST(SignFlip, NeverZeroAndTheSeedMatters) {
  const std::vector<double> clear(200, 0.5);
  EXPECT_EQ(sign_flip_test(clear, 999, 3, Comm::world()).p, 1.0 / 1000);
  const auto d = random_differences(90, 9, 0.1);
  const auto a = sign_flip_test(d, 9999, 3, Comm::world());
  const auto b = sign_flip_test(d, 9999, 4, Comm::world());
  EXPECT_NE(a.at_least, b.at_least);
  EXPECT_NEAR(a.p, b.p, 6 * a.standard_error + 1e-3);
}

TEST(SignFlip, SameOnEveryNumberOfRanks) {
  const auto d = random_differences(150, 21, 0.08);
  EXPECT_EQ(sign_flip_test(d, 1003, 1, Comm::world()).at_least,
            sign_flip_test(d, 1003, 1).at_least);
  const auto few = random_differences(11, 22, 0.08);
  EXPECT_EQ(sign_flip_test(few, 1003, 1, Comm::world()).at_least,
            sign_flip_test(few, 1003, 1).at_least);
}

TEST(SignFlip, RefusesWhatIsNoNumber) {
  const std::vector<double> d{0.5, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(sign_flip_test(d, 99, 0), dist::Error);
  EXPECT_THROW(sign_flip_test(std::vector<double>{1.0}, 0, 0), dist::Error);
}

TEST(FixedPoint, RefusesSumsThatWouldWrap) {
  EXPECT_THROW(to_fixed(std::vector<double>(3, 2097152.0)), dist::Error);
  EXPECT_EQ(from_fixed(to_fixed(-0.375)), -0.375);
}

}  // namespace
}  // namespace puma::eval::stats
