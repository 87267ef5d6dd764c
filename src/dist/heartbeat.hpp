// SPDX-License-Identifier: Apache-2.0
// Touches an open file again and again, from a thread of its own, so that it also beats while the
// work computes.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace puma::dist::detail {

class Heartbeat {
 public:
  // Borrows `fd`. The open file, not its name, is touched: after a takeover the name belongs to
  // somebody else.
  Heartbeat(int fd, double every_s);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void beat(int fd, double every_s);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace puma::dist::detail
