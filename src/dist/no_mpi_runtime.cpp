// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <string>

#include "dist/error.hpp"
#include "dist/mpi_runtime.hpp"

namespace puma::dist::detail {

bool start_mpi(int*, char***) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* ranks = std::getenv(name);
    if (ranks != nullptr && std::atoi(ranks) > 1) {
      fail_usage(
          "this program was built without MPI",
          std::string("the launcher started ") + ranks + " ranks of it: " + name + "=" + ranks,
          "Start one process, or build with -DPUMA_USE_MPI=ON.");
    }
  }
  return false;
}

void finish_mpi() {}

std::shared_ptr<const Transport> mpi_world() {
  return nullptr;
}

void end_all_ranks(int exit_code) {
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

}  // namespace puma::dist::detail
