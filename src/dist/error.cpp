// SPDX-License-Identifier: Apache-2.0
#include "dist/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace puma::dist {

namespace {

// PROBLEM (WHY). SUGGESTION; absent parts leave no punctuation behind.
std::string sentence(const std::string& problem, const std::string& why,
                     const std::string& suggestion) {
  std::string text = problem;
  if (!why.empty()) text += fmt::format(" ({})", why);
  if (!suggestion.empty()) text += (text.ends_with('.') ? " " : ". ") + suggestion;
  return text;
}

// What the user can do where the operating system's words alone do not say it.
std::string advice_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "Free some space there, or choose another folder, and run the same command again.";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Check the permissions of the file and its folder.";
    case EMFILE:
    case ENFILE:
      return "Raise the limit of open files (ulimit -n).";
    default:
      return "";
  }
}

std::string call_problem(std::string_view call, std::string_view object) {
  return object.empty() ? fmt::format("{} failed", call)
                        : fmt::format("{} failed for '{}'", call, object);
}

}  // namespace

Error::Error(ExitCode code, std::string problem, std::string why, std::string suggestion)
    : std::runtime_error(sentence(problem, why, suggestion)),
      code_(code),
      problem_(std::move(problem)),
      why_(std::move(why)),
      suggestion_(std::move(suggestion)) {}

void fail_input(const InputProblem& problem) {
  std::string why;
  if (!problem.expected.empty()) why = "expected " + problem.expected;
  if (!problem.found.empty()) why += (why.empty() ? "found " : ", found ") + problem.found;
  throw Error(ExitCode::bad_input,
              problem.file.empty() ? problem.problem : problem.file + ": " + problem.problem, why,
              problem.suggestion);
}

void fail_usage(std::string problem, std::string why, std::string suggestion) {
  throw Error(ExitCode::bad_input, std::move(problem), std::move(why), std::move(suggestion));
}

void fail_call(std::string_view call, std::string_view object, std::string_view its_words) {
  throw Error(ExitCode::task_failed, call_problem(call, object), std::string(its_words));
}

void fail_errno(std::string_view call, std::string_view object) {
  const int error = errno;
  // generic_category().message() is strerror without its shared buffer.
  throw Error(ExitCode::task_failed, call_problem(call, object),
              std::generic_category().message(error), advice_for(error));
}

namespace detail {

void fail_contract(const char* kind, const char* condition, const char* file, int line) {
  const char* slash = std::strrchr(file, '/');
  throw Error(ExitCode::internal, fmt::format("{} does not hold: {}", kind, condition),
              fmt::format("{}:{}", slash ? slash + 1 : file, line),
              "This is a defect of puma; please report it with the command that led here.");
}

}  // namespace detail

}  // namespace puma::dist
