// SPDX-License-Identifier: Apache-2.0
#include "study/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "dist/error.hpp"

namespace puma::study {

namespace {

#ifdef PUMA_WITH_MPI
std::string in_path(const std::string& program) {
  const char* path = ::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = folder + "/" + program;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}
#endif

// After fork: only async-signal-safe calls.
[[noreturn]] void become(char* const* argv, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGUSR1);       // see ask_to_stop()
  if (::getppid() != parent) ::_exit(143);  // died between fork and prctl
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::execv(argv[0], argv);
  ::_exit(127);
}

}  // namespace

std::vector<std::string> launch_line(const std::vector<std::string>& command, int ranks) {
  if (ranks == 1) return command;
#ifdef PUMA_WITH_MPI
  const std::string mpirun = in_path("mpirun");
  if (mpirun.empty()) {
    dist::fail_usage(fmt::format("--ranks {} needs mpirun", ranks), "it is not in PATH",
                     "Install Open MPI (scripts/setup), load its module, or use --ranks 1.");
  }
  if (::geteuid() == 0) {  // containers run as root; Open MPI wants to be asked twice
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
  // Once a rank has ended with an error, mpirun sends SIGTERM to the others and sits out this time
  // twice, also when nobody is left: every stage with a failed task pays it. Ranks that fail or
  // stop leave together, so it only serves those whose neighbour crashed, and a training has saved
  // its state within the last minute anyhow. (Telling mpirun not to mind exit codes instead,
  // orte_abort_on_non_zero_status 0, leaves the others waiting for ever for a rank that was
  // killed.)
  std::vector<std::string> line{mpirun,
                                "-n",
                                std::to_string(ranks),
                                "--oversubscribe",
                                "--bind-to",
                                "none",
                                "--mca",
                                "odls_base_sigkill_timeout",
                                "3",
                                "--mca",
                                "mpi_yield_when_idle",
                                "1"};
  line.insert(line.end(), command.begin(), command.end());
  return line;
#else
  dist::fail_usage(fmt::format("--ranks {} needs MPI", ranks), "this puma was built without it",
                   "Build with -DPUMA_USE_MPI=ON, or use --ranks 1.");
#endif
}

Child::Child(const std::vector<std::string>& command, const std::filesystem::path& log) {
  std::filesystem::create_directories(log.parent_path());
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) dist::fail_errno("open", log.string());
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become(argv.data(), file, parent);
  ::close(file);
  if (pid_ < 0) dist::fail_errno("fork", command.front());
  ::setpgid(pid_, pid_);  // both sides set it, so that it holds whoever comes first
}

Child::~Child() {
  if (pid_ < 0) return;
  kill();
  ::waitpid(pid_, nullptr, 0);
}

bool Child::running() {
  if (pid_ < 0) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == 0) return true;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  pid_ = -1;
  return false;
}

void Child::ask_to_stop() {
  if (pid_ > 0) ::kill(pid_, SIGUSR1);
}

void Child::kill() {
  if (pid_ > 0) ::kill(-pid_, SIGKILL);
}

}  // namespace puma::study
