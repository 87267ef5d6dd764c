// SPDX-License-Identifier: Apache-2.0
// gnuplot as a child process: no shell, script and picture through unlinked temporary files.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "dist/error.hpp"
#include "dist/log.hpp"
#include "eval/report/figure.hpp"

extern char** environ;

namespace puma::eval::detail {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

TemporaryFile temporary_file() {
  TemporaryFile file(std::tmpfile());
  if (!file) dist::fail_errno("tmpfile", "a temporary file for gnuplot");
  return file;
}

std::string no_figure(const std::string& why) {
  dist::log_world(dist::LogLevel::warning, "no figure: " + why +
                                               ". The tables are complete without it; install "
                                               "gnuplot-nox and aggregate again to get it");
  return "";
}

}  // namespace

std::string run_gnuplot(const std::string& script) {
  const TemporaryFile in = temporary_file(), out = temporary_file();
  if (std::fwrite(script.data(), 1, script.size(), in.get()) != script.size() ||
      std::fflush(in.get()) != 0) {
    dist::fail_errno("fwrite", "the script for gnuplot");
  }
  std::rewind(in.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  // --default-settings: a user's own ~/.gnuplot must not change the picture.
  std::array<std::string, 3> words{"gnuplot", "--default-settings", "-"};
  std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT) return no_figure("gnuplot is not installed");
  if (failed != 0) return no_figure(fmt::format("gnuplot did not start (error {})", failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return no_figure("gnuplot's end could not be awaited");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return no_figure(fmt::format("gnuplot failed (wait status {})", status));
  }
  std::string picture;
  std::array<char, 65536> piece{};
  std::rewind(out.get());
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), out.get())) {
    picture.append(piece.data(), n);
  }
  return picture;
}

}  // namespace puma::eval::detail
