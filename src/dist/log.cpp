// SPDX-License-Identifier: Apache-2.0
#include "dist/log.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace puma::dist {

namespace {

// Written once at the start of a job, read by every thread that logs.
std::atomic<int> log_rank{0};
std::atomic<int> log_ranks{1};

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// The user's wish from the environment; a word that is none of ours counts as no wish.
std::optional<spdlog::level::level_enum> level_from_environment() {
  const char* text = std::getenv("PUMA_LOG");
  if (text == nullptr) return std::nullopt;
  const std::string_view wish = text;
  if (wish == "debug") return spdlog::level::debug;
  if (wish == "info") return spdlog::level::info;
  if (wish == "warning") return spdlog::level::warn;
  if (wish == "error") return spdlog::level::err;
  return std::nullopt;
}

// Never destroyed, so that destructors of static objects may still log.
spdlog::logger& logger() {
  static spdlog::logger* const instance = [] {
    auto* made =
        new spdlog::logger("puma", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%H:%M:%S %^%l%$ %v");
    made->set_level(level_from_environment().value_or(spdlog::level::info));
    return made;
  }();
  return *instance;
}

}  // namespace

void set_log_rank(int rank, int ranks) {
  log_rank = rank;
  log_ranks = ranks;
}

void set_log_level(LogLevel level) {
  logger().set_level(level_from_environment().value_or(spdlog_level(level)));
}

void log_world(LogLevel level, std::string_view message) {
  if (log_rank == 0) logger().log(spdlog_level(level), message);
}

void log_local(LogLevel level, std::string_view message) {
  if (log_ranks == 1) {
    logger().log(spdlog_level(level), message);
  } else {
    logger().log(spdlog_level(level),
                 fmt::format("[rank {}/{}] {}", log_rank.load(), log_ranks.load(), message));
  }
}

}  // namespace puma::dist
