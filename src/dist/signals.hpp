// SPDX-License-Identifier: Apache-2.0
// Stop requests as a flag: SIGTERM, SIGUSR1, SIGUSR2 and SIGINT are remembered; work polls
// stop_requested() at least every 10 s.
#pragma once

namespace puma::dist {

// Install after MPI_Init (and NCCL), which set handlers of their own. Safe to call again.
void install_stop_signals();

// The first such signal since the start, or 0.
int stop_signal();
inline bool stop_requested() {
  return stop_signal() != 0;
}

// For tests.
void clear_stop_signal();

}  // namespace puma::dist
