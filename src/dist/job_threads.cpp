// SPDX-License-Identifier: Apache-2.0
#include "dist/job_threads.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

#include "dist/host.hpp"

namespace puma::dist {

CoreMask allowed_cores() {
  CoreMask mask;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    for (std::size_t core = 0; core < CoreMask::max_cores; ++core) {
      if (CPU_ISSET(core, &set)) mask.allowed.set(core);
    }
    return mask;
  }
  // The kernel has more cores than the set can name: count them without their numbers.
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t core = 0; core < std::min(cores, CoreMask::max_cores); ++core) {
    mask.allowed.set(core);
  }
  return mask;
}

int share_of_cores(std::span<const std::string> hosts, std::span<const CoreMask> masks, int rank) {
  const auto me = static_cast<std::size_t>(rank);
  double share = 0;
  for (std::size_t core = 0; core < CoreMask::max_cores; ++core) {
    if (!masks[me].allowed[core]) continue;
    int users = 0;
    for (std::size_t r = 0; r < masks.size(); ++r) {
      if (hosts[r] == hosts[me] && masks[r].allowed[core]) ++users;
    }
    share += 1.0 / users;
  }
  constexpr double rounding = 1e-9;  // three thirds may sum to a little less than 1
  return std::max(1, static_cast<int>(share + rounding));
}

int default_threads(const Comm& comm) {
  const CoreMask mine = allowed_cores();
  const auto hosts = comm.all_gather_strings(host_name());
  const auto masks = comm.all_gather(std::span(&mine, 1));
  return share_of_cores(hosts, masks, comm.rank());
}

}  // namespace puma::dist
