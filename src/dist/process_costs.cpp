// SPDX-License-Identifier: Apache-2.0
#include "dist/process_costs.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace puma::dist {

namespace {

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

}  // namespace

ProcessCosts process_costs() {
  ProcessCosts costs;
  struct rusage usage = {};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    costs.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    costs.peak_rss_bytes = std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in KiB
  }
  // Absent in some containers; then the counts stay 0.
  std::ifstream io("/proc/self/io");
  std::string name;
  for (std::int64_t value = 0; io >> name >> value;) {
    if (name == "rchar:") costs.bytes_read = value;
    if (name == "wchar:") costs.bytes_written = value;
  }
  return costs;
}

}  // namespace puma::dist
