// SPDX-License-Identifier: Apache-2.0
// The one value passed down to everything that needs to know where it runs.
#pragma once

#include "dist/comm.hpp"
#include "dist/device.hpp"

namespace puma::dist {

struct Context {
  Comm comm;        // the ranks that work together
  Device device;    // this rank's accelerator, or the CPU
  int threads = 1;  // threads this rank may use
};

}  // namespace puma::dist
