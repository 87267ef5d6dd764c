// SPDX-License-Identifier: Apache-2.0
// A study file: data sets x backbones x methods x k x seeds, read strictly.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/recipe.hpp"
#include "study/store.hpp"
#include "study/task.hpp"

namespace puma::study {

// Embeddings of one role and split as files. For queries `qrels` is set.
struct SourceFiles {
  std::filesystem::path vectors, ids, qrels, metadata, negatives;  // empty: not given
};

struct Dataset {
  std::string name;
  // By backbone ("" = the only one): splits train, val, test -> queries; pool.
  std::map<std::string, std::map<std::string, SourceFiles>> queries;
  std::map<std::string, SourceFiles> candidates;
  std::map<std::string, SourceFiles>
      training_candidates;  // where training has a pool file of its own; else `candidates` serve
};

struct Compare {
  std::string baseline = "dense";
  std::string measure = "nDCG@10";
  std::string family = "all";
  double alpha = 0.05;
  std::int64_t trials = 9999, resamples = 9999;
  std::uint64_t seed = 0;
};

struct Study {
  std::string name;
  std::filesystem::path file;
  std::vector<Dataset> datasets;
  std::vector<std::string> backbones;
  std::vector<std::string> methods;  // dense, raw_topk, puma
  config::Recipe recipe;
  std::int64_t train_k = 0;     // the support the autoencoder is trained at
  std::vector<std::int64_t> k;  // supports that are scored
  std::vector<std::int64_t> seeds{0};
  std::vector<std::string> measures{"Success@5", "R@10", "nDCG@10", "RR"};
  std::int64_t depth = 100;
  Compare compare;
  std::vector<std::string> notes;  // remarks printed with the table
};

// Throws bad_input with file, line and the nearest valid key. Relative paths are taken from the
// current folder, then from the study file's folder and the folders above it.
Study read_study(const std::filesystem::path& file);

// Every task of the study, with ids. Reads only the external files' checksums (through the store's
// memory).
TaskGraph expand(const Study& study, Store& store);

}  // namespace puma::study
