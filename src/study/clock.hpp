// SPDX-License-Identifier: Apache-2.0
// The time of day for records that people read. No result depends on it.
#pragma once

#include <string>

namespace puma::study {

// "2026-03-01T12:00:00.123456789Z"
std::string utc_now();

}  // namespace puma::study
