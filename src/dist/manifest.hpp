// SPDX-License-Identifier: Apache-2.0
// The record of one job or task: what went in, what came out, what it cost and, when it failed,
// why. Written also when it failed.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dist/comm.hpp"

namespace puma::dist {

// Facts about this program and machine: version, git revision, compiler, flags, instruction set,
// host, GPU driver.
nlohmann::json build_facts();

// Collects while the work runs; starts its clocks when made.
class Manifest {
 public:
  explicit Manifest(std::string what);

  void set(const std::string& key, nlohmann::json value);  // parameters, counts, choices
  void add_input(const std::filesystem::path& file, std::string checksum);
  void add_output(
      const std::filesystem::path& file);  // size and checksum are read when it is written
  void fail(const std::string& message, int exit_code);

  // The costs are this process's own, since the manifest was made; nothing here is collective, so
  // that a failing rank can call it. JSON with wall_s, cpu_s, peak_rss_bytes, bytes_read,
  // bytes_written, ranks, build facts, inputs, outputs, "complete". `complete` is true unless
  // fail() was called.
  nlohmann::json finish(const Comm& comm = {}) const;

 private:
  std::string what_;
  nlohmann::json fields_, inputs_ = nlohmann::json::array(), failure_;
  std::vector<std::filesystem::path> outputs_;
  std::chrono::steady_clock::time_point start_;
  double cpu_at_start_ = 0;
  std::int64_t read_at_start_ = 0, written_at_start_ = 0;
};

}  // namespace puma::dist
