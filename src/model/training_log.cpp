// SPDX-License-Identifier: Apache-2.0
#include "model/training_log.hpp"

#include <sstream>
#include <tuple>

#include "dist/files.hpp"

namespace puma::model {

TrainingLog::TrainingLog(const std::filesystem::path& folder)
    : history_(folder / "history.jsonl"), progress_(folder / "progress.json") {}

void TrainingLog::keep_until(int stage, std::int64_t step) {
  if (!std::filesystem::exists(history_)) return;
  std::string kept;
  std::istringstream lines(dist::read_file(history_));
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("stage") || !json.contains("step")) break;
    if (!json["stage"].is_number_integer() || !json["step"].is_number_integer()) break;
    if (std::tuple(json["stage"].get<int>(), json["step"].get<std::int64_t>()) >=
        std::tuple(stage, step)) {
      break;
    }
    kept += line + "\n";
  }
  dist::write_file(history_, kept);
}

void TrainingLog::flush() {
  for (const std::string& line : pending_) dist::append_line(history_, line);
  pending_.clear();
}

void TrainingLog::progress(int stage, std::int64_t step, std::int64_t total, double loss) {
  const Clock::time_point now = Clock::now();
  if (first_step_ < 0) {
    first_step_ = step;
    start_ = now;
  }
  if (now - shown_ < std::chrono::seconds(1)) return;
  shown_ = now;
  const std::int64_t done = step - first_step_;
  nlohmann::json json{{"stage", stage}, {"step", step}, {"total", total}, {"loss", loss}};
  if (done > 0) {
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    json["seconds_left"] = elapsed / static_cast<double>(done) * static_cast<double>(total - step);
  }
  dist::write_file(progress_, json.dump() + "\n");
}

void TrainingLog::remove_progress() {
  std::filesystem::remove(progress_);
}

}  // namespace puma::model
