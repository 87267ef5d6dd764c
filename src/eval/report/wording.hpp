// SPDX-License-Identifier: Apache-2.0
// What all renderers say alike: numbers as text, which row is best, how the statistics were made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/report/aggregate.hpp"
#include "eval/report/render.hpp"

namespace puma::eval::detail {

// "+.0121", "-.0125"; a difference that rounds to nothing is ".0000" without a sign.
std::string format_signed(double value);
// "[-.0180, +.0200]"
std::string format_interval(const stats::Interval& interval, bool with_signs);
// "p = .0400", "p < .0001"
std::string p_equation(double p);
// "exact" or "R = 9999, error .0020"
std::string test_kind(const stats::SignFlipResult& test);

// "16", or an en dash for a method without k.
std::string k_text(const Row& row);
// "puma k=16"
std::string variant_name(const Row& row);
bool several_backbones(const Aggregate& a);
// "emoji_task7", with the backbone where the table has several.
std::string place_name(const Aggregate& a, const Row& row);
bool same_place(const Row& a, const Row& b);

// The comparison of the primary measure, if the row has one.
const Comparison* primary_comparison(const Aggregate& a, const Row& row);
bool is_significant(const Aggregate& a, const Comparison& c);
// No other row of the same data set and backbone has a higher mean, and there are others: tied
// bests are all best. On unrounded values.
bool is_best(const Aggregate& a, const Row& row, const std::string& measure);
// Comparisons of the primary measure with the baseline: the family that p would be adjusted over.
std::int64_t family_size(const Aggregate& a);

// Sentences on unit, intervals, test, sidedness, R, B, seed, family and adjustment. The marker is
// what the renderer puts beside p.
std::vector<std::string> how_made(const Aggregate& a, const std::string& marker);

}  // namespace puma::eval::detail
