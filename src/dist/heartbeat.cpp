// SPDX-License-Identifier: Apache-2.0
#include "dist/heartbeat.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <system_error>

#include "dist/log.hpp"

namespace puma::dist::detail {

Heartbeat::Heartbeat(int fd, double every_s)
    : thread_([this, fd, every_s] { beat(fd, every_s); }) {}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Heartbeat::beat(int fd, double every_s) {
  // Stop signals shall wake the working thread from its sleep, not this one.
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::unique_lock lock(mutex_);
  const std::chrono::duration<double> pause(every_s);
  while (!wake_.wait_for(lock, pause, [&] { return stop_; })) {
    if (::futimens(fd, nullptr) == 0) continue;
    log_local(LogLevel::warning,
              fmt::format("the heartbeat of a claim failed ({}): other hosts may take it over",
                          std::generic_category().message(errno)));
  }
}

}  // namespace puma::dist::detail
