// SPDX-License-Identifier: Apache-2.0
#include "data/run_file.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "data/run_check.hpp"
#include "data_files.hpp"
#include "dist/hdf5.hpp"
#include "dist/log.hpp"

namespace puma::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Run some_run() {
  Run run;
  run.name = "puma-k16";
  run.representation = "sparse";
  run.depth = 5;
  run.pool_size = 1000;
  run.query_ids = {"q2", "q10", "01"};
  run.document_ids = {"d9", "d10", "D", "1"};
  run.ranking = {{{1, 0.1f}, {3, 0.1f}, {0, -0.0f}, {2, 0.0f}}, {}, {{2, 1e-45f}}};
  return run;
}

void expect_equal(const Run& a, const Run& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.query_ids, b.query_ids);
  EXPECT_EQ(a.document_ids, b.document_ids);
  ASSERT_EQ(a.ranking.size(), b.ranking.size());
  for (std::size_t q = 0; q < a.ranking.size(); ++q) {
    ASSERT_EQ(a.ranking[q].size(), b.ranking[q].size());
    for (std::size_t i = 0; i < a.ranking[q].size(); ++i) {
      EXPECT_EQ(a.ranking[q][i].document, b.ranking[q][i].document);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(a.ranking[q][i].score),
                std::bit_cast<std::uint32_t>(b.ranking[q][i].score));
    }
  }
}

TEST(RunFile, ReadsBackWhatWasWritten) {
  const test::ScratchFolder folder;
  write_run(folder / "run.h5", some_run());
  const data::Run run = read_run(folder / "run.h5");
  expect_equal(run, some_run());
  EXPECT_EQ(run.representation, "sparse");
  EXPECT_EQ(run.depth, 5);
  EXPECT_EQ(run.pool_size, 1000);
  write_run(folder / "again.h5", some_run());
  EXPECT_EQ(test::slurp(folder / "run.h5"), test::slurp(folder / "again.h5"));
}

TEST(RunFile, HoldsNoQueriesAndEmptyLists) {
  const test::ScratchFolder folder;
  data::Run none;
  write_run(folder / "none.h5", none);
  expect_equal(read_run(folder / "none.h5"), none);
  none.query_ids = {"a", "b"};
  none.ranking.resize(2);
  write_run(folder / "none.h5", none);
  expect_equal(read_run(folder / "none.h5"), none);
  EXPECT_EQ(trec_text(none), "");
}

TEST(RunFile, ADamagedScoreIsFound) {
  const test::ScratchFolder folder;
  const auto file = folder / "run.h5";
  write_run(file, some_run());
  std::string bytes = test::slurp(file);
  bytes[dist::H5Reader(file).offset("scores")] ^= 1;
  test::spill(file, bytes);
  test::input_error([&] { read_run(file); });
}

TEST(RunFile, SurvivesDamagedCopies) {
  const test::ScratchFolder folder;
  write_run(folder / "good.h5", some_run());
  const auto file = folder / "fuzz.h5";
  test::fuzz(test::slurp(folder / "good.h5"), file, 400, [&] { read_run(file); });
}

TEST(RunCheck, RefusesEveryWayToBeNoRun) {
  const auto problem_after = [](const std::function<void(data::Run&)>& damage) {
    data::Run run = some_run();
    damage(run);
    const auto problem = check_run(run);
    return problem ? problem->problem : "none";
  };
  EXPECT_EQ(problem_after([](data::Run&) {}), "none");
  EXPECT_EQ(problem_after([](data::Run& r) { r.ranking[0][0].document = 4; }),
            "query 'q2': rank 1 names an unknown document");
  EXPECT_EQ(problem_after([](data::Run& r) { r.ranking[0][0].score = NAN; }),
            "query 'q2': rank 1 has no finite score");
  EXPECT_EQ(problem_after([](data::Run& r) { std::swap(r.ranking[0][0], r.ranking[0][1]); }),
            "query 'q2': rank 2 is out of order");
  EXPECT_EQ(problem_after([](data::Run& r) { r.ranking[0][2].document = 3; }),
            "query 'q2': rank 4 is out of order");
  EXPECT_EQ(problem_after([](data::Run& r) {
              r.ranking[0][3].document = 1;
              r.ranking[0][3].score = -1;
            }),
            "query 'q2': a document is listed twice");
  EXPECT_EQ(problem_after([](data::Run& r) { r.depth = 3; }),
            "query 'q2': a list is longer than the depth");
  EXPECT_EQ(problem_after([](data::Run& r) { r.query_ids[1] = "q2"; }), "a query id occurs twice");
  EXPECT_EQ(problem_after([](data::Run& r) { std::swap(r.document_ids[0], r.document_ids[1]); }),
            "document ids are out of order");
  EXPECT_EQ(problem_after([](data::Run& r) { r.tie_rule = "random"; }), "unknown tie rule");
}

TEST(Shortest, ReadsBackAsTheSameFloat) {
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const float value =
        std::bit_cast<float>(dist::random_u32(1, dist::RandomPurpose::test_data, 0, i));
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(std::strtof(shortest(value).c_str(), nullptr)),
              std::bit_cast<std::uint32_t>(value));
  }
  EXPECT_EQ(shortest(0.1f), "0.1");
}

TEST(Trec, TextReadsBackAsTheSameRun) {
  const test::ScratchFolder folder;
  data::Run run = some_run();
  test::spill(folder / "run.trec", trec_text(run));
  // A query without results has no line.
  run.query_ids.erase(run.query_ids.begin() + 1);
  run.ranking.erase(run.ranking.begin() + 1);
  expect_equal(read_trec_run(folder / "run.trec"), run);
}

TEST(Trec, SortsByScoreThenIdBytesDescendingAndIgnoresTheRank) {
  const test::ScratchFolder folder;
  const auto file = folder / "run.trec";
  test::spill(file,
              "\xEF\xBB\xBFq1\tQ0\td1\t9\t1.5\ttag\r\n"
              "q2 Q0 d1 1 -1e-3 tag\r\n"
              "\n"
              "q1  Q0  d10  1  +1.5  tag\n"
              "q1 Q0 d\xC3\xA9 7 15e-1 tag\n"
              "q1 Q0 z 7 1e-400 tag");
  const data::Run run = read_trec_run(file);
  EXPECT_THAT(run.query_ids, ElementsAre("q1", "q2"));
  EXPECT_THAT(run.document_ids, ElementsAre("z", "d\xC3\xA9", "d10", "d1"));
  EXPECT_EQ(trec_text(run),
            "q1 Q0 d\xC3\xA9 1 1.5 tag\nq1 Q0 d10 2 1.5 tag\nq1 Q0 d1 3 1.5 tag\nq1 Q0 z 4 0 tag\n"
            "q2 Q0 d1 1 -0.001 tag\n");
}

TEST(Trec, TakesSevenColumns) {
  const test::ScratchFolder folder;
  test::spill(folder / "u.trec", "1:2 Q0 3:4 1 0.5 uniir 0\n");
  EXPECT_EQ(trec_text(read_trec_run(folder / "u.trec")), "1:2 Q0 3:4 1 0.5 uniir\n");
}

TEST(Trec, RefusesBadLinesWithTheirNumber) {
  const test::ScratchFolder folder;
  const auto file = folder / "run.trec";
  const auto message = [&](const std::string& text) {
    test::spill(file, text);
    return test::input_error([&] { read_trec_run(file); });
  };
  const std::string good = "q Q0 a 1 1 t\n";
  EXPECT_THAT(message(good + "q Q0 b 2 .5\n"),
              HasSubstr("run.trec:2: this is no line of a TREC run (expected 6 columns"));
  for (const std::string& bad :
       std::vector<std::string>{"nan", "inf", "-inf", "1e39", "1x", "x", "++1", "0x1p3", "1e400"}) {
    EXPECT_THAT(
        message(good + "q Q0 b 2 " + bad + " t\n"),
        HasSubstr(
            "run.trec:2: the score is no finite number (expected a float32 such as 0.25, found '" +
            bad + "')"));
  }
  EXPECT_THAT(message(good + "r Q0 a 1 1 t\n" + "q Q0 a 2 .5 t\n"),
              HasSubstr("run.trec:3: a document is listed twice for one query (expected each "
                        "document once, found 'a' for query 'q' in lines 1 and 3)"));
  EXPECT_THAT(message(" \n"), HasSubstr("there are no results"));
  EXPECT_THAT(message(good + "q Q0 " + std::string(300, 'x') + " 2 .5 t\n"),
              HasSubstr("run.trec:2: an id or tag is too long"));
}

TEST(Trec, RefusesIdsThatDoNotFitAColumn) {
  data::Run run = some_run();
  run.query_ids[0] = "two words";
  EXPECT_THAT(test::input_error([&] { trec_text(run); }), HasSubstr("found 'two words'"));
}

TEST(Trec, SurvivesDamagedCopies) {
  const test::ScratchFolder folder;
  const auto file = folder / "fuzz.trec";
  dist::set_log_level(dist::LogLevel::error);  // a damaged tag is warned about, hundreds of times
  test::fuzz(trec_text(some_run()), file, 1000, [&] { read_trec_run(file); });
  dist::set_log_level(dist::LogLevel::info);
}

}  // namespace
}  // namespace puma::data
