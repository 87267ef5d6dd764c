// SPDX-License-Identifier: Apache-2.0
#include "data/code_row_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace puma::data {
namespace {

std::optional<CodeRowProblem> check_padding(std::span<const std::uint32_t> atoms,
                                            std::span<const float> values, std::uint32_t length) {
  for (std::size_t i = length; i < atoms.size(); ++i) {
    if (atoms[i] != 0 || std::bit_cast<std::uint32_t>(values[i]) != 0) {
      return CodeRowProblem{fmt::format("entry {} after the row's end is not empty", i),
                            "atom 0, value 0",
                            fmt::format("atom {}, value {}", atoms[i], values[i])};
    }
  }
  return std::nullopt;
}

std::optional<CodeRowProblem> check_repeats(std::span<const std::uint32_t> atoms) {
  thread_local std::vector<std::uint32_t> sorted;
  sorted.assign(atoms.begin(), atoms.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return std::nullopt;
  return CodeRowProblem{"an atom occurs twice", "different atoms", fmt::format("atom {}", *twice)};
}

}  // namespace

std::optional<CodeRowProblem> check_code_row(std::span<const std::uint32_t> atoms,
                                             std::span<const float> values, std::uint32_t length,
                                             std::int64_t dictionary, bool is_signed) {
  if (length > atoms.size()) {
    return CodeRowProblem{"the row is longer than k_max", fmt::format("at most {}", atoms.size()),
                          std::to_string(length)};
  }
  for (std::size_t i = 0; i < length; ++i) {
    if (atoms[i] >= dictionary) {
      return CodeRowProblem{fmt::format("entry {} names an unknown atom", i),
                            fmt::format("atoms below {}", dictionary), std::to_string(atoms[i])};
    }
    const float value = values[i];
    if (!std::isfinite(value) || value == 0 || (value < 0 && !is_signed)) {
      return CodeRowProblem{fmt::format("entry {} has no valid value", i),
                            is_signed ? "a finite value other than 0" : "a finite value above 0",
                            fmt::format("{}", value)};
    }
    if (i == 0) continue;
    const float before = std::fabs(values[i - 1]);
    const float here = std::fabs(value);
    if (here > before || (here == before && atoms[i] < atoms[i - 1])) {
      return CodeRowProblem{fmt::format("entry {} is out of order", i),
                            "values descending, ties by ascending atom",
                            fmt::format("{} of atom {} after {} of atom {}", value, atoms[i],
                                        values[i - 1], atoms[i - 1])};
    }
  }
  if (auto problem = check_padding(atoms, values, length)) return problem;
  return check_repeats(atoms.first(length));
}

}  // namespace puma::data
