// SPDX-License-Identifier: Apache-2.0
#include "dist/signals.hpp"

#include <signal.h>

#include <atomic>
#include <cerrno>

#include "dist/error.hpp"

namespace puma::dist {

namespace {

// Process-wide by nature: signals have no other place.
std::atomic<int> first_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler must not take a lock");

void remember(int signal) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
}

}  // namespace

void install_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // libraries need not expect interrupted system calls
  for (const int signal : {SIGTERM, SIGUSR1, SIGUSR2, SIGINT}) {
    if (::sigaction(signal, &action, nullptr) != 0) fail_errno("sigaction", "stop signals");
  }
}

int stop_signal() {
  return first_signal.load();
}

void clear_stop_signal() {
  first_signal.store(0);
}

}  // namespace puma::dist
