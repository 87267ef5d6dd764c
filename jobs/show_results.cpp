// SPDX-License-Identifier: Apache-2.0
#include "jobs/show_results.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "dist/files.hpp"
#include "jobs/table_files.hpp"

namespace puma::jobs {

void show_tables(const std::filesystem::path& folder, const std::filesystem::path& target) {
  std::filesystem::path shown = folder;
  if (!target.empty() && target != folder) {
    for (const std::string& name : table_file_names()) {
      dist::write_file(target / name, dist::read_file(folder / name));
    }
    shown = target;
  }
  fmt::print("{}\nThe page: {}\n", dist::read_file(folder / "table.md"),
             (std::filesystem::absolute(shown) / "index.html").lexically_normal().string());
  std::fflush(stdout);
}

int show_results(const study::TaskGraph& graph, const study::Store& store,
                 const std::filesystem::path& results) {
  int shown = 0;
  for (const study::Task* task : graph.of_kind(study::TaskKind::aggregate)) {
    if (!store.is_done(*task)) continue;
    show_tables(store.folder(*task), results / task->params.at("study").get<std::string>());
    ++shown;
  }
  return shown;
}

}  // namespace puma::jobs
