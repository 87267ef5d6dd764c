// SPDX-License-Identifier: Apache-2.0
#include "study/store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/log.hpp"
#include "study/clock.hpp"

namespace puma::study {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kRecordLimit = std::uint64_t{64} << 20;

// Our own records are still files that a full disk or a curious hand may have changed: what does
// not parse is "not there".
std::optional<nlohmann::json> read_record(const fs::path& file) {
  std::error_code missing;
  if (!fs::is_regular_file(file, missing)) return std::nullopt;
  try {
    auto json = nlohmann::json::parse(dist::read_file(file, kRecordLimit));
    if (json.is_object()) return json;
  } catch (const nlohmann::json::exception&) {
  } catch (const dist::Error&) {
  }
  return std::nullopt;
}

std::string job_name() {
  const char* slurm = std::getenv("SLURM_JOB_ID");
  if (slurm != nullptr && *slurm != '\0') return fmt::format("slurm-{}", slurm);
  char host[256] = "host";
  ::gethostname(host, sizeof host - 1);
  return fmt::format("{}-{}", host, ::getpid());
}

}  // namespace

Store::Store(fs::path root) : root_(std::move(root)) {
  if (fs::exists(root_) && !fs::is_directory(root_)) {
    dist::fail_input({root_.string(), "the store is no folder", "a folder", "a file",
                      "Give another place with --store DIR."});
  }
}

fs::path Store::default_root(const std::string& option) {
  if (!option.empty()) return option;
  const char* environment = std::getenv("PUMA_STORE");
  if (environment != nullptr && *environment != '\0') return environment;
  return "store";
}

fs::path Store::folder(TaskKind kind, const std::string& id) const {
  return root_ / kind_name(kind) / id;
}

fs::path Store::claim_file(const std::string& id) const {
  return root_ / "claims" / id;
}

fs::path Store::output(const TaskGraph& graph, const Task& task, const std::string& role,
                       const std::string& name) const {
  const auto parent = task.parents.find(role);
  if (parent == task.parents.end()) {
    throw dist::Error(dist::ExitCode::internal,
                      fmt::format("'{}' has no parent '{}'", task.label, role));
  }
  return folder(graph.at(parent->second)) / name;
}

bool Store::is_done(const Task& task) const {
  const auto manifest = read_record(folder(task) / "manifest.json");
  if (!manifest) return false;
  const auto complete = manifest->find("complete");
  if (complete == manifest->end() || !complete->is_boolean() || !complete->get<bool>())
    return false;
  const auto outputs = manifest->find("outputs");
  if (outputs == manifest->end() || !outputs->is_array()) return false;
  for (const auto& output : *outputs) {
    const auto file = output.find("path");
    const auto bytes = output.find("bytes");
    if (file == output.end() || !file->is_string() || bytes == output.end() ||
        !bytes->is_number_unsigned()) {
      return false;
    }
    // Outputs lie in the task's folder; the store may have moved since.
    std::error_code missing;
    const auto size =
        fs::file_size(folder(task) / fs::path(file->get<std::string>()).filename(), missing);
    if (missing || size != bytes->get<std::uint64_t>()) return false;
  }
  return true;
}

std::optional<Store::Failure> Store::failure(const Task& task) const {
  const auto record = read_record(folder(task) / "failure.json");
  if (!record || is_done(task)) return std::nullopt;
  Failure failure;
  try {
    failure.message = record->value("message", "unknown");
    failure.exit_code = record->value("exit_code", 1);
    failure.when = record->value("when", "");
  } catch (const nlohmann::json::exception&) {
    failure.message = "the record of the failure cannot be read";
  }
  return failure;
}

void Store::record_failure(const Task& task, const std::string& message, int exit_code) {
  const nlohmann::json record = {{"message", message},  {"exit_code", exit_code},
                                 {"when", utc_now()},   {"task", task.id},
                                 {"label", task.label}, {"job", job_name()}};
  dist::write_file(folder(task) / "failure.json",
                   record.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void Store::clear_failure(const Task& task) {
  std::error_code missing;
  fs::remove(folder(task) / "failure.json", missing);
}

void Store::record_done(const Task& task, nlohmann::json manifest) {
  manifest["task"] = {{"id", task.id},
                      {"kind", kind_name(task.kind)},
                      {"version", kind_version(task.kind)},
                      {"label", task.label},
                      {"params", task.params},
                      {"parents", task.parents},
                      {"externals", task.externals}};
  dist::write_file(folder(task) / "manifest.json",
                   manifest.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  clear_failure(task);
}

void Store::ledger(const Task& task, const std::string& event) const {
  const nlohmann::json line = {{"when", utc_now()},
                               {"event", event},
                               {"kind", kind_name(task.kind)},
                               {"task", task.id},
                               {"label", task.label}};
  const fs::path file = root_ / "ledger" / (job_name() + ".jsonl");
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  dist::append_line(file, line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace puma::study
