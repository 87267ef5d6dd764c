// SPDX-License-Identifier: Apache-2.0
// puma inspect: what any file is.
#include "data/inspect.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

#include "dist/job.hpp"
#include "jobs/command.hpp"

namespace puma::jobs {
namespace {

struct Options {
  std::vector<std::string> files;
  bool json = false;
};

using Lines = std::vector<std::pair<std::string, std::string>>;

// Nested objects as dotted names.
void flatten(const nlohmann::json& facts, const std::string& prefix, Lines& lines) {
  constexpr auto replace = nlohmann::json::error_handler_t::replace;
  for (const auto& [key, value] : facts.items()) {
    if (value.is_object()) {
      flatten(value, prefix + key + ".", lines);
    } else {
      lines.emplace_back(prefix + key, value.is_string() ? value.get<std::string>()
                                                         : value.dump(-1, ' ', false, replace));
    }
  }
}

void print_for_people(const std::string& file, nlohmann::json facts) {
  Lines lines{{"file", file}, {"kind", facts["kind"].get<std::string>()}};
  facts.erase("kind");
  flatten(facts, "", lines);
  std::size_t width = 0;
  for (const auto& [key, value] : lines) width = std::max(width, key.size());
  for (const auto& [key, value] : lines) {
    std::cout << fmt::format("{:<{}}  {}\n", key + ":", width + 1, value);
  }
}

dist::ExitCode inspect(const Options& options) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    nlohmann::json facts = data::inspect_file(options.files[i]);
    if (options.json) {
      facts["file"] = options.files[i];
      all.push_back(std::move(facts));
      continue;
    }
    if (i > 0) std::cout << '\n';
    print_for_people(options.files[i], std::move(facts));
  }
  if (options.json) {
    std::cout << all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
  std::cout.flush();
  return dist::ExitCode::done;
}

}  // namespace

Command inspect_command() {
  return {"inspect", "Say what a file is: kind, shape, origin, storage, and whether it is whole",
          [](CLI::App& app) -> Action {
            auto options = std::make_shared<Options>();
            app.add_option("FILE", options->files,
                           "Dense caches, code caches, runs, checkpoints, .npy or raw float32 "
                           "vectors, id lists,\n"
                           "qrels, negatives, TREC runs, measures, manifests, tables, progress and "
                           "study files.\n"
                           "Everything is read and its checksums are verified.")
                ->required();
            app.add_flag("--json", options->json, "Print a JSON list with one object a file");
            app.footer(
                "Of a code cache: reach is the share of rows with all k_max entries; storage "
                "compares layouts\n"
                "in bytes a row (the file's own, ids of 32 and 16 bits, compact ids, a presence "
                "bitmap).\n"
                "Example: puma inspect store/encode/*/candidates.h5 --json");
            return [options] { return dist::run_tool([&] { return inspect(*options); }); };
          }};
}

}  // namespace puma::jobs
