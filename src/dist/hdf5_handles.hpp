// SPDX-License-Identifier: Apache-2.0
// What the HDF5 writer and reader share: handles closed once, error stacks as text, element types.
// Private to src/dist.
#pragma once

#include <hdf5.h>

#include <optional>
#include <string>

#include "dist/hdf5.hpp"

namespace puma::dist::detail {

// One HDF5 object. Move-only; the destructor closes and cannot report: call close() where success
// matters.
class H5Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  H5Handle() = default;
  H5Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  H5Handle(H5Handle&& other) noexcept;
  H5Handle& operator=(H5Handle&& other) noexcept;
  ~H5Handle();

  hid_t id() const { return id_; }
  bool valid() const { return id_ >= 0; }
  bool close();
  void release() { id_ = H5I_INVALID_HID; }  // left open: closing would wait for absent ranks

 private:
  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

// Before any other HDF5 call: no error stacks on stderr, and no clean-up at exit (it would be
// collective and come after MPI_Finalize; we close what we open).
void start_hdf5();

// The library's own words for the last failure, innermost first.
std::string h5_error_text();

// The type of an element in memory and in the file: the same, since a conversion would silently
// turn collective I/O off.
H5Handle h5_type(const H5Shape& shape);

// The inverse, as shape without dims; nothing for a type that we never write.
std::optional<H5Shape> shape_of_type(hid_t type);

// A data space of these dims.
H5Handle h5_space(const std::vector<std::int64_t>& dims);

// Access properties common to writing and reading: checksummed metadata, no locks (NFS and Lustre
// may lack them; nobody writes a file that somebody reads).
H5Handle h5_access();

}  // namespace puma::dist::detail
