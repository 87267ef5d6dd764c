// SPDX-License-Identifier: Apache-2.0
#include "dist/mpi_runtime.hpp"

#include <cstdio>
#include <cstdlib>

#include "dist/mpi_call.hpp"
#include "dist/mpi_transport.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace puma::dist::detail {
namespace {

// Open MPI loads and unloads plug-ins that leak, while it starts and in MPI_Finalize; afterwards
// the leak sanitizer can name no library that a suppression could match. So it looks away during
// the start, and looks for good just before the end.
#ifdef __SANITIZE_ADDRESS__
using IgnoreLeaks = __lsan::ScopedDisabler;
void check_leaks() {
  __lsan_do_leak_check();
}
#else
struct IgnoreLeaks {
  IgnoreLeaks() {}
};
void check_leaks() {}
#endif

bool mpi_runs() {
  int started = 0, finished = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&finished);
  return started != 0 && finished == 0;
}

}  // namespace

bool start_mpi(int* argc, char*** argv) {
  if (mpi_runs()) return false;
  // FUNNELED: heartbeats and OpenMP run beside MPI, but only the main thread calls it.
  const IgnoreLeaks while_mpi_starts;
  int provided = MPI_THREAD_SINGLE;
  PUMA_MPI(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided));
  PUMA_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  PUMA_MPI(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  if (provided < MPI_THREAD_FUNNELED) {
    fail_call("MPI_Init_thread", "MPI_THREAD_FUNNELED", "this MPI supports no threads");
  }
  return true;
}

void finish_mpi() {
  if (!mpi_runs()) return;
  check_leaks();
  PUMA_MPI(MPI_Finalize());
}

std::shared_ptr<const Transport> mpi_world() {
  if (!mpi_runs()) return nullptr;
  return std::make_shared<const MpiTransport>(
      std::make_shared<const MpiHandle>(MPI_COMM_WORLD, false));
}

void end_all_ranks(int exit_code) {
  std::fflush(nullptr);
  if (mpi_runs()) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace puma::dist::detail
