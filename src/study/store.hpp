// SPDX-License-Identifier: Apache-2.0
// Where results live: <store>/<kind>/<id>/ with outputs and manifest.json; <store>/claims/<id>;
// <store>/ledger/<job>.jsonl; <store>/checksums.json. Files are the truth about what is done.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "study/task.hpp"

namespace puma::study {

class Store {
 public:
  explicit Store(std::filesystem::path root);
  // --store, else $PUMA_STORE, else ./store.
  static std::filesystem::path default_root(const std::string& option);

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path folder(const Task& task) const { return folder(task.kind, task.id); }
  std::filesystem::path folder(TaskKind kind, const std::string& id) const;
  std::filesystem::path claim_file(const std::string& id) const;
  // A parent's output file: output(graph, task, "queries", "vectors.h5").
  std::filesystem::path output(const TaskGraph& graph, const Task& task, const std::string& role,
                               const std::string& name) const;

  // manifest.json says complete and its outputs are there with the sizes it lists.
  bool is_done(const Task& task) const;
  // The recorded failure of the last attempt (failure.json), if the task is not done.
  struct Failure {
    std::string message;
    int exit_code = 1;
    std::string when;
  };
  std::optional<Failure> failure(const Task& task) const;
  void record_failure(const Task& task, const std::string& message, int exit_code);
  void clear_failure(const Task& task);
  // Publishes manifest.json last: from then on the task is done.
  void record_done(const Task& task, nlohmann::json manifest);

  // A line in <store>/ledger/<job>.jsonl: who did what when, for `status` and for people.
  void ledger(const Task& task, const std::string& event) const;

  // Checksum of an external file, remembered by (path, size, mtime) in checksums.json.
  std::string external_checksum(const std::filesystem::path& file);
  void save_checksums();

 private:
  std::filesystem::path root_;
  nlohmann::json checksums_;
  bool checksums_changed_ = false;
};

}  // namespace puma::study
