// SPDX-License-Identifier: Apache-2.0
// Against SciPy (make_scipy_fixture.py beside this file). Its random numbers are others, so the
// tolerance is Monte-Carlo error of both sides: five standard errors.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dist/files.hpp"
#include "eval/stats/bootstrap.hpp"
#include "eval/stats/sign_flip.hpp"

namespace puma::eval::stats {
namespace {

TEST(SciPy, AgreesOnPAndIntervals) {
  const auto fixture = nlohmann::json::parse(
      dist::read_file(PUMA_SOURCE_DIR "/tests/eval/stats/scipy_fixture.json"));
  ASSERT_EQ(fixture["cases"].size(), 5u);
  for (const auto& c : fixture["cases"]) {
    SCOPED_TRACE(c["name"].get<std::string>());
    const auto d = c["differences"].get<std::vector<double>>();
    const double p = c["p"].get<double>();
    const auto test = sign_flip_test(d, 99999, 0, dist::Comm::world());
    EXPECT_EQ(test.exact, c["exact"].get<bool>());
    // SciPy's p is twice a tail's share, with twice its error.
    EXPECT_NEAR(test.p, p, test.exact ? 1e-12 : 5 * 3 * std::sqrt(p * (1 - p) / 99999));
    const Interval i = bootstrap_mean(d, 9999, 0, dist::Comm::world());
    const double low = c["low"].get<double>(), high = c["high"].get<double>();
    // A percentile of B = 9999 has a standard error of about .027 standard deviations of the mean,
    // a quarter of the interval's width; and steps where the values are few.
    const double deviation = (high - low) / 4;
    EXPECT_NEAR(i.low, low, 5 * .027 * deviation + 1.0 / static_cast<double>(d.size()));
    EXPECT_NEAR(i.high, high, 5 * .027 * deviation + 1.0 / static_cast<double>(d.size()));
  }
}

}  // namespace
}  // namespace puma::eval::stats
