// SPDX-License-Identifier: Apache-2.0
// A task: one unit of work with a name that says everything that decides its result.
//   id = XXH3-128 hex of canonical JSON {kind, version, params, parents (role -> id), externals
//   (role -> checksum)}
// `locals` (paths, labels) are not in the id: the same files in another folder are the same task.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace puma::study {

// In the order of the stages.
enum class TaskKind { import_cache, train, encode, score, evaluate, aggregate };
std::string_view kind_name(
    TaskKind kind);  // "import", "train", ...: folder in the store, and subcommand that runs it
TaskKind kind_from_name(std::string_view name);
const std::vector<TaskKind>& all_kinds();  // stage order
// The kind's algorithm version: raise it when a fix changes results, and nothing old is silently
// reused.
int kind_version(TaskKind kind);

// What each kind has in params / parents / externals / locals, and which files it writes into its
// folder:
//   import    params {role: queries|candidates, backbone, split (queries only)}; externals
//   {vectors, ids, qrels (queries)}, and negatives/metadata
//             where given; locals {vectors, ids, qrels, metadata, negatives: paths}; writes
//             vectors.h5, and for queries qrels.txt (+ negatives.tsv)
//   train     params {method, recipe: {every field}, k, seed}; parents {queries, candidates,
//   validation?}; writes checkpoint.safetensors encode    params {method: puma|raw_topk, k_max};
//   parents {vectors, checkpoint (puma)}; writes codes.h5 score     params {representation:
//   dense|sparse, k (sparse), depth, rule: all|positive}; parents {queries, candidates} (imports or
//   encodes);
//             locals {name}; writes run.h5
//   evaluate  params {measures: [names]}; parents {run, queries (import: its qrels), candidates
//   (import: the pool's ids)}; writes measures.json aggregate params {study, cells: [{dataset,
//   backbone, method, k, seed, role}], baseline, primary, alpha, trials, resamples, seed}; parents
//   {cell0000: evaluate id, ...};
//             writes table.md, table.csv, table.tex, table.json, index.html, figure.svg
struct Task {
  TaskKind kind = TaskKind::import_cache;
  std::string id;     // 32 hex digits
  std::string label;  // for people: "train puma emoji_task7 emoji256 k=16 seed=0"
  nlohmann::json params;
  std::map<std::string, std::string> parents;    // role -> task id
  std::map<std::string, std::string> externals;  // role -> checksum
  nlohmann::json locals = nlohmann::json::object();
};

// Sets task.id from the other fields.
void seal(Task& task);

// Tasks by id, in stage order and within a stage in order of first mention.
struct TaskGraph {
  std::vector<Task> tasks;
  std::map<std::string, std::size_t> index;  // id -> position
  const Task& at(const std::string& id) const;
  bool contains(const std::string& id) const { return index.count(id) != 0; }
  // Adds it unless it is there; returns its id.
  std::string add(Task task);
  std::vector<const Task*> of_kind(TaskKind kind) const;
};

}  // namespace puma::study
