// SPDX-License-Identifier: Apache-2.0
#include "eval/report/wording.hpp"

namespace puma::eval {
namespace {

using nlohmann::json;

json interval_json(const stats::Interval& i) {
  return {{"low", i.low}, {"high", i.high}, {"degenerate", i.degenerate}};
}

json comparison_json(const Aggregate& a, const Comparison& c) {
  return {{"difference", c.difference},
          {"interval", interval_json(c.interval)},
          {"p", c.test.p},
          {"exact", c.test.exact},
          {"trials", c.test.trials},
          {"at_least", c.test.at_least},
          {"non_zero", c.test.non_zero},
          {"p_error", c.test.standard_error},
          {"wins", c.wins},
          {"ties", c.ties},
          {"losses", c.losses},
          {"below_alpha", detail::is_significant(a, c)}};
}

json value_json(const Aggregate& a, const MeasuredValue& value) {
  json j{{"mean", value.mean}, {"interval", interval_json(value.interval)}};
  if (value.against_baseline) j["against_baseline"] = comparison_json(a, *value.against_baseline);
  if (!value.no_comparison_because.empty()) {
    j["no_comparison_because"] = value.no_comparison_because;
  }
  return j;
}

json row_json(const Aggregate& a, const Row& row) {
  json j{{"dataset", row.dataset},      {"backbone", row.backbone},
         {"method", row.method},        {"k", row.k ? json(*row.k) : json(nullptr)},
         {"seeds", row.seeds},          {"n", row.queries},
         {"values", json::object()},    {"qrels_checksum", row.qrels_checksum},
         {"provenance", row.provenance}};
  for (const auto& [name, value] : row.values) j["values"][name] = value_json(a, value);
  if (row.against_peer) j["against_peer"] = comparison_json(a, *row.against_peer);
  if (row.bytes_per_vector > 0) j["bytes_per_vector"] = row.bytes_per_vector;
  return j;
}

}  // namespace

json render_json(const Aggregate& a) {
  const AggregateOptions& o = a.options;
  json j{{"format", "puma-table"}, {"version", 1},   {"study", o.study},
         {"baseline", o.baseline}, {"peer", o.peer}, {"primary", o.primary}};
  j["statistics"] = {
      {"unit", "query"},
      {"interval", "95% percentile bootstrap over queries"},
      {"resamples", o.resamples},
      {"test", "paired sign-flip randomization of the mean difference"},
      {"sided", "two"},
      {"trials", o.trials},
      {"exact_up_to", stats::kExactLimit},
      {"seed", o.seed},
      {"alpha", o.alpha},
      {"family", "comparisons of " + o.primary + " with " + o.baseline + " in this table"},
      {"family_size", detail::family_size(a)},
      {"adjustment", "none"}};
  j["measures"] = json::array();
  for (const Measure& m : a.measures) {
    j["measures"].push_back({{"name", m.name()}, {"definition", m.definition()}});
  }
  j["rows"] = json::array();
  for (const Row& row : a.rows) j["rows"].push_back(row_json(a, row));
  j["verdicts"] = verdicts(a);
  j["notes"] = a.notes;
  return j;
}

}  // namespace puma::eval
