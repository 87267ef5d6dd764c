// SPDX-License-Identifier: Apache-2.0
#include "dist/host.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <limits>
#include <sstream>

#include "dist/error.hpp"

namespace puma::dist {

std::string host_name() {
  char name[256] = "";
  if (::gethostname(name, sizeof name - 1) != 0) fail_errno("gethostname", "");
  return name;
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

std::optional<std::string> process_start(long pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // "pid (name) state ppid ...": the name may hold spaces and brackets, so count from its last
  // bracket. State is field 3, the start field 22 of proc(5).
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) {
    if (!(fields >> field)) return std::nullopt;
    const bool ended = number == 3 && (field == "Z" || field == "X" || field == "x");
    if (ended) return std::nullopt;
  }
  return field;
}

bool process_runs(long pid, const std::string& start) {
  if (pid <= 0 || pid > std::numeric_limits<pid_t>::max()) return false;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return false;
  const auto now = process_start(pid);
  if (now) return start.empty() || *now == start;
  const bool hidden = ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == EPERM;
  return hidden;
}

}  // namespace puma::dist
