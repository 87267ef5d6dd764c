// SPDX-License-Identifier: Apache-2.0
// Our measures against trec_eval's own code, through pytrec_eval (tests/fixtures/measures, with the
// script that made it).
#include <gtest/gtest.h>

#include <algorithm>

#include "dist/files.hpp"
#include "eval/evaluate_files.hpp"

namespace puma::eval {
namespace {

TEST(MeasuresAgreement, WithPytrecEvalQueryByQueryTiesIncluded) {
  const std::filesystem::path folder =
      std::filesystem::path(PUMA_SOURCE_DIR) / "tests/fixtures/measures";
  const auto expected = nlohmann::json::parse(dist::read_file(folder / "expected.json"));
  const auto table = evaluate_files(folder / "run.trec", folder / "qrels.txt", "",
                                    {"nDCG@10", "R@10", "Success@5", "RR"});
  std::size_t compared = 0;
  for (std::size_t q = 0; q < table.query_ids.size(); ++q) {
    if (!expected.contains(table.query_ids[q])) continue;  // pytrec_eval skips what the run lacks
    ++compared;
    for (std::size_t m = 0; m < table.measures.size(); ++m) {
      EXPECT_NEAR(table.values[m][q],
                  expected[table.query_ids[q]][table.measures[m].name()].get<double>(), 1e-6)
          << table.query_ids[q] << " " << table.measures[m].name();
    }
  }
  EXPECT_GE(compared, 35u);
  EXPECT_GT(table.ties_across_cutoff, 10);
  EXPECT_EQ(table.missing_from_run, std::vector<std::string>{"missing"});
  EXPECT_EQ(table.unjudged, std::vector<std::string>{"unjudged"});
}

TEST(MeasuresText, CountsAndNamesWhatWasLeftOut) {
  const std::filesystem::path folder =
      std::filesystem::path(PUMA_SOURCE_DIR) / "tests/fixtures/measures";
  const std::string text =
      measures_text(evaluate_files(folder / "run.trec", folder / "qrels.txt", "", {"RR"}));
  EXPECT_NE(text.find("missing from the run, counted as 0: 1 (missing)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("in the run without judgements, ignored: 1 (unjudged)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("RR"), std::string::npos);
}

}  // namespace
}  // namespace puma::eval
