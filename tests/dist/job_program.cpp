// SPDX-License-Identifier: Apache-2.0
// A job that ends as it is told to; job_end_test.sh looks at what is left. Arguments: the way to
// end, and any word to find its processes by.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "dist/job.hpp"
#include "dist/signals.hpp"

namespace {

using namespace puma::dist;

ExitCode work(const std::string& end, Context& context) {
  const Comm& comm = context.comm;
  const bool last = comm.rank() == comm.size() - 1;
  if (end == "done") {
    comm.barrier();
    return ExitCode::done;
  }
  if (end == "one-failed-task") return last ? ExitCode::task_failed : ExitCode::done;
  if (end == "usage-error") {
    if (last) fail_usage("this rank threw", "on purpose");
    comm.barrier();
    return ExitCode::done;
  }
  if (end == "defect") {
    if (last) throw std::logic_error("never thought of");
    comm.barrier();
    return ExitCode::done;
  }
  if (end == "agreed") {
    agree(comm, [&] {
      if (last) fail_input({"docs.npy", "the file is cut short", "", "", ""});
    });
    return ExitCode::done;
  }
  if (end == "group-agreed") {  // the other ranks know nothing of it
    const Comm group = comm.split(last ? 1 : 0, 0);
    agree(group, [&] {
      if (last) fail_usage("this group threw");
    });
    comm.barrier();
    return ExitCode::done;
  }
  if (end == "terminated" || end == "interrupted") {
    ::raise(end == "terminated" ? SIGUSR1 : SIGINT);
    while (!stop_requested()) ::usleep(1000);
    return ExitCode::incomplete;
  }
  if (end == "stopped-alone") {  // the others never look at the flag
    if (comm.size() > 1 && !last) ::sleep(600);
    ::raise(SIGTERM);
    return ExitCode::incomplete;
  }
  fail_usage("no such end: " + end);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string end = argc > 1 ? argv[1] : "";
  JobOptions options;
  options.name = "job_program";
  options.farewell_s = 2;
  return run_job(options, [&](Context& context) { return work(end, context); });
}
