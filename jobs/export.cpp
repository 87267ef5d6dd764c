// SPDX-License-Identifier: Apache-2.0
// puma export: runs from and to TREC text.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "data/run_file.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/job.hpp"
#include "jobs/command.hpp"

namespace puma::jobs {
namespace {

struct Options {
  std::string run, trec, format, out = "-";
};

void check(const Options& options) {
  if (options.run.empty() == options.trec.empty()) {
    dist::fail_usage(options.run.empty() ? "nothing to export" : "two things to export",
                     "give one of --run and --trec", "`puma export --help` shows both ways.");
  }
  const std::string fits = options.run.empty() ? "run" : "trec";
  if (!options.format.empty() && options.format != fits) {
    dist::fail_usage("--format " + options.format + " does not go with the input",
                     "--run becomes trec, --trec becomes run", "Leave --format out.");
  }
  if (fits == "run" && options.out == "-") {
    dist::fail_usage("a run file cannot go to the standard output", "it is HDF5",
                     "Name it with --out run.h5.");
  }
}

dist::ExitCode export_run(const Options& options) {
  check(options);
  if (!options.trec.empty()) {
    data::write_run(options.out, data::read_trec_run(options.trec));
    return dist::ExitCode::done;
  }
  const std::string text = data::trec_text(data::read_run(options.run));
  if (options.out == "-") {
    std::cout << text << std::flush;
    if (!std::cout) dist::fail_call("write", "the standard output", "it was closed");
  } else {
    dist::write_file(options.out, text);
  }
  return dist::ExitCode::done;
}

}  // namespace

Command export_command() {
  return {"export", "Turn a run file into TREC text, or foreign TREC text into a run file",
          [](CLI::App& app) -> Action {
            auto options = std::make_shared<Options>();
            app.add_option("--run", options->run,
                           "A run file of puma score, to be written as TREC text");
            app.add_option(
                "--trec", options->trec,
                "TREC text of any program (6 columns, or UniIR's 7), to become a run file");
            app.add_option("--format", options->format,
                           "trec (of --run) or run (of --trec); follows from the input")
                ->check(CLI::IsMember({"trec", "run"}));
            app.add_option("--out", options->out,
                           "File to write, whole or not at all; - is the standard output")
                ->capture_default_str();
            app.footer(
                "TREC text has the columns qid Q0 did rank score tag. Scores are float32 in the "
                "shortest form that\n"
                "reads back the same. Ties stand by document id bytes descending, as trec_eval "
                "breaks them; the rank\n"
                "column of foreign text is ignored for that reason.\n"
                "Examples: puma export --run run.h5 --out run.trec\n"
                "          puma export --trec other.trec --out other.h5");
            return [options] { return dist::run_tool([&] { return export_run(*options); }); };
          }};
}

}  // namespace puma::jobs
