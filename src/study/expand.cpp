// SPDX-License-Identifier: Apache-2.0
// From a study to its tasks, stage after stage, so that every parent's id is known before its
// children's.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "dist/error.hpp"
#include "study/npy_width.hpp"
#include "study/study.hpp"

namespace puma::study {

namespace {

// One (data set, backbone) and the ids of what belongs to it.
struct Block {
  const Dataset* dataset;
  std::string backbone;
  std::optional<std::int64_t> dim;
  std::string pool, training_pool, train, val, test;  // imports; val may be empty
  std::map<std::string, std::pair<std::string, std::string>>
      codes;  // "puma seed=0" -> encoded (queries, candidates)
};

// One row of the table before seeds are averaged.
struct Variant {
  Block* block;
  std::string method;
  std::int64_t k = 0, seed = 0;  // k = 0: dense
  std::string run, measures;
  std::string name() const {
    std::string text = method;
    if (k > 0) text += fmt::format("-k{}", k);
    if (method == "puma" && seed != 0) text += fmt::format("-s{}", seed);
    return text;
  }
  std::string place() const { return block->dataset->name + " " + block->backbone; }
};

class Expansion {
 public:
  Expansion(const Study& study, Store& store) : study_(study), store_(store) {}

  TaskGraph run() {
    imports();
    check_supports();
    trainings();
    encodings();
    scores();
    evaluations();
    aggregation();
    store_.save_checksums();
    return std::move(graph_);
  }

 private:
  bool has(const char* method) const {
    return std::find(study_.methods.begin(), study_.methods.end(), method) != study_.methods.end();
  }
  std::int64_t largest_k() const { return *std::max_element(study_.k.begin(), study_.k.end()); }

  std::string add_import(const SourceFiles& files, const std::string& backbone,
                         const std::string& what, const std::string& split) {
    Task task;
    task.kind = TaskKind::import_cache;
    task.label = fmt::format("import {} {}", what, backbone);
    task.params = {{"role", split.empty() ? "candidates" : "queries"}, {"backbone", backbone}};
    if (!split.empty()) task.params["split"] = split;
    const auto file = [&](const char* role, const std::filesystem::path& path) {
      if (path.empty()) return;
      task.externals[role] = store_.external_checksum(path);
      task.locals[role] = path.string();
    };
    file("vectors", files.vectors);
    file("ids", files.ids);
    file("qrels", files.qrels);
    file("negatives", files.negatives);
    file("metadata", files.metadata);
    return graph_.add(std::move(task));
  }

  [[noreturn]] void fail_no_val(const std::string& dataset) const {
    dist::fail_input({study_.file.string(), fmt::format("data set {} has no val split", dataset),
                      "one, since the recipe says validation: split", "none",
                      "Give its val queries, or say validation: slice."});
  }

  void imports() {
    for (const Dataset& dataset : study_.datasets) {
      for (const std::string& backbone : study_.backbones) {
        Block block{&dataset, backbone, std::nullopt, "", "", "", "", "", {}};
        const auto& queries = dataset.queries.at(backbone);
        const SourceFiles& pool = dataset.candidates.at(backbone);
        block.dim = npy_width(pool.vectors);
        block.pool = add_import(pool, backbone, dataset.name + " candidates", "");
        const auto own = dataset.training_candidates.find(backbone);
        block.training_pool =
            own == dataset.training_candidates.end()
                ? block.pool
                : add_import(own->second, backbone, dataset.name + " training candidates", "");
        const auto split = [&](const std::string& name) -> std::string {
          const auto files = queries.find(name);
          if (files == queries.end()) return "";
          return add_import(files->second, backbone, fmt::format("{} {}", dataset.name, name),
                            name);
        };
        block.test = split("test");
        if (has("puma")) {
          block.train = split("train");
          if (study_.recipe.validation == config::Validation::split) {
            block.val = split("val");
            if (block.val.empty()) fail_no_val(dataset.name);
          }
        }
        blocks_.push_back(std::move(block));
      }
    }
  }

  // Before anything is written: a support can be no larger than what it is chosen from.
  void check_supports() const {
    for (const Block& block : blocks_) {
      if (!block.dim) continue;
      const auto check = [&](const char* key, std::int64_t k, std::int64_t limit,
                             const std::string& why) {
        if (k <= limit) return;
        dist::fail_input({study_.file.string(),
                          fmt::format("{}={} is larger than what it chooses from", key, k),
                          fmt::format("at most {} ({})", limit, why), fmt::format("{}", k),
                          fmt::format("This is data set {}, backbone {}.", block.dataset->name,
                                      block.backbone)});
      };
      const std::int64_t d = *block.dim;
      if (has("raw_topk")) check("k", largest_k(), d, "raw_topk: the dimensions of the embeddings");
      if (!has("puma")) continue;
      const std::int64_t expansion = study_.recipe.expansion;
      const std::int64_t dictionary = expansion > std::numeric_limits<std::int64_t>::max() / d
                                          ? std::numeric_limits<std::int64_t>::max()
                                          : d * expansion;
      const std::string why =
          fmt::format("the dictionary: expansion {} x {} dimensions", expansion, d);
      check("k", largest_k(), dictionary, why);
      check("train_k", study_.train_k, dictionary, why);
    }
  }

  void trainings() {
    if (!has("puma")) return;
    for (Block& block : blocks_) {
      for (const std::int64_t seed : study_.seeds) {
        Task task;
        task.kind = TaskKind::train;
        task.label = fmt::format("train puma {} {} k={} seed={}", block.dataset->name,
                                 block.backbone, study_.train_k, seed);
        task.params = {{"method", "puma"},
                       {"recipe", config::recipe_json(study_.recipe)},
                       {"k", study_.train_k},
                       {"seed", seed}};
        task.parents = {{"queries", block.train}, {"candidates", block.training_pool}};
        if (!block.val.empty()) task.parents["validation"] = block.val;
        block.codes[coded("puma", seed)].first =
            graph_.add(std::move(task));  // the checkpoint, until encodings()
      }
    }
  }

  static std::string coded(const std::string& method, std::int64_t seed) {
    return method == "puma" ? fmt::format("puma seed={}", seed) : method;
  }

  // One encoding at the largest k serves all: every smaller k is a prefix.
  std::string add_encoding(const Block& block, const std::string& codes, const std::string& vectors,
                           const std::string& checkpoint, const std::string& role) {
    Task task;
    task.kind = TaskKind::encode;
    task.label =
        fmt::format("encode {} {} {} {}", codes, block.dataset->name, block.backbone, role);
    task.params = {{"method", checkpoint.empty() ? "raw_topk" : "puma"}, {"k_max", largest_k()}};
    task.parents["vectors"] = vectors;
    if (!checkpoint.empty()) task.parents["checkpoint"] = checkpoint;
    return graph_.add(std::move(task));
  }

  void encodings() {
    for (Block& block : blocks_) {
      if (has("raw_topk")) block.codes["raw_topk"];
      for (auto& [name, codes] : block.codes) {
        const std::string checkpoint = codes.first;
        codes.first = add_encoding(block, name, block.test, checkpoint, "queries");
        codes.second = add_encoding(block, name, block.pool, checkpoint, "candidates");
      }
    }
  }

  void add_score(Variant variant) {
    Task task;
    task.kind = TaskKind::score;
    task.label = fmt::format("score {} {}", variant.name(), variant.place());
    task.params = {{"representation", variant.k == 0 ? "dense" : "sparse"},
                   {"depth", study_.depth},
                   {"rule", variant.method == "puma" ? "positive" : "all"}};
    if (variant.k == 0) {
      task.parents = {{"queries", variant.block->test}, {"candidates", variant.block->pool}};
    } else {
      task.params["k"] = variant.k;
      const auto& codes = variant.block->codes.at(coded(variant.method, variant.seed));
      task.parents = {{"queries", codes.first}, {"candidates", codes.second}};
    }
    task.locals["name"] = variant.name();
    variant.run = graph_.add(std::move(task));
    variants_.push_back(std::move(variant));
  }

  void scores() {
    for (Block& block : blocks_) {
      for (const std::string& method : study_.methods) {
        if (method == "dense") {
          add_score({&block, method, 0, 0, "", ""});
          continue;
        }
        for (const std::int64_t k : study_.k) {
          if (method != "puma")
            add_score({&block, method, k, 0, "", ""});
          else
            for (const std::int64_t seed : study_.seeds)
              add_score({&block, method, k, seed, "", ""});
        }
      }
    }
  }

  void evaluations() {
    for (Variant& variant : variants_) {
      Task task;
      task.kind = TaskKind::evaluate;
      task.label = fmt::format("evaluate {} {}", variant.name(), variant.place());
      task.params = {{"measures", study_.measures}};
      task.parents = {{"run", variant.run},
                      {"queries", variant.block->test},
                      {"candidates", variant.block->pool}};
      variant.measures = graph_.add(std::move(task));
    }
  }

  void aggregation() {
    Task task;
    task.kind = TaskKind::aggregate;
    task.label = fmt::format("aggregate {}", study_.name);
    nlohmann::json cells = nlohmann::json::array();
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      const Variant& v = variants_[i];
      const std::string role = fmt::format("cell{:04}", i);
      nlohmann::json cell = {{"dataset", v.block->dataset->name},
                             {"backbone", v.block->backbone},
                             {"method", v.method},
                             {"seed", v.seed},
                             {"role", role}};
      if (v.k > 0) cell["k"] = v.k;
      cells.push_back(std::move(cell));
      task.parents[role] = v.measures;
    }
    const Compare& c = study_.compare;
    task.params = {{"study", study_.name},     {"cells", std::move(cells)},
                   {"baseline", c.baseline},   {"primary", c.measure},
                   {"alpha", c.alpha},         {"trials", c.trials},
                   {"resamples", c.resamples}, {"seed", c.seed}};
    if (!study_.notes.empty()) task.params["notes"] = study_.notes;
    graph_.add(std::move(task));
  }

  const Study& study_;
  Store& store_;
  TaskGraph graph_;
  std::vector<Block> blocks_;
  std::vector<Variant> variants_;
};

}  // namespace

TaskGraph expand(const Study& study, Store& store) {
  return Expansion(study, store).run();
}

}  // namespace puma::study
