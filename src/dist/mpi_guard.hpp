// SPDX-License-Identifier: Apache-2.0
// MPI_Init and MPI_Finalize, calmly.
#pragma once

namespace puma::dist {

// True when a launcher (mpirun, srun) started this process as one of several ranks, or as a lone
// MPI rank.
bool launched_by_mpi();

// Starts MPI when launched_by_mpi() (and MPI was built in), else does nothing: a lone process needs
// no MPI_Init. The destructor finalizes only when no exception unwinds: MPI_Finalize is collective
// and would wait for ever for ranks that are stuck in another call (seen with mpirun and srun -K1).
// A failing program calls Comm::abort before it gets here.
class MpiGuard {
 public:
  MpiGuard(int* argc, char*** argv);
  ~MpiGuard();
  MpiGuard(const MpiGuard&) = delete;
  MpiGuard& operator=(const MpiGuard&) = delete;

 private:
  bool started_ = false;
  int exceptions_at_start_ = 0;
};

}  // namespace puma::dist
