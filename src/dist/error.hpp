// SPDX-License-Identifier: Apache-2.0
// What goes wrong, in the grammar PROBLEM (WHY) SUGGESTION, with the exit code it leads to.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace puma::dist {

// The exit codes of every subcommand; README.md documents them for users and scripts.
enum class ExitCode : int {
  done = 0,
  task_failed = 1,          // some task failed; the others finished
  bad_input = 2,            // usage, or malformed input: nothing was written
  submission_rejected = 3,  // the batch system refused jobs; the accepted ids were printed
  incomplete = 4,           // work is still pending or running
  mismatch = 5,             // verification found values outside the tolerance
  internal = 70,            // a defect of this program
  interrupted = 130,        // SIGINT
  terminated = 143,         // SIGTERM, SIGUSR1, SIGUSR2: saved and may be requeued
};

// An error for people. what() is "problem (why). suggestion"; the parts stay readable as members.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, std::string problem, std::string why = "", std::string suggestion = "");

  ExitCode code() const { return code_; }
  const std::string& problem() const { return problem_; }
  const std::string& why() const { return why_; }
  const std::string& suggestion() const { return suggestion_; }

 private:
  ExitCode code_;
  std::string problem_, why_, suggestion_;
};

// Malformed input from outside: "FILE: problem (expected E, found F). suggestion", exit code 2.
struct InputProblem {
  std::string file;        // or "file:line", or "--option"
  std::string problem;     // "the file is cut short"
  std::string expected;    // may be empty
  std::string found;       // may be empty
  std::string suggestion;  // what to do next; may be empty
};
[[noreturn]] void fail_input(const InputProblem& problem);

// Wrong use of a command, an option or a study: exit code 2.
[[noreturn]] void fail_usage(std::string problem, std::string why = "",
                             std::string suggestion = "");

// A system or library call that failed: names the call and keeps the library's own words. Exit
// code 1.
[[noreturn]] void fail_call(std::string_view call, std::string_view object,
                            std::string_view its_words);

// fail_call with strerror(errno).
[[noreturn]] void fail_errno(std::string_view call, std::string_view object);

namespace detail {
[[noreturn]] void fail_contract(const char* kind, const char* condition, const char* file,
                                int line);
}

}  // namespace puma::dist

// Contracts between our own functions (defects, exit code 70). Users' data is checked with
// fail_input.
#define PUMA_CONTRACT_(kind, cond) \
  ((cond) ? void(0) : ::puma::dist::detail::fail_contract(kind, #cond, __FILE__, __LINE__))
#define PUMA_EXPECT(cond) PUMA_CONTRACT_("precondition", cond)
#define PUMA_ASSERT(cond) PUMA_CONTRACT_("invariant", cond)
#ifdef NDEBUG
#define PUMA_ENSURE(cond) void(0)
#else
#define PUMA_ENSURE(cond) PUMA_CONTRACT_("postcondition", cond)
#endif
