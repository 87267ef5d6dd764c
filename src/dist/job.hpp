// SPDX-License-Identifier: Apache-2.0
// The same start and the same end for every job: MPI, signals, banner; then the work; then the exit
// code that people and scripts rely on.
#pragma once

#include <functional>
#include <string>

#include "dist/context.hpp"
#include "dist/error.hpp"

namespace puma::dist {

struct JobOptions {
  std::string name;            // "score"
  std::string device = "cpu";  // cpu, cuda or auto
  int threads = 0;             // 0: the cores of this node divided by the ranks on it
  double farewell_s =
      30;  // how long the end waits for ranks that may never come: after a stop signal or a failure
  bool banner = true;  // "score: 4 ranks, cuda:0 NVIDIA H100, 8 threads" on stderr
};

// Runs `work` between MpiGuard, stop signals and the catch: prints the error of whoever failed with
// its rank. A stop signal seen makes the result 143 (130 for SIGINT) after a bounded wait for the
// other ranks. An exception that leaves `work` on one of several ranks may leave others in a
// collective call: it ends every rank by Comm::abort with the error's code. Returns the exit code
// for main.
int run_job(const JobOptions& options, const std::function<ExitCode(Context&)>& work);

// For commands that never touch MPI (plan, status, inspect): only the catch.
int run_tool(const std::function<ExitCode()>& work);

}  // namespace puma::dist
