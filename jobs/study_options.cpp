// SPDX-License-Identifier: Apache-2.0
#include "jobs/study_options.hpp"

#include "dist/error.hpp"

namespace puma::jobs {

void declare_study_options(CLI::App& app, StudyOptions& options, bool compute) {
  auto* study = app.add_option("--study", options.study,
                               "Study file: work on its tasks of this kind that are not done")
                    ->type_name("FILE");
  app.add_option("--task", options.tasks, "Only these tasks: ids, or unique beginnings of ids")
      ->type_name("ID")
      ->needs(study);
  app.add_option("--store", options.store,
                 "Folder of all results (default: $PUMA_STORE, else ./store)")
      ->type_name("DIR");
  app.add_option("--max-fails", options.max_fails,
                 "Start no further task after N failures (default: go on with the others)")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  if (!compute) return;
  app.add_option("--device", options.device, "Where to compute: cpu, cuda or auto")
      ->capture_default_str()
      ->check(CLI::IsMember({"cpu", "cuda", "auto"}));
  app.add_option("--threads", options.threads,
                 "Threads of a rank (default: the node's cores divided by its ranks)")
      ->check(CLI::PositiveNumber);
}

OpenStudy open_study(const StudyOptions& options) {
  if (!options.given()) dist::fail_usage("no study was given", "", "Add --study FILE.");
  study::Study study = study::read_study(options.study);
  study::Store store(study::Store::default_root(options.store));
  study::TaskGraph graph = study::expand(study, store);
  return {std::move(study), std::move(store), std::move(graph)};
}

}  // namespace puma::jobs
