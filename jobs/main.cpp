// SPDX-License-Identifier: Apache-2.0
// The main of `puma`. Its train and encode live in `puma-model`, which links LibTorch: loading that
// costs a second at every start.
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "dist/error.hpp"
#include "dist/job.hpp"
#include "jobs/command.hpp"

namespace {

using puma::jobs::Command;

// Becomes puma-model with the same arguments; returns only when that fails.
[[noreturn]] void exec_model(char** argv) {
  const auto model = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "puma-model";
  if (!std::filesystem::exists(model)) {
    puma::dist::fail_usage(fmt::format("'puma {}' needs the program puma-model", argv[1]),
                           fmt::format("it is not beside this one: {}", model.string()),
                           "Build with -DPUMA_BUILD_MODEL=ON (the default; it needs LibTorch, "
                           "which scripts/setup installs).");
  }
  ::execv(model.c_str(), argv);
  puma::dist::fail_errno("execv", model.string());
}

// For the list in --help: main has left for puma-model before these could run.
Command in_model(const std::string& name, const std::string& summary) {
  return {name, summary, [](CLI::App&) -> puma::jobs::Action { return [] { return 70; }; }};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace puma::jobs;
  if (argc > 1 && (std::strcmp(argv[1], "train") == 0 || std::strcmp(argv[1], "encode") == 0)) {
    return puma::dist::run_tool([&]() -> puma::dist::ExitCode { exec_model(argv); });
  }
  return run_commands(
      argc, argv, "puma",
      {run_command(), plan_command(), status_command(), import_command(),
       in_model("train", "Train sparse autoencoders"),
       in_model("encode", "Turn dense caches into sparse codes"), score_command(),
       evaluate_command(), aggregate_command(), export_command(), inspect_command()});
}
