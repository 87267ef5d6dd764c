// SPDX-License-Identifier: Apache-2.0
// puma run: everything of a study that is not done yet, on this machine, ending with the table.
#include <CLI/CLI.hpp>
#include <memory>

#include "dist/job.hpp"
#include "jobs/command.hpp"
#include "jobs/show_results.hpp"
#include "jobs/study_options.hpp"
#include "study/stage_runner.hpp"

namespace puma::jobs {

namespace {

struct RunCommand {
  StudyOptions study;
  study::RunOptions run;
};

dist::ExitCode run_study(const RunCommand& command) {
  const OpenStudy open = open_study(command.study);
  study::RunOptions options = command.run;
  options.program = std::filesystem::read_symlink("/proc/self/exe");
  options.max_fails = command.study.max_fails;
  const dist::ExitCode code =
      study::run_stages(command.study.study, open.graph, open.store, options);
  if (code == dist::ExitCode::done) show_results(open.graph, open.store);
  return code;
}

Action declare(CLI::App& app) {
  auto c = std::make_shared<RunCommand>();
  app.add_option("--study", c->study.study, "Study file")->type_name("FILE")->required();
  app.add_option("--store", c->study.store,
                 "Folder of all results (default: $PUMA_STORE, else ./store)")
      ->type_name("DIR");
  app.add_option("--ranks", c->run.ranks,
                 "Ranks of every stage; more than one are started by mpirun")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  app.add_option("--device", c->run.device, "Where to train and encode: cpu, cuda or auto")
      ->capture_default_str()
      ->check(CLI::IsMember({"cpu", "cuda", "auto"}));
  app.add_option("--max-fails", c->study.max_fails,
                 "Start no further task of a stage after N failures")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--quiet", c->run.quiet, "No progress lines");
  app.footer(
      "Safe to repeat: what is done is skipped, failed tasks are tried again, a stopped training "
      "goes on.");
  return [c] { return dist::run_tool([&] { return run_study(*c); }); };
}

}  // namespace

Command run_command() {
  return {"run", "Run what is not done of a study, on this machine, and print its table", declare};
}

}  // namespace puma::jobs
