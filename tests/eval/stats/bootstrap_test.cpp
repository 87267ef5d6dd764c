// SPDX-License-Identifier: Apache-2.0
#include "eval/stats/bootstrap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dist/error.hpp"
#include "dist/philox.hpp"
#include "eval/stats/fixed_point.hpp"

namespace puma::eval::stats {
namespace {

using dist::Comm;

const std::array<double, 5> kSmall{0, .2, .5, .5, 1};

TEST(Bootstrap, PercentilesOfTheFullEnumeration) {
  std::vector<double> means;
  for (int code = 0; code < 3125; ++code) {
    std::int64_t sum = 0;
    for (int i = 0, rest = code; i < 5; ++i, rest /= 5) {
      sum += to_fixed(kSmall[static_cast<std::size_t>(rest % 5)]);
    }
    means.push_back(from_fixed(sum) / 5);
  }
  const Interval i = percentile_interval(means);
  EXPECT_NEAR(i.low, .16, 1e-9);
  EXPECT_NEAR(i.high, .74, 1e-9);
}

TEST(Bootstrap, SamplingComesCloseToTheEnumeration) {
  const Interval i = bootstrap_mean(kSmall, 9999, 0, Comm::world());
  EXPECT_NEAR(i.low, .16, .0401);  // the next attainable means
  EXPECT_NEAR(i.high, .74, .0401);
}

TEST(Bootstrap, DefaultCountTakesValues250And9750) {
  std::vector<double> values(9999);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(9999 - i);
  const Interval i = percentile_interval(values);
  EXPECT_EQ(i.low, 250);
  EXPECT_EQ(i.high, 9750);
}

TEST(Bootstrap, OtherCountsInterpolate) {
  const Interval i = percentile_interval({0, 1, 2, 3, 4});  // (B-1)p = .1 and 3.9
  EXPECT_NEAR(i.low, .1, 1e-12);
  EXPECT_NEAR(i.high, 3.9, 1e-12);
  EXPECT_EQ(percentile_interval({3}).low, 3);
}

TEST(Bootstrap, DrawsTheIndicesThatPhiloxSays) {
  for (const std::size_t n : {1u, 3u, 4u, 5u, 33u}) {
    std::vector<std::int64_t> values, squares;
    for (std::size_t q = 0; q < n; ++q) {
      values.push_back(static_cast<std::int64_t>(q + 1));
      squares.push_back(values.back() * values.back());
    }
    const ResampledSums sums = resample_sums({values, squares}, 17, 5, Comm::world());
    for (std::uint32_t b = 0; b < 17; ++b) {
      std::int64_t a = 0, c = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const auto q = dist::random_below(static_cast<std::uint32_t>(n), 5,
                                          dist::RandomPurpose::bootstrap, b, i);
        a += values[q];
        c += squares[q];
      }
      EXPECT_EQ(sums.at(b, 0), a);
      EXPECT_EQ(sums.at(b, 1), c);
    }
  }
}

struct Binomial {
  std::int64_t n, hits;
  double low, high;
};

// Hit@k resampled is Binomial(n, hits/n) / n. Intervals of the exact law; the sampled percentile
// wanders by about sqrt(p(1-p)/B) / density, here a few hits.
TEST(Bootstrap, HitRatesFollowTheBinomialLaw) {
  for (const Binomial c : {Binomial{1719, 303, .1582, .1943}, Binomial{4170, 2222, .5177, .5480},
                           Binomial{4170, 2177, .5069, .5372}}) {
    std::vector<double> values(static_cast<std::size_t>(c.n), 0.0);
    std::fill_n(values.begin(), c.hits, 1.0);
    const Interval i = bootstrap_mean(values, 9999, 2, Comm::world());
    EXPECT_NEAR(i.low, c.low, .0012);
    EXPECT_NEAR(i.high, c.high, .0012);
    EXPECT_FALSE(i.degenerate);
  }
}

TEST(Bootstrap, ConstantSingleAndEmptyAreDegenerate) {
  const Interval constant = bootstrap_mean(std::vector<double>(7, .25), 99, 0, Comm::world());
  EXPECT_TRUE(constant.degenerate);
  EXPECT_EQ(constant.low, .25);
  EXPECT_EQ(constant.high, .25);
  EXPECT_TRUE(bootstrap_mean(std::vector<double>{.5}, 99, 0, Comm::world()).degenerate);
  EXPECT_TRUE(bootstrap_mean(std::vector<double>{}, 99, 0, Comm::world()).degenerate);
  const std::vector<double> found{1, 2, 4}, relevant{2, 4, 8};
  EXPECT_TRUE(bootstrap_ratio(found, relevant, 99, 0, Comm::world()).degenerate);
}

TEST(Bootstrap, NegatedDifferencesMirrorTheInterval) {
  std::vector<double> d, mirrored;
  for (std::uint32_t q = 0; q < 60; ++q) {
    d.push_back(dist::random_unit(1, dist::RandomPurpose::test_data, 3, q) - .4);
    mirrored.push_back(-d.back());
  }
  const Interval a = bootstrap_mean(d, 9999, 0, Comm::world());
  const Interval b = bootstrap_mean(mirrored, 9999, 0, Comm::world());
  EXPECT_EQ(a.low, -b.high);
  EXPECT_EQ(a.high, -b.low);
}

TEST(Bootstrap, RatioOfOnesIsTheMean) {
  const Interval mean = bootstrap_mean(kSmall, 501, 4, Comm::world());
  const Interval ratio =
      bootstrap_ratio(kSmall, std::array<double, 5>{2, 2, 2, 2, 2}, 501, 4, Comm::world());
  EXPECT_NEAR(ratio.low * 2, mean.low, 1e-12);
  EXPECT_NEAR(ratio.high * 2, mean.high, 1e-12);
}

TEST(Bootstrap, SameOnEveryNumberOfRanksAndAnotherWithAnotherSeed) {
  std::vector<double> values;
  for (std::uint32_t q = 0; q < 101; ++q) {
    values.push_back(dist::random_unit(1, dist::RandomPurpose::test_data, 4, q));
  }
  const Interval shared = bootstrap_mean(values, 1001, 6, Comm::world());
  const Interval alone = bootstrap_mean(values, 1001, 6);
  EXPECT_EQ(shared.low, alone.low);
  EXPECT_EQ(shared.high, alone.high);
  EXPECT_NE(bootstrap_mean(values, 1001, 7).low, alone.low);
  const Interval few = bootstrap_mean(values, 2, 6, Comm::world());  // fewer replicates than ranks
  EXPECT_EQ(few.low, bootstrap_mean(values, 2, 6).low);
}

TEST(Bootstrap, RefusesWhatIsNoNumber) {
  const std::vector<double> bad{0.5, std::numeric_limits<double>::infinity()};
  EXPECT_THROW(bootstrap_mean(bad, 99, 0), dist::Error);
  const std::vector<double> one{1}, none{0};
  EXPECT_THROW(bootstrap_ratio(one, none, 99, 0), dist::Error);
}

}  // namespace
}  // namespace puma::eval::stats
