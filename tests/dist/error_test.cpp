// SPDX-License-Identifier: Apache-2.0
#include "dist/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <optional>

namespace puma::dist {
namespace {

using testing::HasSubstr;

Error thrown_by(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(ExitCode::done, "");
}

TEST(Error, SaysProblemWhySuggestionAndKeepsTheParts) {
  const Error e(ExitCode::bad_input, "top_k=0 in score.json", "must be at least 1", "Use 10.");
  EXPECT_STREQ(e.what(), "top_k=0 in score.json (must be at least 1). Use 10.");
  EXPECT_EQ(e.problem(), "top_k=0 in score.json");
  EXPECT_EQ(e.why(), "must be at least 1");
  EXPECT_EQ(e.suggestion(), "Use 10.");
  EXPECT_EQ(static_cast<int>(e.code()), 2);
}

TEST(Error, LeavesNoPunctuationForAbsentParts) {
  EXPECT_STREQ(Error(ExitCode::bad_input, "p").what(), "p");
  EXPECT_STREQ(Error(ExitCode::bad_input, "p", "w").what(), "p (w)");
  EXPECT_STREQ(Error(ExitCode::bad_input, "p", "", "Do s.").what(), "p. Do s.");
  EXPECT_STREQ(Error(ExitCode::bad_input, "p.", "", "Do s.").what(), "p. Do s.");
}

TEST(Error, InputProblemNamesFileExpectedAndFound) {
  const Error e = thrown_by([] {
    fail_input({"a.npy", "the file is cut short", "80 bytes", "79 bytes", "Copy it."});
  });
  EXPECT_STREQ(e.what(),
               "a.npy: the file is cut short (expected 80 bytes, found 79 bytes). Copy it.");
  EXPECT_EQ(e.code(), ExitCode::bad_input);
  const auto what = [](InputProblem problem) {
    return std::string(thrown_by([&] { fail_input(problem); }).what());
  };
  EXPECT_EQ(what({"f", "p", "E", "", ""}), "f: p (expected E)");
  EXPECT_EQ(what({"f", "p", "", "F", ""}), "f: p (found F)");
  EXPECT_EQ(what({"", "p", "", "", ""}), "p");
}

TEST(Error, FailedCallKeepsTheSystemsWordsAndNamesTheObject) {
  const Error e = thrown_by([] {
    errno = ENOSPC;
    fail_errno("write", "/data/x.h5");
  });
  EXPECT_THAT(e.what(), HasSubstr("write failed for '/data/x.h5' (No space left on device). Free"));
  EXPECT_EQ(e.code(), ExitCode::task_failed);
  const Error call = thrown_by([] { fail_call("MPI_Gather", "", "truncated"); });
  EXPECT_STREQ(call.what(), "MPI_Gather failed (truncated)");
}

TEST(Error, BrokenContractIsADefectThatNamesConditionAndPlace) {
  const Error e = thrown_by([] { PUMA_EXPECT(1 + 1 == 3); });
  EXPECT_EQ(e.code(), ExitCode::internal);
  EXPECT_THAT(e.what(), HasSubstr("precondition does not hold: 1 + 1 == 3 (error_test.cpp:"));
  EXPECT_NO_THROW(PUMA_ASSERT(true));
}

TEST(Error, UsageErrorsEndWithCodeTwo) {
  EXPECT_EQ(thrown_by([] { fail_usage("--k=0"); }).code(), ExitCode::bad_input);
}

}  // namespace
}  // namespace puma::dist
