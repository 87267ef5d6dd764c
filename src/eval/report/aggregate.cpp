// SPDX-License-Identifier: Apache-2.0
#include "eval/report/aggregate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "dist/error.hpp"
#include "eval/report/joined_row.hpp"
#include "eval/stats/fixed_point.hpp"

namespace puma::eval {
namespace {

using detail::JoinedRow;

bool is_micro(const Measure& m) {
  return m.kind == MeasureKind::micro_recall;
}

// Denominators per query: relevant documents for micro recall, else 1 each (the sum is then n).
std::vector<std::int64_t> denominators(const JoinedRow& row, const Measure& m) {
  if (is_micro(m)) return row.relevant;
  return std::vector<std::int64_t>(row.query_ids.size(), stats::to_fixed(1.0));
}

double ratio(std::int64_t above, std::int64_t below) {
  return static_cast<double>(above) / static_cast<double>(below);
}

std::int64_t sum(const std::vector<std::int64_t>& values) {
  std::int64_t total = 0;
  for (const std::int64_t x : values) total += x;
  return total;
}

// Rows of one data set and backbone with equally many queries: they share the drawn queries.
class Group {
 public:
  Group(std::vector<JoinedRow*> rows, const std::vector<Measure>& measures,
        const AggregateOptions& options, const dist::Comm& comm)
      : rows_(std::move(rows)), measures_(measures), options_(options), comm_(comm) {
    std::vector<std::vector<std::int64_t>> columns;
    for (const JoinedRow* row : rows_) {
      for (const Measure& m : measures_) {
        const auto values = row->values.find(m.name());
        if (values == row->values.end()) continue;
        column_[{row, m.name()}] = columns.size();
        columns.push_back(values->second);
      }
      relevant_column_[row] = columns.size();
      columns.push_back(row->relevant);
    }
    if (!rows_[0]->query_ids.empty()) {
      sums_ = stats::resample_sums(columns, options_.resamples, options_.seed, comm_);
    }
  }

  void measure(JoinedRow& row) const {
    for (const Measure& m : measures_) {
      const auto values = row.values.find(m.name());
      if (values == row.values.end()) continue;
      MeasuredValue& out = row.row.values[m.name()];
      const auto below = denominators(row, m);
      if (!below.empty()) out.mean = ratio(sum(values->second), sum(below));
      out.interval = interval(values->second, below, out.mean, row, nullptr, m);
    }
  }

  // Expects that why_not_comparable has no objection.
  Comparison compare(const JoinedRow& row, const JoinedRow& other, const Measure& m) const {
    const auto& x = row.values.at(m.name());
    const auto& y = other.values.at(m.name());
    const auto below = denominators(row, m);
    Comparison c;
    std::vector<std::int64_t> differences(x.size());
    for (std::size_t q = 0; q < x.size(); ++q) {
      differences[q] = x[q] - y[q];
      (differences[q] > 0 ? c.wins : differences[q] < 0 ? c.losses : c.ties) += 1;
    }
    c.difference = ratio(sum(differences), sum(below));
    c.interval = interval(differences, below, c.difference, row, &other, m);
    c.test = stats::sign_flip_test(std::span<const std::int64_t>(differences), options_.trials,
                                   options_.seed, comm_);
    return c;
  }

 private:
  // Of the row's values, or with `other` of the differences: sums are linear, so that the
  // difference of two replicates is the replicate of the difference.
  stats::Interval interval(const std::vector<std::int64_t>& values,
                           const std::vector<std::int64_t>& below, double mean,
                           const JoinedRow& row, const JoinedRow* other, const Measure& m) const {
    if (stats::is_constant_ratio(values, below)) return {mean, mean, true};
    const std::size_t x = column_.at({&row, m.name()});
    const std::size_t y = other ? column_.at({other, m.name()}) : 0;
    const std::size_t relevant = relevant_column_.at(&row);
    const std::int64_t n = sum(below);
    std::vector<double> replicates(static_cast<std::size_t>(sums_.resamples));
    for (std::int64_t b = 0; b < sums_.resamples; ++b) {
      const std::int64_t above = sums_.at(b, x) - (other ? sums_.at(b, y) : 0);
      replicates[static_cast<std::size_t>(b)] =
          ratio(above, is_micro(m) ? sums_.at(b, relevant) : n);
    }
    return stats::percentile_interval(std::move(replicates));
  }

  std::vector<JoinedRow*> rows_;
  const std::vector<Measure>& measures_;
  const AggregateOptions& options_;
  const dist::Comm& comm_;
  std::map<std::pair<const JoinedRow*, std::string>, std::size_t> column_;
  std::map<const JoinedRow*, std::size_t> relevant_column_;
  stats::ResampledSums sums_;
};

// The row of `method` that `row` is held against: the one with the same k, else the only one.
const JoinedRow* counterpart(const std::vector<JoinedRow*>& rows, const JoinedRow& row,
                             const std::string& method) {
  const JoinedRow* only = nullptr;
  std::size_t found = 0;
  for (const JoinedRow* other : rows) {
    if (other->row.method != method) continue;
    if (other->row.k == row.row.k) return other;
    only = other;
    ++found;
  }
  return found == 1 ? only : nullptr;
}

void compare_with_baseline(JoinedRow& row, const std::vector<JoinedRow*>& rows, const Group& group,
                           const std::vector<Measure>& measures, const AggregateOptions& options) {
  if (row.row.method == options.baseline) return;
  const JoinedRow* base = counterpart(rows, row, options.baseline);
  for (const Measure& m : measures) {
    const auto value = row.row.values.find(m.name());
    if (value == row.row.values.end()) continue;
    std::string& why = value->second.no_comparison_because;
    why = base ? detail::why_not_comparable(row, *base, m)
               : "there is no row of " + options.baseline + " to compare with";
    if (why.empty()) value->second.against_baseline = group.compare(row, *base, m);
  }
}

void compare_with_peer(JoinedRow& row, const std::vector<JoinedRow*>& rows, const Group& group,
                       const Measure& primary, const AggregateOptions& options) {
  if (options.peer.empty() || options.peer == options.baseline || !row.row.k ||
      row.row.method == options.peer || row.row.method == options.baseline) {
    return;
  }
  const JoinedRow* peer = counterpart(rows, row, options.peer);
  if (!peer || peer->row.k != row.row.k) return;
  if (!detail::why_not_comparable(row, *peer, primary).empty()) return;
  row.row.against_peer = group.compare(row, *peer, primary);
}

// Everything about the rows of one data set and backbone.
void fill_place(const std::vector<JoinedRow*>& rows, const std::vector<Measure>& measures,
                const Measure& primary, const AggregateOptions& options, const dist::Comm& comm) {
  std::map<std::size_t, std::vector<JoinedRow*>> by_size;
  for (JoinedRow* row : rows) by_size[row->query_ids.size()].push_back(row);
  for (const auto& [n, members] : by_size) {
    const Group group(members, measures, options, comm);
    for (JoinedRow* row : members) {
      group.measure(*row);
      compare_with_baseline(*row, rows, group, measures, options);
      compare_with_peer(*row, rows, group, primary, options);
    }
  }
}

void check_options(const AggregateOptions& options, const std::vector<Cell>& cells) {
  if (cells.empty()) {
    dist::fail_usage("there is nothing to aggregate", "no cell was given",
                     "Name at least one measures.json with --cell.");
  }
  constexpr std::int64_t kMost = 10'000'000;
  const auto in_range = [](std::int64_t x) { return x >= 1 && x <= kMost; };
  if (!in_range(options.trials) || !in_range(options.resamples)) {
    dist::fail_usage(fmt::format("trials={}, resamples={}", options.trials, options.resamples),
                     fmt::format("each must be between 1 and {}", kMost),
                     "9999 serves most tables.");
  }
  if (!(options.alpha > 0 && options.alpha < 1)) {
    dist::fail_usage(fmt::format("alpha={}", options.alpha), "it must be between 0 and 1",
                     "0.05 is usual.");
  }
}

}  // namespace

Aggregate aggregate(const std::vector<Cell>& cells, const AggregateOptions& options,
                    const dist::Comm& comm) {
  check_options(options, cells);
  Aggregate a;
  a.options = options;
  const Measure primary = parse_measure(options.primary);
  a.options.primary = primary.name();
  a.measures = detail::all_measures(cells);
  std::string known;
  for (const Measure& m : a.measures) known += (known.empty() ? "" : ", ") + m.name();
  if (std::none_of(a.measures.begin(), a.measures.end(),
                   [&](const Measure& m) { return m.name() == a.options.primary; })) {
    dist::fail_usage("primary measure " + a.options.primary + " was not evaluated",
                     "the cells hold " + known,
                     "Choose one of these, or evaluate it: `puma evaluate --measure`.");
  }
  std::vector<JoinedRow> joined = detail::join_cells(cells);
  for (std::size_t begin = 0, end; begin < joined.size(); begin = end) {
    std::vector<JoinedRow*> place;
    for (end = begin; end < joined.size() && joined[end].row.dataset == joined[begin].row.dataset &&
                      joined[end].row.backbone == joined[begin].row.backbone;
         ++end) {
      place.push_back(&joined[end]);
    }
    fill_place(place, a.measures, primary, a.options, comm);
  }
  a.notes = options.notes;
  for (std::string& note : detail::data_notes(joined)) a.notes.push_back(std::move(note));
  for (JoinedRow& row : joined) a.rows.push_back(std::move(row.row));
  return a;
}

}  // namespace puma::eval
