// SPDX-License-Identifier: Apache-2.0
// puma import: embeddings that others cached become dense caches; the ranks share the rows.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "data/import.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/job.hpp"
#include "jobs/command.hpp"
#include "jobs/study_options.hpp"
#include "study/task_loop.hpp"

namespace puma::jobs {
namespace {

struct ImportCommand {
  StudyOptions study;
  data::ImportRequest request;
  std::string role, metadata, published, query_jsonl, pool_store, split;
  bool json = false;
};

data::CacheRole role_of(const std::string& name) {
  return name == "queries" ? data::CacheRole::queries : data::CacheRole::candidates;
}

void record(const data::ImportResult& result, dist::Manifest& manifest) {
  for (const auto& file : result.outputs) manifest.add_output(file);
  manifest.set("imported", data::import_json(result));
}

dist::ExitCode import_tasks(const dist::Context& context, const StudyOptions& options) {
  std::optional<OpenStudy> open;
  dist::agree(context.comm, [&] { open.emplace(open_study(options)); });
  const study::TaskLoopOptions loop{study::TaskKind::import_cache, study::Sharing::all_ranks,
                                    options.tasks, options.max_fails};
  return study::run_tasks(
      context, open->graph, open->store, loop,
      [&](const dist::Context& all, const study::Task& task, dist::Manifest& manifest) {
        const auto local = [&](const char* name) { return task.locals.value(name, ""); };
        data::ImportRequest request;
        request.role = role_of(task.params.at("role").get<std::string>());
        request.backbone = task.params.at("backbone").get<std::string>();
        request.vectors = local("vectors");
        request.ids = local("ids");
        if (!local("metadata").empty()) request.metadata = {local("metadata")};
        request.qrels = local("qrels");
        request.negatives = local("negatives");
        request.out = open->store.folder(task);
        record(data::import_cache(all.comm, request), manifest);
      });
}

// The requests that the options spell out, or the two of a published folder.
std::vector<data::ImportRequest> requests_of(const ImportCommand& command) {
  std::vector<data::ImportRequest> requests;
  data::ImportRequest one = command.request;
  if (!command.query_jsonl.empty()) one.negatives = command.query_jsonl;
  // Where equal candidates may lie: in the siblings of the folder that is written.
  one.pools = {std::filesystem::absolute(one.out / ".").parent_path().parent_path()};
  if (!command.pool_store.empty()) one.pools.insert(one.pools.begin(), command.pool_store);
  if (command.published.empty()) {
    one.role = role_of(command.role);
    if (!command.metadata.empty()) one.metadata = {command.metadata};
    return {one};
  }
  requests = data::published_requests(command.published, one.out);
  for (data::ImportRequest& request : requests) {
    request.backbone = one.backbone;
    request.pools = one.pools;
  }
  requests.front().qrels = one.qrels;
  requests.front().negatives = one.negatives;
  return requests;
}

dist::ExitCode import_files(const dist::Context& context, const ImportCommand& command) {
  std::vector<data::ImportRequest> requests;
  dist::agree(context.comm, [&] { requests = requests_of(command); });
  nlohmann::json printed = nlohmann::json::array();
  for (const data::ImportRequest& request : requests) {
    dist::Manifest manifest("import");
    manifest.set("split", command.split);
    const data::ImportResult result = data::import_cache(context.comm, request);
    record(result, manifest);
    dist::agree(context.comm, [&] {
      if (!context.comm.is_root()) return;
      dist::write_file(request.out / "manifest.json", manifest.finish(context.comm).dump(1) + "\n");
    });
    printed.push_back(data::import_json(result));
    if (context.comm.is_root() && !command.json) std::cout << data::import_text(result) << '\n';
  }
  if (context.comm.is_root() && command.json) std::cout << printed.dump() << '\n';
  return dist::ExitCode::done;
}

void check_options(const ImportCommand& c) {
  const bool files = !c.request.vectors.empty() || !c.request.ids.empty();
  if (int{c.study.given()} + int{files} + int{!c.published.empty()} != 1) {
    dist::fail_usage("give one of --study, --published, or --vectors with --ids", "",
                     "See `puma import --help`.");
  }
  if (c.study.given()) return;
  if (c.request.out.empty()) dist::fail_usage("--out is missing", "", "Name a folder to write.");
  if (!c.request.negatives.empty() && !c.query_jsonl.empty()) {
    dist::fail_usage("give either --negatives or --query-jsonl", "both were given");
  }
  if (!c.published.empty()) return;
  if (c.request.vectors.empty() || c.request.ids.empty() || c.role.empty()) {
    dist::fail_usage("--vectors, --ids and --role belong together", "one of them is missing");
  }
  const bool judged =
      !c.request.qrels.empty() || !c.request.negatives.empty() || !c.query_jsonl.empty();
  if (c.role == "candidates" && judged) {
    dist::fail_usage("judgements and negatives belong to queries", "--role candidates was given");
  }
}

Action declare(CLI::App& app) {
  auto c = std::make_shared<ImportCommand>();
  declare_study_options(app, c->study, false);
  auto* group = app.add_option_group("Explicit files");
  group->add_option("--vectors", c->request.vectors,
                    "Embeddings: .npy, or a raw float32 memory map");
  group->add_option("--ids", c->request.ids, "JSON list of ids, one a row");
  group->add_option("--role", c->role, "What the rows are")
      ->check(CLI::IsMember({"queries", "candidates"}));
  group->add_option("--metadata", c->metadata, "JSON object with embedding_dim and count");
  group->add_option(
      "--published", c->published,
      "Folder of the published scripts: {query,doc}_embeddings.npy, ..._ids.json, metadata");
  group->add_option("--backbone", c->request.backbone,
                    "Name of the model (default: the metadata's model_name)");
  group->add_option("--split", c->split, "train, val or test: kept in the manifest");
  group->add_option("--qrels", c->request.qrels, "Judgements of the queries, 4 or 5 columns");
  group->add_option("--negatives", c->request.negatives, "Hard negatives: lines of qid, did");
  group->add_option("--query-jsonl", c->query_jsonl,
                    "Hard negatives from M-BEIR query lines (neg_cand_list)");
  group->add_option("--pool-store", c->pool_store,
                    "Folder whose subfolders may hold the same candidates: then they are linked, "
                    "not written again "
                    "(the folders beside --out are looked at too)");
  group->add_option("--out", c->request.out, "Folder for vectors.h5, qrels.txt, negatives.tsv");
  app.add_flag("--json", c->json, "Print what was imported as JSON");
  app.footer(
      "Vectors stay as they are: float16 stays float16, nothing is normalised. Candidates are put "
      "in\n"
      "order of id bytes, descending. The files are the same bytes on any number of ranks.\n"
      "Example: puma import --vectors docs.npy --ids docs_ids.json --role candidates --backbone "
      "emoji256 --out caches/pool");
  return [c] {
    return dist::run_job({"import"}, [&](dist::Context& context) {
      check_options(*c);
      return c->study.given() ? import_tasks(context, c->study) : import_files(context, *c);
    });
  };
}

}  // namespace

Command import_command() {
  return {"import", "Turn cached embeddings (.npy, raw memory maps) into dense caches", declare};
}

}  // namespace puma::jobs
