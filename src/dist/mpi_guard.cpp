// SPDX-License-Identifier: Apache-2.0
#include "dist/mpi_guard.hpp"

#include <cstdlib>
#include <exception>

#include "dist/log.hpp"
#include "dist/mpi_runtime.hpp"

namespace puma::dist {

// srun sets PMIX_RANK only with --mpi=pmix and PMI_RANK only with --mpi=pmi2: a plain srun starts
// lone processes.
bool launched_by_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

MpiGuard::MpiGuard(int* argc, char*** argv)
    : started_(launched_by_mpi() && detail::start_mpi(argc, argv)),
      exceptions_at_start_(std::uncaught_exceptions()) {}

MpiGuard::~MpiGuard() {
  if (!started_ || std::uncaught_exceptions() > exceptions_at_start_) return;
  try {
    detail::finish_mpi();
  } catch (const std::exception& error) {
    log_local(LogLevel::error, error.what());
  }
}

}  // namespace puma::dist
