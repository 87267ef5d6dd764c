// SPDX-License-Identifier: Apache-2.0
// The options that every job shares: which study, which store, which tasks.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "study/store.hpp"
#include "study/study.hpp"

namespace puma::jobs {

struct StudyOptions {
  std::string study, store;
  std::vector<std::string> tasks;
  std::string device = "auto";
  int threads = 0;
  std::int64_t max_fails = -1;
  bool given() const { return !study.empty(); }
};

// Declares --study, --task, --store, --max-fails and, where `compute`, --device and --threads.
void declare_study_options(CLI::App& app, StudyOptions& options, bool compute);

// The study read and expanded: what a job on tasks needs.
struct OpenStudy {
  study::Study study;
  study::Store store;
  study::TaskGraph graph;
};
OpenStudy open_study(const StudyOptions& options);

}  // namespace puma::jobs
