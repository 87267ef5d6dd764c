// SPDX-License-Identifier: Apache-2.0
// A study on this machine, stage after stage: each is one program on all tasks of its kind.
#pragma once

#include <filesystem>
#include <string>

#include "dist/error.hpp"
#include "study/progress.hpp"

namespace puma::study {

struct RunOptions {
  std::filesystem::path program;  // puma itself
  int ranks = 1;
  std::string device = "auto";
  std::int64_t max_fails = -1;
  bool quiet = false;  // no progress line
};

// Runs what is not done. A failing task stops its descendants only. Returns done, task_failed
// (failures were told on stderr), incomplete, or interrupted / terminated after a stop signal.
dist::ExitCode run_stages(const std::filesystem::path& study_file, const TaskGraph& graph,
                          const Store& store, const RunOptions& options);

// "12 done, 2 running, 10 left, about 3 min": a stage in words.
std::string stage_words(const StageStatus& stage, double seconds_left);

}  // namespace puma::study
