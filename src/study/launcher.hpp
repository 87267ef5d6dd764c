// SPDX-License-Identifier: Apache-2.0
// Programs started for a study on this machine: alone, or on several ranks through mpirun.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace puma::study {

// The command line that runs `command` on `ranks` ranks. More than one without mpirun, or in a
// build without MPI, is a usage error.
std::vector<std::string> launch_line(const std::vector<std::string>& command, int ranks);

// A running child in a process group of its own; stdout and stderr are appended to a log. When this
// process dies, the kernel asks it to stop by SIGUSR1: on SIGTERM, mpirun leaves its ranks running.
class Child {
 public:
  Child(const std::vector<std::string>& command, const std::filesystem::path& log);
  ~Child();  // kills the group of a child that still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool running();                          // collects the child when it has ended
  int exit_code() const { return code_; }  // 128 + N when signal N ended it
  void ask_to_stop();  // SIGUSR1: mpirun passes it on, while on SIGTERM it kills its ranks after a
                       // second
  void kill();         // the whole group

 private:
  pid_t pid_ = -1;
  int code_ = 0;
};

}  // namespace puma::study
