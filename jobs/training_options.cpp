// SPDX-License-Identifier: Apache-2.0
#include "jobs/training_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "config/recipe.hpp"
#include "dist/device.hpp"
#include "dist/files.hpp"
#include "dist/job.hpp"
#include "dist/log.hpp"

namespace puma::jobs {

namespace {

// "key=value" as a YAML map of one entry, so that values are read as in a file.
config::Yaml change_as_yaml(const std::string& change) {
  const std::size_t sign = change.find('=');
  if (sign == std::string::npos || sign == 0) {
    dist::fail_usage(fmt::format("--set {} is no assignment", change), "expected key=value",
                     "For instance --set stage2_steps=2000.");
  }
  return config::Yaml::parse(change.substr(0, sign) + ": " + change.substr(sign + 1), "--set");
}

config::Recipe resolve_recipe(const TrainCommandOptions& options) {
  const std::vector<std::string> presets = config::recipe_presets();
  const bool preset = std::find(presets.begin(), presets.end(), options.recipe) != presets.end();
  if (!preset && !std::filesystem::exists(options.recipe)) {
    dist::fail_usage(fmt::format("--recipe {} is neither a preset nor a file", options.recipe),
                     fmt::format("presets: {}", fmt::join(presets, ", ")));
  }
  std::vector<config::Yaml> changes;
  for (const std::string& change : options.changes) changes.push_back(change_as_yaml(change));
  return config::read_recipe(
      preset ? config::Yaml::parse(options.recipe, "--recipe") : config::Yaml::load(options.recipe),
      changes);
}

std::filesystem::path parent_file(const OpenStudy& open, const study::Task& task,
                                  const std::string& role, const std::string& name) {
  return open.store.output(open.graph, task, role, name);
}

}  // namespace

void declare_training_options(CLI::App& app, TrainCommandOptions& options) {
  declare_study_options(app, options.study, true);
  model::TrainingFiles& files = options.files;
  const auto group = app.add_option_group("Explicit files");
  group->add_option("--queries", files.queries, "Dense cache of the training queries");
  group->add_option("--candidates", files.candidates, "Dense cache of the pool");
  group->add_option("--qrels", files.qrels, "Judgements of the training queries");
  group->add_option("--negatives", files.negatives,
                    "Hard negatives: lines of query id, candidate id");
  group->add_option("--validation-queries", files.validation_queries,
                    "Dense cache of the queries that select the checkpoint (else held out)");
  group->add_option("--validation-qrels", files.validation_qrels, "Their judgements");
  group->add_option("--recipe", options.recipe, "A preset (paper, released) or a YAML file")
      ->capture_default_str();
  group->add_option("--set", options.changes, "key=value, laid over the recipe; may be repeated");
  group->add_option("--k", options.k, "Atoms of a code: the support at the end of training");
  group->add_option("--seed", options.seed, "Seed of weights, order, positives and negatives")
      ->capture_default_str();
  group->add_option("--out", options.out, "Folder of checkpoint.safetensors and what resumes it");
  group->add_flag("--print-recipe", options.print_recipe,
                  "Print the resolved recipe as YAML and do nothing else");
  app.footer(
      "A training that was stopped or killed goes on from --out when the command is given "
      "again.\n\n"
      "Fields of a recipe (paper | released where they differ):\n" +
      config::recipe_help());
}

void check_training_options(const TrainCommandOptions& options) {
  if (options.study.given()) {
    if (!options.out.empty() || !options.files.queries.empty()) {
      dist::fail_usage("--study and explicit files exclude each other");
    }
    return;
  }
  const model::TrainingFiles& files = options.files;
  for (const auto& [name, missing] : {std::pair{"--queries", files.queries.empty()},
                                      {"--candidates", files.candidates.empty()},
                                      {"--qrels", files.qrels.empty()},
                                      {"--out", options.out.empty()},
                                      {"--k", options.k == 0}}) {
    if (missing) {
      dist::fail_usage(
          fmt::format("{} is missing", name),
          "training needs --queries, --candidates, --qrels, --k and --out, or --study");
    }
  }
  if (files.validation_queries.empty() != files.validation_qrels.empty()) {
    dist::fail_usage("--validation-queries and --validation-qrels belong together");
  }
}

int print_recipe(const TrainCommandOptions& options) {
  return dist::run_tool([&] {
    std::cout << config::recipe_yaml(resolve_recipe(options));
    return dist::ExitCode::done;
  });
}

model::TrainingOptions training_options(const TrainCommandOptions& options,
                                        const dist::Context& context) {
  if (context.comm.size() > 1) {
    dist::fail_usage("one training cannot be split over ranks",
                     fmt::format("expected 1 rank, found {}", context.comm.size()),
                     "Give a study (--study): its trainings are dealt to the ranks.");
  }
  model::TrainingOptions result;
  result.recipe = resolve_recipe(options);
  if (options.study.threads > 0) result.recipe.threads = options.study.threads;
  if (!options.files.validation_queries.empty()) {
    result.recipe.validation = config::Validation::split;
  } else if (result.recipe.validation == config::Validation::split) {
    dist::fail_usage("the recipe says validation: split, but there is no val split",
                     "expected --validation-queries and --validation-qrels, found neither");
  }
  result.device = context.device;
  if (result.recipe.device == "cuda" && !context.device.cuda) {
    result.device = dist::choose_device("cuda", dist::local_rank_from_environment());
  }
  result.recipe.device = result.device.cuda ? "cuda" : "cpu";
  result.k = options.k;
  result.seed = options.seed;
  result.folder = options.out;
  return result;
}

model::TrainingFiles training_files(const OpenStudy& open, const study::Task& task) {
  model::TrainingFiles files;
  files.queries = parent_file(open, task, "queries", "vectors.h5");
  files.qrels = parent_file(open, task, "queries", "qrels.txt");
  files.candidates = parent_file(open, task, "candidates", "vectors.h5");
  const auto negatives = parent_file(open, task, "queries", "negatives.tsv");
  if (std::filesystem::exists(negatives)) files.negatives = negatives;
  if (task.parents.count("validation") != 0) {
    files.validation_queries = parent_file(open, task, "validation", "vectors.h5");
    files.validation_qrels = parent_file(open, task, "validation", "qrels.txt");
  }
  return files;
}

model::TrainingOptions training_options(const OpenStudy& open, const study::Task& task,
                                        const dist::Context& context) {
  model::TrainingOptions result;
  result.recipe = config::recipe_from_json(task.params.at("recipe"));
  result.k = task.params.at("k").get<std::int64_t>();
  result.seed = task.params.at("seed").get<std::uint64_t>();
  result.folder = open.store.folder(task);
  // No names of data sets: equal ids are equal bytes, whichever study trained it first.
  result.description = fmt::format("{} k={} seed={}", task.params.at("method").get<std::string>(),
                                   result.k, result.seed);
  // The device is part of the task's name, so the recipe decides; a GPU it asks for must be there.
  if (result.recipe.device == "cuda") {
    result.device = context.device.cuda
                        ? context.device
                        : dist::choose_device("cuda", dist::local_rank_from_environment());
  }
  return result;
}

dist::ExitCode with_manifest(const std::filesystem::path& file, const std::string& what,
                             const std::function<void(dist::Manifest&)>& work) {
  dist::Manifest manifest(what);
  const auto record = [&] { dist::write_file(file, manifest.finish().dump(2) + "\n"); };
  try {
    work(manifest);
  } catch (const dist::Error& error) {
    // Malformed input leaves no file behind; what failed later leaves its reason.
    if (error.code() != dist::ExitCode::bad_input) {
      manifest.fail(error.what(), static_cast<int>(error.code()));
      record();
    }
    throw;
  }
  record();
  return dist::ExitCode::done;
}

}  // namespace puma::jobs
