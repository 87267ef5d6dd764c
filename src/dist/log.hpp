// SPDX-License-Identifier: Apache-2.0
// Messages for people, on stderr. Results never go through the logger: they are printed to stdout
// by the jobs. The functions take finished strings, so that no caller sees spdlog (nor LibTorch's
// own copy of fmt).
#pragma once

#include <string_view>

namespace puma::dist {

enum class LogLevel { debug, info, warning, error };

// Sets the rank that log_local prints in front and that keeps log_world quiet elsewhere than on
// rank 0.
void set_log_rank(int rank, int ranks);

// Least level printed; PUMA_LOG=debug|info|warning|error overrides.
void set_log_level(LogLevel level);

void log_world(LogLevel level, std::string_view message);  // printed by rank 0 alone
void log_local(LogLevel level, std::string_view message);  // printed by every rank, with its number

}  // namespace puma::dist
