// SPDX-License-Identifier: Apache-2.0
// What a training tells while it runs: history.jsonl (losses, norms; the same bytes however often
// it was stopped) and progress.json (for `puma status`; holds times, and is removed at the end).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace puma::model {

class TrainingLog {
 public:
  explicit TrainingLog(const std::filesystem::path& folder);

  // Forgets what an earlier attempt wrote from (stage, step) on: those steps are trained again.
  void keep_until(int stage, std::int64_t step);
  // One line; it holds at least "stage" and "step". Reaches the disk with flush().
  void add(const nlohmann::json& line) { pending_.push_back(line.dump()); }
  void flush();

  // At most once a second. Steps count over both stages.
  void progress(int stage, std::int64_t step, std::int64_t total, double loss);
  void remove_progress();

 private:
  using Clock = std::chrono::steady_clock;
  std::filesystem::path history_, progress_;
  std::vector<std::string> pending_;
  Clock::time_point start_ = Clock::now(), shown_{};
  std::int64_t first_step_ = -1;
};

}  // namespace puma::model
