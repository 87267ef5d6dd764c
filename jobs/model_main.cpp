// SPDX-License-Identifier: Apache-2.0
// The main of `puma-model`: the jobs that need LibTorch. People type `puma train` and `puma
// encode`.
#include "jobs/command.hpp"

int main(int argc, char** argv) {
  using namespace puma::jobs;
  return run_commands(argc, argv, "puma", {train_command(), encode_command()});
}
