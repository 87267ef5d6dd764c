// SPDX-License-Identifier: Apache-2.0
// How HDF5 is told to write: the property lists behind the promise that equal content is equal
// bytes, for any ranks. Private to src/dist.
#pragma once

#include <string>

#include "dist/comm.hpp"
#include "dist/hdf5_handles.hpp"

namespace puma::dist::detail {

// No times; links and attributes inside the object header.
H5Handle h5_root_properties();

// Contiguous, allocated when created, never filled: every byte is written once, by the rank that
// owns it.
H5Handle h5_dataset_properties();

// Through MPI where the communicator has it, else plain system calls.
H5Handle h5_write_access(const Comm& comm);

// Asks for collective transfers.
H5Handle h5_transfer_properties(const Comm& comm);

// Empty when the last transfer with these properties was collective; else why it was not. HDF5
// falls back to independent writes in silence.
std::string why_not_collective(const Comm& comm, const H5Handle& transfer);

}  // namespace puma::dist::detail
