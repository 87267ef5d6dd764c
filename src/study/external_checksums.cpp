// SPDX-License-Identifier: Apache-2.0
// The memory of external checksums: large caches are read once, not at every `plan`.
#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>

#include "dist/checksum.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/log.hpp"
#include "study/store.hpp"

namespace puma::study {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFile = "checksums.json";

// A broken memory costs a second reading, nothing else.
nlohmann::json read_memory(const fs::path& file) {
  std::error_code missing;
  if (!fs::is_regular_file(file, missing)) return nlohmann::json::object();
  try {
    auto json = nlohmann::json::parse(dist::read_file(file, std::uint64_t{256} << 20));
    if (json.is_object()) return json;
  } catch (const std::exception&) {
  }
  dist::log_world(
      dist::LogLevel::warning,
      fmt::format("{} cannot be read; the external files are read again", file.string()));
  return nlohmann::json::object();
}

}  // namespace

std::string Store::external_checksum(const fs::path& file) {
  if (checksums_.is_null()) checksums_ = read_memory(root_ / kFile);
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) dist::fail_errno("stat", file.string());
  const std::string path = fs::absolute(file).lexically_normal().string();
  const std::string state =
      fmt::format("{}:{}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  if (const auto known = checksums_.find(path);
      known != checksums_.end() && known->is_object() && known->value("state", "") == state) {
    return known->value("checksum", "");
  }
  std::string sum = dist::file_checksum(file).hex();
  // A file that was written within the last moments may change again within the same tick of its
  // clock.
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  if (now.tv_sec - status.st_mtim.tv_sec >= 2) {
    checksums_[path] = {{"state", state}, {"checksum", sum}};
    checksums_changed_ = true;
  }
  return sum;
}

void Store::save_checksums() {
  if (!checksums_changed_) return;
  try {
    nlohmann::json all = read_memory(root_ / kFile);  // others may have added theirs
    all.update(checksums_);
    dist::write_file(root_ / kFile,
                     all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    checksums_changed_ = false;
  } catch (const dist::Error& error) {
    dist::log_world(dist::LogLevel::warning,
                    fmt::format("checksums are not remembered: {}", error.what()));
  }
}

}  // namespace puma::study
