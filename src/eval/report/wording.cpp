// SPDX-License-Identifier: Apache-2.0
#include "eval/report/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace puma::eval {

std::string format_score(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  const bool negative = text[0] == '-';
  if (negative) text.erase(0, 1);
  if (text.size() > 1 && text[0] == '0' && text[1] == '.') text.erase(0, 1);
  const bool zero = text.find_first_not_of(".0") == std::string::npos;
  return negative && !zero ? "-" + text : text;
}

std::string format_p(double p) {
  if (std::isnan(p)) return "none";
  return p < 0.0001 ? "< .0001" : format_score(p);
}

namespace detail {

std::string format_signed(double value) {
  const std::string text = format_score(value);
  return text[0] == '-' || text.find_first_not_of(".0") == std::string::npos ? text : "+" + text;
}

std::string format_interval(const stats::Interval& interval, bool with_signs) {
  const auto format = [&](double x) { return with_signs ? format_signed(x) : format_score(x); };
  return fmt::format("[{}, {}]", format(interval.low), format(interval.high));
}

std::string p_equation(double p) {
  const std::string text = format_p(p);
  return text[0] == '<' ? "p " + text : "p = " + text;
}

std::string test_kind(const stats::SignFlipResult& test) {
  if (test.exact) return "exact";
  return fmt::format("R = {}, error {}", test.trials, format_score(test.standard_error));
}

std::string k_text(const Row& row) {
  return row.k ? std::to_string(*row.k) : "–";
}

std::string variant_name(const Row& row) {
  return row.k ? fmt::format("{} k={}", row.method, *row.k) : row.method;
}

bool several_backbones(const Aggregate& a) {
  return std::any_of(a.rows.begin(), a.rows.end(),
                     [&](const Row& row) { return row.backbone != a.rows[0].backbone; });
}

std::string place_name(const Aggregate& a, const Row& row) {
  return several_backbones(a) ? row.dataset + ", " + row.backbone : row.dataset;
}

bool same_place(const Row& a, const Row& b) {
  return a.dataset == b.dataset && a.backbone == b.backbone;
}

const Comparison* primary_comparison(const Aggregate& a, const Row& row) {
  const auto value = row.values.find(a.options.primary);
  if (value == row.values.end() || !value->second.against_baseline) return nullptr;
  return &*value->second.against_baseline;
}

bool is_significant(const Aggregate& a, const Comparison& c) {
  return c.test.p < a.options.alpha;
}

bool is_best(const Aggregate& a, const Row& row, const std::string& measure) {
  const auto mine = row.values.find(measure);
  if (mine == row.values.end()) return false;
  int rivals = 0;
  for (const Row& other : a.rows) {
    const auto theirs = other.values.find(measure);
    if (&other == &row || !same_place(other, row) || theirs == other.values.end()) continue;
    if (theirs->second.mean > mine->second.mean) return false;
    ++rivals;
  }
  return rivals > 0;
}

std::int64_t family_size(const Aggregate& a) {
  return std::count_if(a.rows.begin(), a.rows.end(),
                       [&](const Row& row) { return primary_comparison(a, row) != nullptr; });
}

std::vector<std::string> how_made(const Aggregate& a, const std::string& marker) {
  const AggregateOptions& o = a.options;
  std::set<std::int64_t> sizes;
  std::size_t most_seeds = 1;
  for (const Row& row : a.rows) {
    sizes.insert(row.queries);
    most_seeds = std::max(most_seeds, row.seeds.size());
  }
  std::string n;
  for (const std::int64_t size : sizes) n += fmt::format("{}{}", n.empty() ? "" : ", ", size);
  std::vector<std::string> lines;
  lines.push_back(fmt::format("The unit is the query (n = {}); systems are paired by query id{}.",
                              n, most_seeds > 1 ? "; per query the mean over training seeds" : ""));
  lines.push_back(fmt::format("Intervals: 95% percentile bootstrap over queries (B = {}, seed {}).",
                              o.resamples, o.seed));
  const std::int64_t m = family_size(a);
  if (m == 0) return lines;  // nothing was tested
  lines.push_back(
      fmt::format("p: paired sign-flip randomization test of the mean difference in {} from {}, "
                  "two-sided, p = (c+1)/(R+1) with R = {}, seed {}; exact by enumeration up to {} "
                  "non-zero differences.",
                  o.primary, o.baseline, o.trials, o.seed, stats::kExactLimit));
  lines.push_back(
      fmt::format("{} marks p < {}. p is unadjusted for multiple comparisons; the family is the "
                  "{} comparison{} of {} with {} in this table, other measures are descriptive.",
                  marker, format_score(o.alpha, o.alpha >= 0.01 ? 2 : 4), m, m == 1 ? "" : "s",
                  o.primary, o.baseline));
  if (std::any_of(a.rows.begin(), a.rows.end(), [](const Row& r) { return r.against_peer; })) {
    lines.push_back(
        fmt::format("Comparisons with {} at equal k use the same queries, signs and "
                    "test; they are outside the family.",
                    o.peer));
  }
  lines.push_back("W/T/L: queries on which the method is better, equal, worse.");
  return lines;
}

}  // namespace detail
}  // namespace puma::eval
