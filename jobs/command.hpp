// SPDX-License-Identifier: Apache-2.0
// What a subcommand is to the two mains: a name, a sentence, options, and an action that returns
// the exit code.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace puma::jobs {

using Action = std::function<int()>;

// Each declares its options on its (new) subcommand of `app` and returns what to do when it was
// chosen.
struct Command {
  std::string name;
  std::string summary;
  std::function<Action(CLI::App&)> declare;
};

Command import_command();
Command train_command();   // in puma-model
Command encode_command();  // in puma-model
Command score_command();
Command evaluate_command();
Command aggregate_command();
Command plan_command();
Command run_command();
Command status_command();
Command inspect_command();
Command export_command();

// Parses argv and runs the chosen command: the whole of both mains.
int run_commands(int argc, char** argv, const std::string& program,
                 const std::vector<Command>& commands);

}  // namespace puma::jobs
