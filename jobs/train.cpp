// SPDX-License-Identifier: Apache-2.0
// puma train: one sparse autoencoder from explicit files, or the training tasks of a study.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "config/recipe.hpp"
#include "dist/error.hpp"
#include "dist/job.hpp"
#include "dist/log.hpp"
#include "jobs/command.hpp"
#include "jobs/search_validator.hpp"
#include "jobs/study_options.hpp"
#include "jobs/training_options.hpp"
#include "model/trainer.hpp"
#include "model/training_data.hpp"
#include "study/task_loop.hpp"

namespace puma::jobs {

namespace {

// Reads, trains, and fills the manifest: the same for a study's task and for explicit files.
void train_one(const model::TrainingFiles& files, model::TrainingOptions options,
               dist::Manifest& manifest) {
  const model::TrainingInputs inputs = model::read_training_inputs(files, options.recipe);
  SearchValidator validator(inputs.validation, static_cast<int>(options.recipe.threads));
  manifest.set("training_queries", inputs.data.positives.size());
  manifest.set("validation_queries", inputs.validation.query_ids.size());
  manifest.set("queries_without_positive", inputs.without_positive);
  manifest.set("recipe", config::recipe_json(options.recipe));
  manifest.set("device", options.device.name);
  const model::TrainingResult result = model::train(inputs.data, options, &validator);
  if (result.end == model::TrainingEnd::stopped) {
    throw dist::Error(dist::ExitCode::terminated, "training stopped by a signal",
                      "the state is saved", "Run the same command again to go on.");
  }
  dist::log_local(dist::LogLevel::info,
                  fmt::format("{} steps in {:.1f} s, kept: {} (validation nDCG@10 {:.4f})",
                              result.steps, result.seconds, result.selected, result.best_ndcg10));
  manifest.set("selected", result.selected);
  manifest.set("validation_ndcg10", result.best_ndcg10);
  manifest.set("steps", result.steps);
  manifest.add_output(options.folder / "checkpoint.safetensors");
}

dist::ExitCode train_files(const dist::Context& context, const TrainCommandOptions& given) {
  const model::TrainingOptions options = training_options(given, context);
  const std::filesystem::path record = options.folder / "manifest.json";
  return with_manifest(record, "train", [&](dist::Manifest& manifest) {
    train_one(given.files, options, manifest);
  });
}

dist::ExitCode train_tasks(const dist::Context& context, const TrainCommandOptions& given) {
  OpenStudy open = open_study(given.study);
  const study::TaskLoopOptions loop{study::TaskKind::train, study::Sharing::one_rank,
                                    given.study.tasks, given.study.max_fails};
  return study::run_tasks(
      context, open.graph, open.store, loop,
      [&](const dist::Context& own, const study::Task& task, dist::Manifest& manifest) {
        train_one(training_files(open, task), training_options(open, task, own), manifest);
      });
}

}  // namespace

Command train_command() {
  return {"train", "Train a sparse autoencoder on cached embeddings (paper 3.2 to 3.5)",
          [](CLI::App& app) -> Action {
            auto given = std::make_shared<TrainCommandOptions>();
            declare_training_options(app, *given);
            return [given] {
              if (given->print_recipe) return print_recipe(*given);
              dist::JobOptions job{"train", given->study.device, given->study.threads, true};
              return dist::run_job(job, [given](dist::Context& context) {
                check_training_options(*given);
                return given->study.given() ? train_tasks(context, *given)
                                            : train_files(context, *given);
              });
            };
          }};
}

}  // namespace puma::jobs
