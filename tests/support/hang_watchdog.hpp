// SPDX-License-Identifier: Apache-2.0
// A rank that waits for ever for another says nothing: this thread names the test that hangs and
// ends the process, hence the run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace puma::test {

class HangWatchdog {
 public:
  explicit HangWatchdog(int rank, std::chrono::seconds patience = std::chrono::seconds(120))
      : rank_(rank), patience_(patience), thread_([this] { guard(); }) {}

  HangWatchdog(const HangWatchdog&) = delete;
  HangWatchdog& operator=(const HangWatchdog&) = delete;

  ~HangWatchdog() {
    change([this] { ended_ = true; });
    thread_.join();
  }

  void watch(std::string test) {
    change([&] {
      test_ = std::move(test);
      deadline_ = Clock::now() + patience_;
    });
  }
  void rest() {
    change([this] { deadline_.reset(); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  template <class F>
  void change(F&& what) {
    const std::lock_guard lock(mutex_);
    what();
    wake_.notify_one();
  }

  void guard() {
    std::unique_lock lock(mutex_);
    while (!ended_) {
      if (!deadline_) {
        wake_.wait(lock);
        continue;
      }
      const auto until = *deadline_;
      wake_.wait_until(lock, until);
      if (!ended_ && deadline_ && Clock::now() >= *deadline_) give_up();
    }
  }

  [[noreturn]] void give_up() const {
    std::fprintf(stderr, "[rank %d] %s did not finish within %ld s: ending the run\n", rank_,
                 test_.c_str(), static_cast<long>(patience_.count()));
    std::fflush(nullptr);
    std::_Exit(124);
  }

  const int rank_;
  const std::chrono::seconds patience_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::optional<Clock::time_point> deadline_;
  std::string test_;
  std::thread thread_;
};

}  // namespace puma::test
