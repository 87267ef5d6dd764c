// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "eval/report/wording.hpp"

namespace puma::eval {
namespace {

std::string sentence(const Aggregate& a, const Row& row, const std::string& other,
                     const Comparison& c) {
  // Without a small p nothing is shown, neither a difference nor that there is none.
  const char* verb = !detail::is_significant(a, c) ? "is not shown to differ from"
                     : c.difference > 0            ? "beats"
                                                   : "falls behind";
  return fmt::format("{} {} {} on {}: {} {} {}, {}", detail::variant_name(row), verb, other,
                     detail::place_name(a, row), detail::format_signed(c.difference),
                     a.options.primary, detail::format_interval(c.interval, true),
                     detail::p_equation(c.test.p));
}

}  // namespace

std::vector<std::string> verdicts(const Aggregate& a) {
  std::vector<std::string> sentences;
  for (const Row& row : a.rows) {
    const auto value = row.values.find(a.options.primary);
    if (row.method == a.options.baseline || value == row.values.end()) continue;
    if (const Comparison* c = detail::primary_comparison(a, row)) {
      sentences.push_back(sentence(a, row, a.options.baseline, *c));
    } else {
      sentences.push_back(fmt::format(
          "{} is not compared with {} on {}: {}", detail::variant_name(row), a.options.baseline,
          detail::place_name(a, row), value->second.no_comparison_because));
    }
  }
  for (const Row& row : a.rows) {
    if (!row.against_peer) continue;
    const std::string other = fmt::format("{} k={}", a.options.peer, *row.k);
    sentences.push_back(sentence(a, row, other, *row.against_peer));
  }
  return sentences;
}

}  // namespace puma::eval
