// SPDX-License-Identifier: Apache-2.0
// The options of `puma train`, and what they mean to the trainer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dist/context.hpp"
#include "dist/error.hpp"
#include "dist/manifest.hpp"
#include "jobs/study_options.hpp"
#include "model/trainer.hpp"
#include "model/training_data.hpp"

namespace puma::jobs {

struct TrainCommandOptions {
  StudyOptions study;
  model::TrainingFiles files;
  std::string recipe = "paper";      // a preset's name, or a file
  std::vector<std::string> changes;  // "key=value", laid over the recipe
  std::int64_t k = 0;
  std::uint64_t seed = 0;
  std::string out;
  bool print_recipe = false;
};

void declare_training_options(CLI::App& app, TrainCommandOptions& options);
// Either --study, or the explicit files with --k and --out: anything else is a usage error.
void check_training_options(const TrainCommandOptions& options);
// Prints the resolved recipe as YAML: needs no data, no GPU and no MPI.
int print_recipe(const TrainCommandOptions& options);

// Explicit files: --threads and the device in use become the recipe's, since they are part of the
// result.
model::TrainingOptions training_options(const TrainCommandOptions& options,
                                        const dist::Context& context);

// A study's task.
model::TrainingFiles training_files(const OpenStudy& open, const study::Task& task);
model::TrainingOptions training_options(const OpenStudy& open, const study::Task& task,
                                        const dist::Context& context);

// Runs `work` and publishes its manifest to `file`, also when it throws (which it passes on).
dist::ExitCode with_manifest(const std::filesystem::path& file, const std::string& what,
                             const std::function<void(dist::Manifest&)>& work);

}  // namespace puma::jobs
