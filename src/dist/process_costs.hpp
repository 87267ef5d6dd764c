// SPDX-License-Identifier: Apache-2.0
// What this process has used so far, from the kernel's own counters.
#pragma once

#include <cstdint>

namespace puma::dist {

struct ProcessCosts {
  double cpu_s = 0;                 // user and system, all threads
  std::int64_t peak_rss_bytes = 0;  // the highest ever, not since some moment
  std::int64_t bytes_read = 0;      // by read calls; pages of mapped files do not count
  std::int64_t bytes_written = 0;   // by write calls
};

ProcessCosts process_costs();

}  // namespace puma::dist
