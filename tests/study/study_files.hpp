// SPDX-License-Identifier: Apache-2.0
// Small studies on disk for the tests of this folder.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "dist/files.hpp"
#include "study/study.hpp"

namespace puma::study {

inline std::filesystem::path scratch(const std::string& name) {
  const auto folder =
      std::filesystem::path(::testing::TempDir()) / fmt::format("puma_{}_{}", name, ::getpid());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

// The files of one data set in the layout of the emoji caches; their content is made up, as
// planning reads only headers.
inline void write_embeddings(const std::filesystem::path& folder, int dim = 4) {
  const std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': (2, {}), }}\n", dim);
  const std::string npy =
      std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
  for (const std::string name :
       {"docs", "task0_train_queries", "task0_val_queries", "task0_test_queries"}) {
    dist::write_file(folder / (name + ".npy"), npy + name);
    dist::write_file(folder / (name + "_ids.json"), "[\"" + name + "\"]");
  }
  for (const std::string split : {"train", "val", "test"}) {
    dist::write_file(folder / ("task0_" + split + "_qrels.txt"), "q 0 d 1 " + split + "\n");
  }
}

inline std::string study_text(const std::filesystem::path& cache,
                              const std::string& rest = "k: [1, 2]\ntrain_k: 2\n") {
  return fmt::format(
      "study: s\ndatasets:\n  d: {{cache: '{}', task: 0}}\nbackbones: [b]\nmethods: [dense, "
      "raw_topk, puma]\n{}",
      cache.string(), rest);
}

inline Study make_study(const std::filesystem::path& folder, const std::string& text) {
  dist::write_file(folder / "s.yaml", text);
  return read_study(folder / "s.yaml");
}

}  // namespace puma::study
