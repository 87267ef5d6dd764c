// SPDX-License-Identifier: Apache-2.0
#include "dist/manifest.hpp"

#include <exception>
#include <utility>

#include "dist/checksum.hpp"
#include "dist/process_costs.hpp"

namespace puma::dist {

namespace {

// A manifest is also written after a failure, when outputs may be missing: that is a fact, not an
// error.
nlohmann::json describe_output(const std::filesystem::path& file) {
  nlohmann::json entry{{"path", file.string()}};
  try {
    entry["bytes"] = std::filesystem::file_size(file);
    entry["checksum"] = file_checksum(file).hex();
  } catch (const std::exception& e) {
    entry["missing"] = e.what();
  }
  return entry;
}

}  // namespace

Manifest::Manifest(std::string what)
    : what_(std::move(what)),
      fields_(nlohmann::json::object()),
      start_(std::chrono::steady_clock::now()) {
  const ProcessCosts costs = process_costs();
  cpu_at_start_ = costs.cpu_s;
  read_at_start_ = costs.bytes_read;
  written_at_start_ = costs.bytes_written;
}

void Manifest::set(const std::string& key, nlohmann::json value) {
  fields_[key] = std::move(value);
}

void Manifest::add_input(const std::filesystem::path& file, std::string checksum) {
  inputs_.push_back({{"path", file.string()}, {"checksum", std::move(checksum)}});
}

void Manifest::add_output(const std::filesystem::path& file) {
  outputs_.push_back(file);
}

void Manifest::fail(const std::string& message, int exit_code) {
  failure_ = {{"message", message}, {"exit_code", exit_code}};
}

nlohmann::json Manifest::finish(const Comm& comm) const {
  // Costs first: the checksums below read every output once more.
  const ProcessCosts costs = process_costs();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  nlohmann::json outputs = nlohmann::json::array();
  for (const auto& file : outputs_) outputs.push_back(describe_output(file));
  nlohmann::json manifest{
      {"what", what_},
      {"complete", failure_.is_null()},
      {"fields", fields_},
      {"inputs", inputs_},
      {"outputs", std::move(outputs)},
      {"ranks", comm.size()},
      {"wall_s", wall.count()},
      {"cpu_s", costs.cpu_s - cpu_at_start_},
      {"peak_rss_bytes", costs.peak_rss_bytes},
      {"bytes_read", costs.bytes_read - read_at_start_},
      {"bytes_written", costs.bytes_written - written_at_start_},
      {"build", build_facts()},
  };
  if (!failure_.is_null()) manifest["failure"] = failure_;
  return manifest;
}

}  // namespace puma::dist
