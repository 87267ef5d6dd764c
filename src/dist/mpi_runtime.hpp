// SPDX-License-Identifier: Apache-2.0
// MPI as the rest of dist sees it. Implemented twice: mpi_runtime.cpp, and no_mpi_runtime.cpp for
// builds without MPI.
#pragma once

#include <memory>

#include "dist/transport.hpp"

namespace puma::dist::detail {

// Starts MPI. A build without MPI refuses when the launcher started several ranks, since each would
// take itself for the only one. Returns whether MPI runs now because of this call.
bool start_mpi(int* argc, char*** argv);
void finish_mpi();

// All ranks, or nullptr when MPI does not run.
std::shared_ptr<const Transport> mpi_world();

// Ends every rank of the program; of a lone process, the process.
[[noreturn]] void end_all_ranks(int exit_code);

}  // namespace puma::dist::detail
