// SPDX-License-Identifier: Apache-2.0
#include "model/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/log.hpp"
#include "dist/signals.hpp"
#include "model/encode_blocks.hpp"
#include "model/memory_plan.hpp"
#include "model/sampler.hpp"
#include "model/schedule.hpp"
#include "model/training_log.hpp"
#include "model/training_state.hpp"

namespace puma::model {

namespace {

using Clock = std::chrono::steady_clock;
using detail::Autoencoder;
using detail::Stage;

// Lines of history.jsonl a stage.
constexpr std::int64_t kHistoryLines = 100;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void check_data(const TrainingData& data, const TrainingOptions& options) {
  const auto dim = static_cast<std::size_t>(data.dim);
  PUMA_EXPECT(data.dim >= 1 && !data.positives.empty());
  PUMA_EXPECT(data.queries.size() == data.positives.size() * dim);
  PUMA_EXPECT(!data.candidates.empty() && data.candidates.size() % dim == 0);
  PUMA_EXPECT(data.validation_queries.size() % dim == 0);
  const std::int64_t dictionary = options.recipe.expansion * data.dim;
  if (options.k < 1 || options.k > dictionary) {
    dist::fail_usage(fmt::format("k={} does not fit the dictionary", options.k),
                     fmt::format("1 <= k <= D, and D = expansion {} * d {} = {}",
                                 options.recipe.expansion, data.dim, dictionary),
                     "Choose a smaller k or a larger expansion.");
  }
}

class Training {
 public:
  Training(const TrainingData& data, const TrainingOptions& options, Validator* validator)
      : data_(data),
        options_(options),
        recipe_(options.recipe),
        validator_(data.validation_queries.empty() ? nullptr : validator),
        device_(detail::torch_device(options.device)),
        queries_(resident(data.queries)),
        candidates_(resident(data.candidates)),
        validation_(resident(data.validation_queries)),
        log_(options.folder) {
    info_.recipe = recipe_;
    info_.k = options.k;
    info_.seed = options.seed;
    info_.data_checksum = data.checksum;
    info_.description = options.description;
    best_ = info_;
  }

  TrainingResult run() {
    begin();
    TrainingResult result;
    if (!saved_) {
      if (const auto done = detail::published_checkpoint(file("checkpoint.safetensors"), info_)) {
        result.best_ndcg10 = done->ndcg10;
        result.selected = done->selected();
        result.steps = recipe_.stage2_steps + recipe_.stage3_steps;
        return result;
      }
      start_anew();
    }
    for (const int number : {2, 3}) {
      if (saved_ && number < saved_->position().here.stage) continue;
      if (run_stage(number) == TrainingEnd::stopped) {
        result.end = TrainingEnd::stopped;
        break;
      }
    }
    if (result.end == TrainingEnd::finished) publish();
    result.best_ndcg10 = best_.ndcg10;
    result.selected = best_.selected();
    result.steps = steps_before(3) + (stage_number_ == 3 ? last_step_ : 0);
    if (stage_number_ == 2) result.steps = last_step_;
    result.seconds = seconds_since(start_);
    return result;
  }

 private:
  std::filesystem::path file(const char* name) const { return options_.folder / name; }
  std::int64_t stage_steps(int number) const {
    return number == 2 ? recipe_.stage2_steps : recipe_.stage3_steps;
  }
  std::int64_t steps_before(int number) const { return number == 3 ? recipe_.stage2_steps : 0; }

  // The rows where the arithmetic is done: on the CPU the caller's own memory.
  at::Tensor resident(const std::vector<float>& values) const {
    const std::int64_t rows = static_cast<std::int64_t>(values.size()) / data_.dim;
    if (options_.device.cuda) return detail::copy_in(values, {rows, data_.dim}, device_);
    return at::from_blob(const_cast<float*>(values.data()), {rows, data_.dim},
                         at::TensorOptions().dtype(at::kFloat));
  }

  void begin() {
    saved_ = detail::SavedTraining::open(file("resume.safetensors"), info_);
    if (saved_ && saved_->position().best.ndcg10 >= 0 &&
        !std::filesystem::exists(file("best.safetensors"))) {
      dist::log_local(dist::LogLevel::warning,
                      fmt::format("{} is gone: starting anew", file("best.safetensors").string()));
      saved_.reset();
    }
    if (saved_) {
      model_ = saved_->model(recipe_.centre, device_);
      best_ = saved_->position().best;
      log_.keep_until(saved_->position().here.stage, saved_->position().here.step);
    }
  }

  void start_anew() {
    model_ = Autoencoder::initial(data_.dim, recipe_.expansion * data_.dim, recipe_.centre,
                                  options_.seed, device_);
    log_.keep_until(0, 0);
  }

  TrainingEnd run_stage(int number) {
    stage_number_ = number;
    last_step_ = 0;
    Stage stage(model_, recipe_, number);
    if (saved_ && saved_->position().here.stage == number) {
      saved_->restore(stage);
      saved_.reset();  // unmaps the file, which will be replaced
    }
    Sampler sampler(data_.positives, data_.hard_negatives, candidates_.size(0), recipe_.batch,
                    options_.seed, number);
    const std::int64_t total = stage_steps(number);
    last_step_ = stage.steps_done();
    while (stage.steps_done() < total) {
      if (dist::stop_requested()) {
        save(stage);
        return TrainingEnd::stopped;
      }
      const std::int64_t step = stage.steps_done();
      detail::StepPlan plan = plan_step(number, step);
      plan.measure_aux = logs(step, total) && number == 2;
      const detail::StepReport report = stage.step(batch(sampler, number, step), plan);
      last_step_ = stage.steps_done();
      log_step(number, step, plan, report);
      log_.progress(number, steps_before(number) + step + 1,
                    recipe_.stage2_steps + recipe_.stage3_steps, report.loss);
      if (validates(number, step) && validate(number, step)) save(stage);
      if (seconds_since(saved_at_) >= options_.save_every_s) save(stage);
    }
    return TrainingEnd::finished;
  }

  detail::StepPlan plan_step(int number, std::int64_t step) const {
    detail::StepPlan plan;
    if (number == 2) {
      const std::int64_t first = initial_k(recipe_, model_.dictionary(), options_.k);
      plan.k = annealed_k(recipe_, step, first, options_.k);
      plan.learning_rate =
          learning_rate(step, recipe_.stage2_steps, recipe_.stage2_warmup, recipe_.stage2_lr);
    } else {
      plan.k = options_.k;
      plan.learning_rate =
          learning_rate(step, recipe_.stage3_steps, recipe_.stage3_warmup, recipe_.stage3_lr);
    }
    return plan;
  }

  detail::Batch batch(Sampler& sampler, int number, std::int64_t step) const {
    const BatchRows rows = sampler.batch(step, number == 3 ? recipe_.negatives : 0);
    const auto take = [&](const at::Tensor& from, const std::vector<std::int64_t>& numbers) {
      const auto count = static_cast<std::int64_t>(numbers.size());
      return from.index_select(0, detail::copy_in(numbers, {count}, device_));
    };
    detail::Batch batch;
    batch.queries = take(queries_, rows.queries);
    batch.positives = take(candidates_, rows.positives);
    if (rows.negatives_per_query > 0) {
      batch.negatives = take(candidates_, rows.negatives)
                            .reshape({batch.queries.size(0), rows.negatives_per_query, data_.dim});
    }
    return batch;
  }

  static bool logs(std::int64_t step, std::int64_t total) {
    return step % std::max<std::int64_t>(total / kHistoryLines, 1) == 0 || step == total - 1;
  }

  void log_step(int number, std::int64_t step, const detail::StepPlan& plan,
                const detail::StepReport& report) {
    if (!logs(step, stage_steps(number))) return;
    nlohmann::json line{
        {"stage", number},
        {"step", step},
        {"k", plan.k},
        {"learning_rate", plan.learning_rate},
        {"loss", report.loss},
        {"gradient_norm", report.gradient_norm},
        {"clipped", recipe_.clip_norm > 0 && report.gradient_norm > recipe_.clip_norm},
        {"dead", report.dead}};
    for (const detail::TermValue& term : report.terms) line["terms"][term.name] = term.value;
    if (report.aux_norm >= 0) line["aux_gradient_norm"] = report.aux_norm;
    log_.add(line);
  }

  // End of Stage 2; in Stage 3 every steps/5 and the last one (released code).
  bool validates(int number, std::int64_t step) const {
    if (validator_ == nullptr) return false;
    const std::int64_t total = stage_steps(number);
    if (step == total - 1) return true;
    return number == 3 && step % std::max<std::int64_t>(total / recipe_.stage3_validations, 1) == 0;
  }

  data::CodeMatrix codes(const at::Tensor& rows) const {
    return detail::encode_blocks(
        model_, {0, rows.size(0)}, options_.k, static_cast<int>(recipe_.threads),
        [&](dist::RowRange range) { return rows.narrow(0, range.begin, range.size()); });
  }

  // True when the weights are the best so far, and kept.
  bool validate(int number, std::int64_t step) {
    const double ndcg10 = validator_->ndcg10(codes(validation_), codes(candidates_));
    const bool better = ndcg10 > best_.ndcg10;
    log_.add({{"stage", number}, {"step", step}, {"validation_ndcg10", ndcg10}, {"best", better}});
    if (!better) return false;
    best_ = info_;
    best_.stage = number;
    best_.step = step;
    best_.ndcg10 = ndcg10;
    detail::save_weights(file("best.safetensors"), best_, model_);
    return true;
  }

  void save(Stage& stage) {
    log_.flush();
    detail::TrainingPosition position{info_, best_};
    position.here.stage = stage_number_;
    position.here.step = stage.steps_done();
    detail::save_training(file("resume.safetensors"), position, model_, stage);
    saved_at_ = Clock::now();
  }

  // The checkpoint last but one, and only then the end of what could be resumed: a kill in between
  // trains a little again.
  void publish() {
    log_.flush();
    if (best_.ndcg10 >= 0) {
      dist::write_file(file("checkpoint.safetensors"),
                       dist::read_file(file("best.safetensors"), std::uint64_t{1} << 40));
    } else {
      best_.stage = recipe_.stage3_steps > 0 ? 3 : 2;
      best_.step = stage_steps(best_.stage) - 1;
      detail::save_weights(file("checkpoint.safetensors"), best_, model_);
    }
    std::filesystem::remove(file("resume.safetensors"));
    std::filesystem::remove(file("best.safetensors"));
    log_.remove_progress();
  }

  const TrainingData& data_;
  const TrainingOptions& options_;
  const config::Recipe& recipe_;
  Validator* validator_;
  at::Device device_;
  at::Tensor queries_, candidates_, validation_;
  TrainingLog log_;
  CheckpointInfo info_, best_;
  std::optional<detail::SavedTraining> saved_;
  Autoencoder model_;
  int stage_number_ = 2;
  std::int64_t last_step_ = 0;
  Clock::time_point start_ = Clock::now(), saved_at_ = Clock::now();
};

}  // namespace

TrainingResult train(const TrainingData& data, const TrainingOptions& options,
                     Validator* validator) {
  check_data(data, options);
  const auto rows = static_cast<std::int64_t>(data.queries.size() + data.candidates.size() +
                                              data.validation_queries.size()) /
                    data.dim;
  check_planned_bytes(options.recipe, {data.dim, options.recipe.expansion * data.dim, rows},
                      options.device);
  std::filesystem::create_directories(options.folder);
  detail::make_deterministic(options.device);
  detail::keep_freed_memory();
  const detail::TorchThreads threads(static_cast<int>(options.recipe.threads));
  return Training(data, options, validator).run();
}

}  // namespace puma::model
