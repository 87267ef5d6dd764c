// SPDX-License-Identifier: Apache-2.0
#include "dist/job.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <optional>

#include "dist/failure.hpp"
#include "dist/job_threads.hpp"
#include "dist/log.hpp"
#include "dist/mpi_guard.hpp"
#include "dist/signals.hpp"

namespace puma::dist {
namespace {

Context make_context(const JobOptions& options, const Comm& comm) {
  Context context;
  context.comm = comm;
  agree(comm,
        [&] { context.device = choose_device(options.device, local_rank_from_environment()); });
  context.threads = options.threads > 0 ? options.threads : default_threads(comm);
  return context;
}

std::string banner(const JobOptions& options, const Context& context) {
  const int ranks = context.comm.size();
  const std::string device =
      context.device.cuda ? fmt::format("cuda:{} {}", context.device.ordinal, context.device.name)
                          : context.device.name;
  return fmt::format("{}: {} rank{}, {}, {} thread{}", options.name, ranks, ranks == 1 ? "" : "s",
                     device, context.threads, context.threads == 1 ? "" : "s");
}

ExitCode stopped_code() {
  return stop_signal() == SIGINT ? ExitCode::interrupted : ExitCode::terminated;
}

// Sleeps until all ranks are here. Somebody who does not come within farewell_s of a stop signal or
// a failure is stuck in a collective call or in a kernel: MPI_Finalize would wait for ever, so
// everything ends.
ExitCode leave_together(const Comm& comm, double farewell_s, ExitCode code, bool failed) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> deadline;
  const bool together = comm.barrier_unless([&] {
    const auto now = Clock::now();
    if (!deadline && (failed || stop_requested())) {
      deadline = now + std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(farewell_s));
    }
    return deadline && now >= *deadline;
  });
  if (!together) {
    if (!failed) code = stopped_code();
    log_local(LogLevel::error,
              fmt::format("other ranks did not come to the end within {} s; ending all of them "
                          "with exit code {}",
                          farewell_s, static_cast<int>(code)));
    comm.abort(static_cast<int>(code));
  }
  // Launchers pass on one rank's exit code, and not all the same one's: let all be the worst.
  const auto worst = comm.all_reduce(static_cast<std::int64_t>(code), ReduceOp::max);
  return static_cast<ExitCode>(worst);
}

ExitCode run_ranks(const JobOptions& options, const std::function<ExitCode(Context&)>& work) {
  const Comm comm = Comm::world();
  set_log_rank(comm.rank(), comm.size());
  ExitCode code = ExitCode::done;
  bool failed = false;
  try {
    install_stop_signals();
    Context context = make_context(options, comm);
    if (options.banner) log_world(LogLevel::info, banner(options, context));
    code = work(context);
  } catch (const AgreedError& error) {
    failed = true;
    code = error.code();
    if (error.ranks() == comm.size()) {
      log_world(LogLevel::error, error.what());
    } else {
      log_local(LogLevel::error, error.what());
      comm.abort(static_cast<int>(code));
    }
  } catch (...) {
    const Error error = as_error(std::current_exception());
    failed = true;
    code = error.code();
    log_local(LogLevel::error, error.what());
    if (comm.size() > 1) comm.abort(static_cast<int>(code));
  }
  if (!failed && stop_requested()) code = stopped_code();
  return leave_together(comm, options.farewell_s, code, failed);
}

}  // namespace

int run_tool(const std::function<ExitCode()>& work) {
  try {
    return static_cast<int>(work());
  } catch (...) {
    const Error error = as_error(std::current_exception());
    log_local(LogLevel::error, error.what());
    return static_cast<int>(error.code());
  }
}

int run_job(const JobOptions& options, const std::function<ExitCode(Context&)>& work) {
  return run_tool([&] {
    const MpiGuard guard(nullptr, nullptr);
    return run_ranks(options, work);
  });
}

}  // namespace puma::dist
