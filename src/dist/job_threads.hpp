// SPDX-License-Identifier: Apache-2.0
// How many threads a rank may use when nobody says.
#pragma once

#include <bitset>
#include <span>
#include <string>

#include "dist/comm.hpp"

namespace puma::dist {

struct CoreMask {
  static constexpr std::size_t max_cores = 1024;
  std::bitset<max_cores>
      allowed;  // cores that the launcher and the batch system leave to a process
};

CoreMask allowed_cores();

// The share of rank `rank`: each of its cores counts 1 / (ranks on the same host that may use it);
// rounded down, at least 1. So ranks bound to disjoint cores use all of theirs, and ranks that
// share all cores divide them.
int share_of_cores(std::span<const std::string> hosts, std::span<const CoreMask> masks, int rank);

// share_of_cores of this rank. Collective.
int default_threads(const Comm& comm);

}  // namespace puma::dist
