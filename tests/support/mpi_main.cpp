// SPDX-License-Identifier: Apache-2.0
// GoogleTest on several ranks: a test has failed when it failed anywhere, and a test that hangs is
// named and ended.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "dist/comm.hpp"
#include "dist/log.hpp"
#include "dist/mpi_guard.hpp"
#include "hang_watchdog.hpp"

namespace {

using puma::dist::Comm;
using puma::dist::ReduceOp;

std::string full_name(const testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

// Prints what failed on a rank that else is silent.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "[rank %d] %s:%d: %s\n", rank_,
                 result.file_name() != nullptr ? result.file_name() : "?", result.line_number(),
                 result.message());
  }

 private:
  int rank_;
};

// After each test the ranks agree on its verdict, so that none goes on alone after a failure of
// another.
class Agreement : public testing::EmptyTestEventListener {
 public:
  Agreement(const Comm& comm, puma::test::HangWatchdog& watchdog)
      : comm_(comm), watchdog_(watchdog) {}

  void OnTestStart(const testing::TestInfo& test) override { watchdog_.watch(full_name(test)); }

  void OnTestEnd(const testing::TestInfo& test) override {
    const bool failed_here = test.result()->Failed();
    const auto failed = comm_.all_reduce(std::int64_t{failed_here}, ReduceOp::sum);
    if (failed > 0 && !failed_here) ADD_FAILURE() << "failed on " << failed << " other rank(s)";
    watchdog_.rest();
  }

 private:
  Comm comm_;
  puma::test::HangWatchdog& watchdog_;
};

int run_tests(const Comm& comm) {
  puma::dist::set_log_rank(comm.rank(), comm.size());
  puma::test::HangWatchdog watchdog(comm.rank());
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (!comm.is_root()) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(comm.rank()));
  }
  // Last: events of ends go through the listeners backwards, so the printers see the common
  // verdict.
  listeners.Append(new Agreement(comm, watchdog));
  const int mine = RUN_ALL_TESTS();
  return static_cast<int>(comm.all_reduce(std::int64_t{mine}, ReduceOp::max));
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  try {
    const puma::dist::MpiGuard guard(&argc, &argv);
    return run_tests(Comm::world());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 70;
  }
}
