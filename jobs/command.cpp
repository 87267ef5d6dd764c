// SPDX-License-Identifier: Apache-2.0
#include "jobs/command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>

#include "dist/error.hpp"

namespace puma::jobs {

int run_commands(int argc, char** argv, const std::string& program,
                 const std::vector<Command>& commands) {
  CLI::App app{
      "puma: sparse multimodal retrieval studies as batch jobs (the PUMA paper, arXiv 2608.25780)",
      program};
  app.set_version_flag("--version", std::string("puma ") + PUMA_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 a task failed; 2 usage or malformed input; 3 submission rejected; 4 "
      "incomplete;\n"
      "5 verification mismatch; 70 a defect of puma; 130 and 143 stopped by a signal.\n"
      "`puma COMMAND --help` explains a command.");
  std::map<CLI::App*, Action> actions;
  for (const Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    actions[sub] = command.declare(*sub);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : static_cast<int>(dist::ExitCode::bad_input);
  }
  for (auto& [sub, action] : actions) {
    if (sub->parsed()) return action();
  }
  return static_cast<int>(dist::ExitCode::bad_input);
}

}  // namespace puma::jobs
