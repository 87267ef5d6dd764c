// SPDX-License-Identifier: Apache-2.0
// puma encode: sparse codes of a dense cache, by a trained autoencoder or by raw TopK; all ranks
// share the rows.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "data/codes.hpp"
#include "data/dense_cache.hpp"
#include "dist/error.hpp"
#include "dist/job.hpp"
#include "dist/partition.hpp"
#include "jobs/command.hpp"
#include "jobs/study_options.hpp"
#include "model/encoder.hpp"
#include "model/raw_topk.hpp"
#include "study/task_loop.hpp"

namespace puma::jobs {

namespace {

struct EncodeWork {
  std::string vectors, checkpoint, method = "puma", out;
  std::int64_t k_max = 0;
};

void check_dimension(const data::DenseCache& cache, const model::Encoder& encoder,
                     const std::string& checkpoint) {
  if (cache.dim() == encoder.dim()) return;
  dist::fail_input({cache.file().string(), "the cache has another dimension than the checkpoint",
                    fmt::format("{} as in {}", encoder.dim(), checkpoint),
                    fmt::format("{}", cache.dim()), "Train on a cache of this backbone."});
}

// Opening and encoding make no collective call: whatever fails anywhere fails everywhere.
void encode_one(const dist::Context& context, const EncodeWork& work) {
  std::optional<data::DenseCache> cache;
  data::CodeCacheInfo info;
  data::CodeMatrix codes;
  dist::RowRange mine;
  dist::agree(context.comm, [&] {
    cache = data::DenseCache::open(work.vectors);
    info = {data::to_string(cache->info().role), work.method, cache->info().backbone,
            cache->content_checksum(), ""};
    mine = dist::partition(cache->rows(), context.comm.size(), context.comm.rank(),
                           model::kEncodeBlockRows);
    if (work.method == "raw_topk") {
      codes = model::encode_raw_topk(*cache, mine, work.k_max);
      return;
    }
    const model::Encoder encoder(work.checkpoint, context.device);
    check_dimension(*cache, encoder, work.checkpoint);
    info.encoder = encoder.content_checksum();
    codes =
        encoder.encode(mine, work.k_max, context.threads,
                       [&](dist::RowRange rows, std::span<float> out) { cache->read(rows, out); });
  });
  data::write_code_cache(context.comm, work.out, info, cache->ids(), mine, codes);
}

dist::ExitCode encode_tasks(const dist::Context& context, const StudyOptions& options) {
  std::optional<OpenStudy> open;
  dist::agree(context.comm, [&] { open.emplace(open_study(options)); });
  const study::TaskLoopOptions loop{study::TaskKind::encode, study::Sharing::all_ranks,
                                    options.tasks, options.max_fails};
  return study::run_tasks(
      context, open->graph, open->store, loop,
      [&](const dist::Context& all, const study::Task& task, dist::Manifest& manifest) {
        EncodeWork work;
        work.method = task.params.at("method").get<std::string>();
        work.k_max = task.params.at("k_max").get<std::int64_t>();
        work.vectors = open->store.output(open->graph, task, "vectors", "vectors.h5");
        if (work.method == "puma") {
          work.checkpoint =
              open->store.output(open->graph, task, "checkpoint", "checkpoint.safetensors");
        }
        work.out = open->store.folder(task) / "codes.h5";
        encode_one(all, work);
        manifest.add_output(work.out);
      });
}

void check_options(const EncodeWork& work, const StudyOptions& study) {
  if (study.given() != work.vectors.empty()) {
    dist::fail_usage("give either --study, or --vectors with --k-max and --out");
  }
  if (study.given()) return;
  if (work.out.empty() || work.k_max == 0) dist::fail_usage("--out and --k-max are missing or 0");
  if (work.method == "puma" && work.checkpoint.empty()) {
    dist::fail_usage("--checkpoint is missing", "--method puma encodes by a trained autoencoder",
                     "Train one (puma train), or use --method raw_topk.");
  }
}

}  // namespace

Command encode_command() {
  return {
      "encode", "Turn a dense cache into sparse codes, by value descending",
      [](CLI::App& app) -> Action {
        auto study = std::make_shared<StudyOptions>();
        auto work = std::make_shared<EncodeWork>();
        declare_study_options(app, *study, true);
        const auto group = app.add_option_group("Explicit files");
        group->add_option("--vectors", work->vectors, "Dense cache to encode");
        group->add_option("--checkpoint", work->checkpoint, "Trained autoencoder (method puma)");
        group->add_option("--method", work->method, "puma, or raw_topk: the largest coordinates")
            ->check(CLI::IsMember({"puma", "raw_topk"}))
            ->capture_default_str();
        group->add_option("--k-max", work->k_max, "Atoms a row; every smaller k is a prefix");
        group->add_option("--out", work->out, "Code cache to write");
        return [study, work] {
          const dist::JobOptions job{"encode", study->device, study->threads, true};
          return dist::run_job(job, [&](dist::Context& context) {
            check_options(*work, *study);
            if (study->given()) return encode_tasks(context, *study);
            encode_one(context, *work);
            return dist::ExitCode::done;
          });
        };
      }};
}

}  // namespace puma::jobs
