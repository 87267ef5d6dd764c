// SPDX-License-Identifier: Apache-2.0
// Other processes, and claim files of processes that are long gone.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "dist/claim.hpp"
#include "dist/files.hpp"
#include "dist/host.hpp"

namespace puma::dist {

// A process that runs `work` and exits with its result; killed and collected at the latest when
// destroyed.
class Child {
 public:
  explicit Child(const std::function<int()>& work) : pid_(::fork()) {
    if (pid_ == 0) ::_exit(work());
  }
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (pid_ > 0) kill_it();
  }

  void kill_it() {
    ::kill(pid_, SIGKILL);
    wait();
  }
  void kill_uncollected() const {
    ::kill(pid_, SIGKILL);
    siginfo_t info = {};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  }
  // The exit code, or minus the signal that ended it.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_;
};

// Processes meet by reading a pipe until its other end closes.
class Gate {
 public:
  Gate() {
    if (::pipe(ends_) != 0) throw std::runtime_error("pipe");
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    open();
    ::close(ends_[0]);
  }
  void open() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }
  void wait() {  // in a child
    open();
    char byte = 0;
    while (::read(ends_[0], &byte, 1) > 0) {
    }
  }

 private:
  int ends_[2] = {-1, -1};
};

class ClaimTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("claims-" + std::string(test->name()) + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    file_ = folder_ / "task";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // A claim as a process of this host would have written it that is gone.
  static nlohmann::json dead_holder(const std::string& nonce = "abc123") {
    return {{"host", host_name()},  {"pid", ::getpid()}, {"process_start", "1"},
            {"boot_id", boot_id()}, {"job_id", ""},      {"nonce", nonce}};
  }
  static nlohmann::json live_holder(const std::string& nonce = "abc123") {
    auto holder = dead_holder(nonce);
    holder["process_start"] = process_start(::getpid()).value();
    return holder;
  }
  static void age(const std::filesystem::path& file, double seconds) {
    struct timespec times[2] = {};
    ::clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= static_cast<time_t>(seconds);
    times[1] = times[0];
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  std::size_t files_left() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_, file_;
};

}  // namespace puma::dist
