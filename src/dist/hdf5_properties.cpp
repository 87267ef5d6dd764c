// SPDX-License-Identifier: Apache-2.0
#include "dist/hdf5_properties.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "dist/error.hpp"
#ifdef PUMA_WITH_MPI
#include <mpi.h>
#endif

namespace puma::dist::detail {

H5Handle h5_root_properties() {
  H5Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  if (H5Pset_obj_track_times(properties.id(), false) < 0 ||
      H5Pset_link_phase_change(properties.id(), 1024, 0) < 0 ||
      H5Pset_attr_phase_change(properties.id(), 1024, 0) < 0) {
    fail_call("H5Pset_obj_track_times", "file creation", h5_error_text());
  }
  return properties;
}

H5Handle h5_dataset_properties() {
  H5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (H5Pset_obj_track_times(properties.id(), false) < 0 ||
      H5Pset_layout(properties.id(), H5D_CONTIGUOUS) < 0 ||
      H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY) < 0 ||
      H5Pset_fill_time(properties.id(), H5D_FILL_TIME_NEVER) < 0) {
    fail_call("H5Pset_layout", "data set creation", h5_error_text());
  }
  return properties;
}

H5Handle h5_write_access(const Comm& comm) {
  H5Handle access = h5_access();
  // Every object on a cache line, so that a mapped data set can be seen as any type of ours.
  herr_t ok = H5Pset_alignment(access.id(), 1, 64);
#ifdef PUMA_WITH_MPI
  if (ok >= 0 && comm.uses_mpi()) {
    ok = H5Pset_fapl_mpio(access.id(), *static_cast<const MPI_Comm*>(comm.native()), MPI_INFO_NULL);
  }
#endif
  static_cast<void>(comm);
  if (ok < 0) fail_call("H5Pset_fapl_mpio", "file access", h5_error_text());
  return access;
}

H5Handle h5_transfer_properties(const Comm& comm) {
  H5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
#ifdef PUMA_WITH_MPI
  if (comm.uses_mpi() && H5Pset_dxpl_mpio(transfer.id(), H5FD_MPIO_COLLECTIVE) < 0) {
    fail_call("H5Pset_dxpl_mpio", "collective transfer", h5_error_text());
  }
#endif
  static_cast<void>(comm);
  return transfer;
}

std::string why_not_collective(const Comm& comm, const H5Handle& transfer) {
#ifdef PUMA_WITH_MPI
  if (!comm.uses_mpi() || comm.size() == 1) return "";
  H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
  if (H5Pget_mpio_actual_io_mode(transfer.id(), &mode) < 0) return h5_error_text();
  if (mode == H5D_MPIO_CONTIGUOUS_COLLECTIVE) return "";
  std::uint32_t local = 0, global = 0;
  H5Pget_mpio_no_collective_cause(transfer.id(), &local, &global);
  return fmt::format(
      "asked for collective I/O but HDF5 used mode {} (causes {:#x} here, {:#x} anywhere)",
      static_cast<int>(mode), local, global);
#else
  static_cast<void>(comm);
  static_cast<void>(transfer);
  return "";
#endif
}

}  // namespace puma::dist::detail
