// SPDX-License-Identifier: Apache-2.0
#include "study/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "config/yaml.hpp"
#include "study/datasets.hpp"

namespace puma::study {

using config::Yaml;

namespace {

const std::vector<std::string> kMethods{"dense", "raw_topk", "puma"};

std::string suggestion(const std::string& word, const std::vector<std::string>& valid) {
  const auto near = config::nearest(word, valid);
  return near ? fmt::format("Did you mean '{}'?", *near) : "";
}

// Names become folders and labels.
std::string plain_name(const Yaml& node, const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 64 && name.front() != '.' &&
                     name.front() != '-' &&
                     std::all_of(name.begin(), name.end(), [](unsigned char c) {
                       return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
                     });
  if (!plain)
    node.fail("not usable as a name", "letters, digits, '_', '-', '.', at most 64",
              fmt::format("'{}'", name));
  return name;
}

std::vector<std::string> distinct_texts(const Yaml& list, const std::vector<std::string>& valid) {
  std::vector<std::string> values;
  for (const Yaml& node : list.elements()) {
    const std::string text = node.text();
    if (!valid.empty() && std::find(valid.begin(), valid.end(), text) == valid.end()) {
      node.fail("unknown value", fmt::format("one of {}", fmt::join(valid, ", ")),
                fmt::format("'{}'", text), suggestion(text, valid));
    }
    if (std::find(values.begin(), values.end(), text) != values.end()) {
      node.fail("given twice", "each once", fmt::format("'{}'", text));
    }
    values.push_back(text);
  }
  if (values.empty()) list.fail("the list is empty", "at least one value", "");
  return values;
}

std::int64_t bounded(const Yaml& node, std::int64_t least, std::int64_t most) {
  const std::int64_t value = node.integer();
  if (value < least || value > most) {
    node.fail("out of range", fmt::format("{} to {}", least, most), fmt::format("{}", value));
  }
  return value;
}

std::vector<std::int64_t> distinct_numbers(const Yaml& list, std::int64_t least,
                                           std::int64_t most) {
  std::vector<std::int64_t> values;
  for (const Yaml& node : list.elements()) {
    const std::int64_t value = bounded(node, least, most);
    if (std::find(values.begin(), values.end(), value) != values.end()) {
      node.fail("given twice", "each once", fmt::format("{}", value));
    }
    values.push_back(value);
  }
  if (values.empty()) list.fail("the list is empty", "at least one value", "");
  return values;
}

// The names of ir_measures that `evaluate` knows; the cutoff is 1 to 100000 without leading zeros.
void check_measure(const Yaml& node) {
  const std::string name = node.text();
  const auto at = name.find('@');
  const std::string stem = name.substr(0, at);
  const std::vector<std::string> stems{"Success", "Hit", "R", "MicroR", "nDCG", "RR"};
  bool fits = std::find(stems.begin(), stems.end(), stem) != stems.end() &&
              (at != std::string::npos || stem == "RR");
  if (fits && at != std::string::npos) {
    const std::string cutoff = name.substr(at + 1);
    fits = !cutoff.empty() && cutoff.size() <= 5 && cutoff[0] != '0' &&
           std::all_of(cutoff.begin(), cutoff.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  }
  if (!fits) {
    node.fail("unknown measure", "nDCG@N, R@N, Success@N, RR, RR@N or MicroR@N",
              fmt::format("'{}'", name),
              suggestion(name, {"nDCG@10", "R@10", "Success@5", "RR", "MicroR@10"}));
  }
}

Compare read_compare(const Yaml& node, const Study& study) {
  Compare compare;
  node.expect_keys({"baseline", "measure", "family", "alpha", "trials", "resamples", "seed"});
  if (node.has("baseline"))
    compare.baseline = distinct_texts(node.at("baseline"), kMethods).front();
  if (node.has("measure")) compare.measure = node.at("measure").text();
  if (node.has("family")) compare.family = distinct_texts(node.at("family"), {"all"}).front();
  if (node.has("alpha")) {
    compare.alpha = node.at("alpha").number();
    if (!(compare.alpha > 0 && compare.alpha < 1)) {
      node.at("alpha").fail("out of range", "above 0 and below 1", node.at("alpha").text());
    }
  }
  if (node.has("trials")) compare.trials = bounded(node.at("trials"), 1, 100'000'000);
  if (node.has("resamples")) compare.resamples = bounded(node.at("resamples"), 1, 10'000'000);
  if (node.has("seed"))
    compare.seed = static_cast<std::uint64_t>(bounded(node.at("seed"), 0, INT64_MAX));
  if (std::find(study.methods.begin(), study.methods.end(), compare.baseline) ==
      study.methods.end()) {
    (node.has("baseline") ? node.at("baseline") : node)
        .fail("the baseline is none of the study's methods",
              fmt::format("one of {}", fmt::join(study.methods, ", ")),
              fmt::format("'{}'", compare.baseline));
  }
  if (std::find(study.measures.begin(), study.measures.end(), compare.measure) ==
      study.measures.end()) {
    (node.has("measure") ? node.at("measure") : node)
        .fail("this measure is not computed",
              fmt::format("one of {}", fmt::join(study.measures, ", ")),
              fmt::format("'{}'", compare.measure), suggestion(compare.measure, study.measures));
  }
  return compare;
}

bool has_method(const Study& study, const char* method) {
  return std::find(study.methods.begin(), study.methods.end(), method) != study.methods.end();
}

void read_supports(const Yaml& root, Study& study) {
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  if (root.has("k")) study.k = distinct_numbers(root.at("k"), 1, kMost);
  const bool sparse = has_method(study, "puma") || has_method(study, "raw_topk");
  if (sparse && study.k.empty()) root.at("k");
  if (root.has("train_k")) study.train_k = bounded(root.at("train_k"), 1, kMost);
  if (has_method(study, "puma") && study.train_k == 0) root.at("train_k");
  if (root.has("seeds")) study.seeds = distinct_numbers(root.at("seeds"), 0, INT64_MAX);
  if (root.has("recipe")) study.recipe = config::read_recipe(root.at("recipe"));
}

}  // namespace

Study read_study(const std::filesystem::path& file) {
  const Yaml root = Yaml::load(file);
  if (!root.is_map())
    root.fail("this is no study", "a map with study, datasets, methods, k, ...", "");
  root.expect_keys({"study", "datasets", "backbones", "methods", "recipe", "train_k", "k", "seeds",
                    "measures", "depth", "compare", "notes"});
  Study study;
  study.file = file;
  study.name = plain_name(root.at("study"), root.at("study").text());
  study.methods = distinct_texts(root.at("methods"), kMethods);
  study.backbones = distinct_texts(root.at("backbones"), {});
  for (const std::string& backbone : study.backbones) plain_name(root.at("backbones"), backbone);
  read_supports(root, study);
  if (root.has("measures")) {
    study.measures = distinct_texts(root.at("measures"), {});
    for (const Yaml& node : root.at("measures").elements()) check_measure(node);
  }
  if (root.has("depth")) study.depth = bounded(root.at("depth"), 1, 100'000);
  study.compare = read_compare(root.get("compare"), study);
  if (root.has("notes")) study.notes = distinct_texts(root.at("notes"), {});
  const Yaml datasets = root.at("datasets");
  for (const auto& [name, node] : datasets.items()) {
    study.datasets.push_back(read_dataset(plain_name(node, name), node, study.backbones, file));
  }
  if (study.datasets.empty()) datasets.fail("there is no data set", "at least one NAME: {...}", "");
  return study;
}

}  // namespace puma::study
