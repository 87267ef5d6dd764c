// SPDX-License-Identifier: Apache-2.0
// What makes one row of an untrusted code cache a code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace puma::data {

struct CodeRowProblem {
  std::string problem, expected, found;
};

// Nothing when the row is sound: at most k_max entries, atoms below the dictionary and none twice,
// values finite, not zero, positive unless signed, in order (magnitude descending, ties: lower atom
// first), and zeros after the row's length.
std::optional<CodeRowProblem> check_code_row(std::span<const std::uint32_t> atoms,
                                             std::span<const float> values, std::uint32_t length,
                                             std::int64_t dictionary, bool is_signed);

}  // namespace puma::data
