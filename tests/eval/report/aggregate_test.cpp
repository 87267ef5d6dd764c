// SPDX-License-Identifier: Apache-2.0
#include "eval/report/aggregate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "dist/error.hpp"
#include "eval/report/render.hpp"
#include "sample_cells.hpp"

namespace puma::eval {
namespace {

using dist::Comm;
using ::testing::HasSubstr;
using testing::quick_options;
using testing::sample_cell;
using testing::sample_cells;

std::string problem_of(const std::vector<Cell>& cells, const AggregateOptions& options) {
  try {
    aggregate(cells, options);
  } catch (const dist::Error& e) {
    EXPECT_EQ(e.code(), dist::ExitCode::bad_input);
    return e.what();
  }
  return "";
}

TEST(Aggregate, OrdersRowsDensePlainOthersPumaByK) {
  auto cells = sample_cells();
  cells.push_back(sample_cell("toy_task7", "pca", 16, 0.3));
  const Aggregate a = aggregate(cells, quick_options(), Comm::world());
  std::string order;
  for (const Row& row : a.rows) {
    if (row.dataset == "toy_task7") {
      order += fmt::format("{}{} ", row.method, row.k.value_or(0));
    }
  }
  EXPECT_EQ(order, "dense0 raw_topk8 raw_topk16 raw_topk32 pca16 puma8 puma16 puma32 ");
  EXPECT_EQ(a.rows.front().dataset, "toy_task7");
  EXPECT_EQ(a.rows.back().dataset, "toy_task0");
}

TEST(Aggregate, EqualsTheTestsOfOneColumn) {
  const Aggregate a = aggregate(sample_cells(), quick_options(), Comm::world());
  const Row& dense = a.rows[0];
  const Row& puma = a.rows[4];
  ASSERT_EQ(puma.method, "puma");
  const auto x = sample_cell("toy_task7", "puma", 8, 0.35 + 0.004 * 8).measures.values[1];
  const auto y = sample_cell("toy_task7", "dense", std::nullopt, 0.5).measures.values[1];
  std::vector<double> d;
  for (std::size_t q = 0; q < x.size(); ++q) d.push_back(x[q] - y[q]);
  const auto& value = puma.values.at("nDCG@10");
  const auto interval = stats::bootstrap_mean(x, 399, 0);
  EXPECT_NEAR(value.interval.low, interval.low, 1e-11);
  EXPECT_NEAR(value.interval.high, interval.high, 1e-11);
  ASSERT_TRUE(value.against_baseline);
  const auto difference = stats::bootstrap_mean(d, 399, 0);
  EXPECT_NEAR(value.against_baseline->interval.low, difference.low, 1e-11);
  EXPECT_EQ(value.against_baseline->test.p, stats::sign_flip_test(d, 499, 0).p);
  EXPECT_NEAR(value.against_baseline->difference, value.mean - dense.values.at("nDCG@10").mean,
              1e-11);
  EXPECT_EQ(
      value.against_baseline->wins + value.against_baseline->ties + value.against_baseline->losses,
      60);
  EXPECT_FALSE(dense.values.at("nDCG@10").against_baseline);
  EXPECT_EQ(dense.values.at("nDCG@10").no_comparison_because, "");
}

TEST(Aggregate, SameBytesOnEveryNumberOfRanks) {
  const Aggregate shared = aggregate(sample_cells(), quick_options(), Comm::world());
  const Aggregate alone = aggregate(sample_cells(), quick_options());
  EXPECT_EQ(render_json(shared).dump(), render_json(alone).dump());
  EXPECT_EQ(render_markdown(shared), render_markdown(alone));
  AggregateOptions other = quick_options();
  other.seed = 1;
  auto json = render_json(aggregate(sample_cells(), other, Comm::world()));
  EXPECT_NE(json["rows"].dump(), render_json(alone)["rows"].dump());
}

TEST(Aggregate, JoinsByIdNotByPosition) {
  auto cells = sample_cells();
  const std::string before = render_json(aggregate(cells, quick_options())).dump();
  auto& t = cells[0].measures;
  std::reverse(t.query_ids.begin(), t.query_ids.end());
  std::reverse(t.relevant.begin(), t.relevant.end());
  for (auto& column : t.values) std::reverse(column.begin(), column.end());
  EXPECT_EQ(render_json(aggregate(cells, quick_options())).dump(), before);
}

TEST(Aggregate, AveragesSeedsPerQueryFirst) {
  std::vector<Cell> cells{sample_cell("toy", "dense", std::nullopt, .5)};
  for (const std::int64_t seed : {2, 0, 1}) {
    cells.push_back(sample_cell("toy", "puma", 8, .4, 60, seed));
  }
  const Aggregate a = aggregate(cells, quick_options());
  ASSERT_EQ(a.rows.size(), 2u);
  EXPECT_EQ(a.rows[1].seeds, (std::vector<std::int64_t>{0, 1, 2}));
  double sum = 0;
  for (std::size_t c = 1; c < 4; ++c) {
    for (const double x : cells[c].measures.values[1]) sum += x;
  }
  EXPECT_NEAR(a.rows[1].values.at("nDCG@10").mean, sum / 180, 1e-11);
  EXPECT_EQ(a.rows[1].provenance.size(), 3u);
}

TEST(Aggregate, RefusesAMarkerWhereInputsDiffer) {
  const auto reason = [](auto change) {
    std::vector<Cell> cells{sample_cell("toy", "dense", std::nullopt, .5),
                            sample_cell("toy", "puma", 8, .4)};
    change(cells[1]);
    const Aggregate a = aggregate(cells, quick_options());
    const auto& value = a.rows[1].values.at("nDCG@10");
    EXPECT_FALSE(value.against_baseline);
    EXPECT_EQ(render_markdown(a).find("†  "), std::string::npos);
    EXPECT_THAT(verdicts(a)[0], HasSubstr("puma k=8 is not compared with dense on toy"));
    return value.no_comparison_because;
  };
  EXPECT_EQ(reason([](Cell& c) { c.qrels_checksum = "other"; }), "the relevance judgements differ");
  EXPECT_EQ(reason([](Cell& c) { c.tie_rule = "as found"; }), "the tie rules differ");
  EXPECT_EQ(reason([](Cell& c) { c.measures.query_ids.back() = "zz"; }), "the query sets differ");
  EXPECT_EQ(reason([](Cell& c) { c = sample_cell("toy", "puma", 8, .4, 59); }),
            "the query sets differ");
  EXPECT_EQ(reason([](Cell& c) { c.backbone = "other"; }),
            "there is no row of dense to compare with");
}

TEST(Aggregate, ComparesWithThePeerAtEqualK) {
  const Aggregate a = aggregate(sample_cells(), quick_options());
  EXPECT_TRUE(a.rows[4].against_peer);
  EXPECT_FALSE(a.rows[1].against_peer);
  const auto lines = verdicts(a);
  EXPECT_THAT(lines,
              ::testing::Contains(HasSubstr("puma k=8 beats raw_topk k=8 on toy_task7: +.")));
}

TEST(Aggregate, MicroRecallIsARatioOfSums) {
  std::vector<Cell> cells{sample_cell("toy", "dense", std::nullopt, .5, 3),
                          sample_cell("toy", "puma", 8, .4, 3)};
  for (Cell& c : cells) {
    c.measures.measures = {parse_measure("MicroR@10")};
    c.measures.values = {{1, 0, 5}};
    c.measures.relevant = {1, 1, 8};
  }
  AggregateOptions options = quick_options();
  options.primary = "MicroR@10";
  const Aggregate a = aggregate(cells, options);
  const auto& value = a.rows[1].values.at("MicroR@10");
  EXPECT_NEAR(value.mean, .6, 1e-12);
  ASSERT_TRUE(value.against_baseline);
  EXPECT_EQ(value.against_baseline->test.p, 1.0);
  EXPECT_TRUE(value.against_baseline->interval.degenerate);
  EXPECT_EQ(value.against_baseline->ties, 3);
}

TEST(Aggregate, OneQueryAndNoQueryMakeATable) {
  for (const std::size_t n : {1u, 0u}) {
    const Aggregate a = aggregate(
        {sample_cell("toy", "dense", std::nullopt, .5, n), sample_cell("toy", "puma", 8, .4, n)},
        quick_options(), Comm::world());
    EXPECT_TRUE(a.rows[0].values.at("nDCG@10").interval.degenerate);
    EXPECT_EQ(render_json(a)["rows"][1].dump().find("null"), std::string::npos);
    EXPECT_EQ(render_csv(a).find(",nan"), std::string::npos);
  }
}

TEST(Aggregate, NamesTheBadCell) {
  auto cells = sample_cells();
  cells[2].measures.values[1][5] = std::numeric_limits<double>::quiet_NaN();
  const std::string problem = problem_of(cells, quick_options());
  EXPECT_THAT(problem, HasSubstr("nDCG@10 of query q1005 is no number"));
  EXPECT_THAT(problem, HasSubstr("evaluate/toy_task7-puma8-0"));

  cells = sample_cells();
  cells.push_back(cells[3]);
  EXPECT_THAT(problem_of(cells, quick_options()), HasSubstr("is given twice"));
  cells = sample_cells();
  cells[1].measures.query_ids[1] = cells[1].measures.query_ids[0];
  EXPECT_THAT(problem_of(cells, quick_options()), HasSubstr("a query is listed twice"));
  AggregateOptions options = quick_options();
  options.primary = "RR";
  EXPECT_THAT(problem_of(sample_cells(), options), HasSubstr("the cells hold Success@5, nDCG@10"));
  EXPECT_THAT(problem_of({}, quick_options()), HasSubstr("nothing to aggregate"));
  options = quick_options();
  options.trials = 0;
  EXPECT_THAT(problem_of(sample_cells(), options), HasSubstr("between 1 and"));
}

TEST(Aggregate, NotesWhatWasLeftOut) {
  auto cells = sample_cells();
  for (Cell& c : cells) c.measures.without_positive_in_pool = {"qa", "qb"};
  cells[0].measures.ties_across_cutoff = 4;
  cells[1].measures.missing_from_run = {"q1003"};
  const Aggregate a = aggregate(cells, quick_options());
  EXPECT_THAT(
      a.notes,
      ::testing::ElementsAre(
          HasSubstr("toy_task7, toy256: 2 judged queries without a relevant document"),
          HasSubstr("toy_task7, toy256, raw_topk k=32: 1 judged query missing from the run"),
          HasSubstr("toy_task0, toy256: 2 judged queries"), HasSubstr("puma k=32 (4)")))
      << ::testing::PrintToString(a.notes);
}

}  // namespace
}  // namespace puma::eval
