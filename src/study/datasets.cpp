// SPDX-License-Identifier: Apache-2.0
#include "study/datasets.hpp"

#include <fmt/format.h>

namespace puma::study {

namespace fs = std::filesystem;
using config::Yaml;

namespace {

const std::vector<std::string> kSplits{"train", "val", "test"};

// One backbone's view of one data set.
struct Place {
  Dataset& dataset;
  std::string backbone;
  fs::path study_file;

  std::string substituted(std::string text) const {
    static const std::string mark = "{backbone}";
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, mark.size(), backbone);
    }
    return text;
  }

  // From the current folder, else from the study file's folder or one above it.
  fs::path existing(const Yaml& node, const std::string& text) const {
    const fs::path wanted = substituted(text);
    std::error_code ignored;
    if (wanted.is_absolute() || fs::exists(wanted, ignored)) {
      if (fs::exists(wanted, ignored)) return wanted;
    } else {
      for (fs::path base = fs::absolute(study_file).lexically_normal().parent_path();;
           base = base.parent_path()) {
        if (fs::exists(base / wanted, ignored)) return base / wanted;
        if (base == base.parent_path()) break;
      }
    }
    node.fail("this is not there", "a file or folder", wanted.string(),
              "Relative paths are looked for from the current folder, then from the study file's "
              "folder upwards.");
  }

  fs::path path(const Yaml& node) const { return existing(node, node.text()); }
};

fs::path if_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored) ? file : fs::path();
}

fs::path inside(const Yaml& node, const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  if (!fs::exists(folder / name, ignored)) {
    node.fail("a file is missing in this folder", name, (folder / name).string() + " is not there");
  }
  return folder / name;
}

void read_cache_folder(const Yaml& node, const Place& place) {
  node.expect_keys({"cache", "task"});
  const Yaml cache = node.at("cache");
  const fs::path folder = place.path(cache);
  const std::int64_t task = node.at("task").integer();
  for (const std::string& split : kSplits) {
    const std::string stem = fmt::format("task{}_{}_", task, split);
    if (split == "val" && if_there(folder / (stem + "queries.npy")).empty()) continue;
    SourceFiles files;
    files.vectors = inside(cache, folder, stem + "queries.npy");
    files.ids = inside(cache, folder, stem + "queries_ids.json");
    files.qrels = inside(cache, folder, stem + "qrels.txt");
    files.negatives = if_there(folder / (stem + "negatives.tsv"));
    place.dataset.queries[place.backbone][split] = files;
  }
  SourceFiles& pool = place.dataset.candidates[place.backbone];
  pool.vectors = inside(cache, folder, "docs.npy");
  pool.ids = inside(cache, folder, "docs_ids.json");
}

SourceFiles published_role(const Yaml& node, const fs::path& folder, const std::string& kind) {
  SourceFiles files;
  files.vectors = inside(node, folder, kind + "_embeddings.npy");
  files.ids = inside(node, folder, kind + "_ids.json");
  files.metadata = if_there(folder / (kind + "_meta.json"));
  if (files.metadata.empty()) files.metadata = if_there(folder / "metadata.json");
  return files;
}

void read_published(const Yaml& node, const Place& place) {
  node.expect_keys({"published", "qrels", "negatives"});
  const Yaml folders = node.at("published");
  const Yaml qrels = node.at("qrels");
  folders.expect_keys(kSplits);
  qrels.expect_keys(kSplits);
  node.get("negatives").expect_keys(kSplits);
  for (const std::string& split : kSplits) {
    if (!folders.has(split) && split == "val") continue;
    const Yaml given = folders.at(split);
    const fs::path folder = place.path(given);
    SourceFiles files = published_role(given, folder, "query");
    files.qrels = place.path(qrels.at(split));
    if (node.get("negatives").has(split)) {
      files.negatives = place.path(node.at("negatives").at(split));
    }
    place.dataset.queries[place.backbone][split] = files;
    if (split == "val") continue;
    auto& pools = split == "train" ? place.dataset.training_candidates : place.dataset.candidates;
    pools[place.backbone] = published_role(given, folder, "doc");
  }
}

SourceFiles read_files(const Yaml& node, const Place& place, bool queries) {
  if (queries) {
    node.expect_keys({"vectors", "ids", "qrels", "negatives", "metadata"});
  } else {
    node.expect_keys({"vectors", "ids", "metadata"});
  }
  SourceFiles files;
  files.vectors = place.path(node.at("vectors"));
  files.ids = place.path(node.at("ids"));
  if (queries) files.qrels = place.path(node.at("qrels"));
  if (node.has("negatives")) files.negatives = place.path(node.at("negatives"));
  if (node.has("metadata")) files.metadata = place.path(node.at("metadata"));
  return files;
}

void read_explicit(const Yaml& node, const Place& place) {
  node.expect_keys({"queries", "candidates"});
  const Yaml queries = node.at("queries");
  queries.expect_keys(kSplits);
  for (const std::string& split : kSplits) {
    if (!queries.has(split) && split == "val") continue;
    place.dataset.queries[place.backbone][split] = read_files(queries.at(split), place, true);
  }
  place.dataset.candidates[place.backbone] = read_files(node.at("candidates"), place, false);
}

void read_source(const Yaml& node, const Place& place) {
  if (node.has("cache")) return read_cache_folder(node, place);
  if (node.has("published")) return read_published(node, place);
  if (node.has("queries") || node.has("candidates")) return read_explicit(node, place);
  node.expect_keys(
      {"cache", "task", "published", "qrels", "negatives", "queries", "candidates", "backbones"});
  node.fail("it is not said where the embeddings lie",
            "{cache: DIR, task: N}, {published: {...}, qrels: {...}}, or {queries: {...}, "
            "candidates: {...}}",
            "");
}

// The same embeddings under two backbones' names would be two results from one.
void refuse_shared_files(const Yaml& node, const Dataset& dataset) {
  std::map<fs::path, std::string> owner;
  for (const auto& [backbone, files] : dataset.candidates) {
    const auto [it, fresh] = owner.emplace(files.vectors, backbone);
    if (!fresh) {
      node.fail("two backbones with the same files",
                "a path with {backbone} in it, or {backbones: {NAME: ...}}",
                fmt::format("{} for {} and {}", files.vectors.string(), it->second, backbone));
    }
  }
}

}  // namespace

Dataset read_dataset(const std::string& name, const Yaml& node,
                     const std::vector<std::string>& backbones, const fs::path& study_file) {
  if (!node.is_map()) node.fail("wrong type", "a map such as {cache: DIR, task: N}", "no map");
  Dataset dataset;
  dataset.name = name;
  const bool each = node.has("backbones");
  if (each) {
    node.expect_keys({"backbones"});
    node.at("backbones").expect_keys(backbones);
  }
  for (const std::string& backbone : backbones) {
    read_source(each ? node.at("backbones").at(backbone) : node, {dataset, backbone, study_file});
  }
  refuse_shared_files(node, dataset);
  return dataset;
}

}  // namespace puma::study
