// SPDX-License-Identifier: Apache-2.0
#include "eval/measures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dist/error.hpp"

namespace puma::eval {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A run whose query lists the documents in this order, with falling or equal scores.
data::Run run_of(const std::vector<std::pair<std::string, std::vector<std::string>>>& lists,
                 bool tied = false) {
  data::Run run;
  for (const auto& [query, documents] : lists) {
    run.query_ids.push_back(query);
    auto& ranking = run.ranking.emplace_back();
    for (const std::string& document : documents) {
      ranking.push_back({static_cast<std::uint32_t>(run.document_ids.size()),
                         tied ? 1.0f : 100.0f - static_cast<float>(ranking.size())});
      run.document_ids.push_back(document);
    }
  }
  return run;
}

MeasureTable measured(const data::Run& run, const data::Qrels& qrels,
                      const std::vector<std::string>& pool, const std::vector<std::string>& names) {
  std::vector<Measure> measures;
  for (const std::string& name : names) measures.push_back(parse_measure(name));
  return evaluate(run, qrels, pool, measures);
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const dist::Error& e) {
    EXPECT_EQ(e.code(), dist::ExitCode::bad_input);
    return e.what();
  }
  return "no error";
}

TEST(Measures, OfGradesOneThreeTwoUseLinearGain) {
  const auto table =
      measured(run_of({{"q", {"c", "b", "a"}}}), {{{"q", {{"a", 2}, {"b", 3}, {"c", 1}}}}},
               {"a", "b", "c"}, {"nDCG@10", "nDCG", "nDCG@1"});
  EXPECT_NEAR(table.mean(0), 0.8175, 5e-5);
  EXPECT_EQ(table.mean(0), table.mean(1));
  EXPECT_DOUBLE_EQ(table.mean(2), 1.0 / 3.0);
}

TEST(Measures, CountRelevantDocumentsThatWereNotRetrieved) {
  // Two relevant, one retrieved at rank 2: the ideal holds both.
  const auto table =
      measured(run_of({{"q", {"x", "a"}}}), {{{"q", {{"a", 1}, {"b", 1}, {"x", 0}}}}},
               {"a", "b", "x"}, {"nDCG@10", "R@1", "R@2", "Success@1", "Success@2", "RR", "RR@1"});
  EXPECT_DOUBLE_EQ(table.mean(0), (1 / std::log2(3.0)) / (1 + 1 / std::log2(3.0)));
  EXPECT_EQ(table.mean(1), 0.0);
  EXPECT_EQ(table.mean(2), 0.5);
  EXPECT_EQ(table.mean(3), 0.0);
  EXPECT_EQ(table.mean(4), 1.0);
  EXPECT_EQ(table.mean(5), 0.5);
  EXPECT_EQ(table.mean(6), 0.0);
}

TEST(Measures, AverageRecallByQueryAndMicroRecallByPair) {
  const data::Qrels qrels{{{"p", {{"a", 1}}}, {"q", {{"b", 1}, {"c", 1}, {"d", 1}}}}};
  const auto table = measured(run_of({{"p", {"a"}}, {"q", {"b", "x"}}}), qrels,
                              {"a", "b", "c", "d", "x"}, {"R@10", "MicroR@10"});
  EXPECT_DOUBLE_EQ(table.mean(0), (1.0 + 1.0 / 3.0) / 2);
  EXPECT_DOUBLE_EQ(table.mean(1), 2.0 / 4.0);
  EXPECT_THAT(table.values[1], ElementsAre(1.0, 1.0));
  EXPECT_THAT(table.relevant, ElementsAre(1.0, 3.0));
}

TEST(Measures, SkipOnlyQueriesWithoutAnyPositiveInThePool) {
  const data::Qrels qrels{
      {{"half", {{"a", 1}, {"gone", 1}}}, {"none", {{"gone", 1}}}, {"zero", {{"a", 0}}}}};
  const auto table =
      measured(run_of({{"half", {"a"}}, {"none", {"a"}}}), qrels, {"a"}, {"R@10", "nDCG@10"});
  EXPECT_THAT(table.query_ids, ElementsAre("half"));
  EXPECT_THAT(table.without_positive_in_pool, ElementsAre("none", "zero"));
  EXPECT_EQ(table.judged_queries, 3);
  EXPECT_EQ(table.positives_outside_pool, 1);
  EXPECT_EQ(table.mean(0), 0.5);  // the document outside the pool stays in the denominator
  EXPECT_LT(table.mean(1), 1.0);  // and in the ideal
}

TEST(Measures, CountQueriesMissingFromTheRunAsZeroAndIgnoreUnjudged) {
  const data::Qrels qrels{{{"a", {{"d", 1}}}, {"b", {{"d", 1}}}, {"empty", {{"d", 1}}}}};
  const auto table = measured(run_of({{"z", {"d"}}, {"y", {}}, {"a", {"d"}}, {"empty", {}}}), qrels,
                              {"d"}, {"RR"});
  EXPECT_THAT(table.query_ids, ElementsAre("a", "b", "empty"));
  EXPECT_THAT(table.values[0], ElementsAre(1.0, 0.0, 0.0));
  EXPECT_THAT(table.missing_from_run, ElementsAre("b"));
  EXPECT_THAT(table.unjudged, ElementsAre("y", "z"));
}

TEST(Measures, CountTiesThatStraddleACutoff) {
  const data::Qrels qrels{{{"q", {{"c", 1}}}}};
  const std::vector<std::string> pool{"a", "b", "c"};
  const auto run = run_of({{"q", {"c", "b", "a"}}}, true);
  EXPECT_EQ(measured(run, qrels, pool, {"Success@2", "R@1"}).ties_across_cutoff, 1);
  EXPECT_EQ(measured(run, qrels, pool, {"Success@3", "RR"}).ties_across_cutoff, 0);
  EXPECT_EQ(measured(run_of({{"q", {"c", "b"}}}), qrels, pool, {"R@1"}).ties_across_cutoff, 0);
}

TEST(Measures, HaveNoMeanWithoutQueries) {
  const auto table = measured({}, {}, {}, {"RR", "MicroR@3"});
  EXPECT_TRUE(std::isnan(table.mean(0)) && std::isnan(table.mean(1)));
  EXPECT_TRUE(measures_json(table).at("measures").at(0).at("mean").is_null());
}

TEST(Measures, KnowTheirNames) {
  for (const std::string name :
       {"Success@5", "R@10", "MicroR@10", "nDCG@10", "nDCG", "RR", "RR@100"}) {
    EXPECT_EQ(parse_measure(name).name(), name);
    EXPECT_FALSE(parse_measure(name).definition().empty());
  }
  EXPECT_EQ(parse_measure("Hit@5").name(), "Success@5");
}

TEST(Measures, RefuseOtherNamesAndCutoffs) {
  EXPECT_THAT(message_of([] { parse_measure("MAP@5"); }), HasSubstr("known are Success@k"));
  EXPECT_THAT(message_of([] { parse_measure("R"); }), HasSubstr("no cutoff"));
  for (const std::string name :
       {"nDCG@", "nDCG@0", "nDCG@-1", "nDCG@ten", "nDCG@1x", "nDCG@99999999999999999999"}) {
    EXPECT_THAT(message_of([&] { parse_measure(name); }), HasSubstr("no usable cutoff")) << name;
  }
}

TEST(Measures, SurviveJsonWithoutLosingABit) {
  const data::Qrels qrels{
      {{"p", {{"a", 1}, {"b", 3}, {"gone", 1}}}, {"q", {{"b", 2}}}, {"r", {{"gone", 1}}}}};
  const auto table = measured(run_of({{"p", {"x", "b", "a"}}, {"u", {"a"}}}), qrels,
                              {"a", "b", "x"}, {"nDCG@10", "R@10", "MicroR@2", "RR"});
  const auto back =
      measures_from_json(nlohmann::json::parse(measures_json(table).dump()), "m.json");
  EXPECT_EQ(measures_json(back), measures_json(table));
  EXPECT_EQ(back.values, table.values);
  EXPECT_EQ(back.mean(2), table.mean(2));
}

TEST(Measures, RefuseDamagedJsonNamingTheFile) {
  const auto good =
      measures_json(measured(run_of({{"p", {"a"}}}), {{{"p", {{"a", 1}}}}}, {"a"}, {"RR"}));
  const auto refuses = [&](const std::function<void(nlohmann::json&)>& damage,
                           const std::string& words) {
    auto json = good;
    damage(json);
    const std::string message = message_of([&] { measures_from_json(json, "m.json"); });
    EXPECT_THAT(message, HasSubstr("m.json"));
    EXPECT_THAT(message, HasSubstr(words));
  };
  refuses([](auto& j) { j = 3; }, "not a file of measures");
  refuses([](auto& j) { j["format"] = "else"; }, "not a file of measures");
  refuses([](auto& j) { j["version"] = 2; }, "version");
  refuses([](auto& j) { j.erase("query_ids"); }, "'query_ids'");
  refuses([](auto& j) { j["query_ids"] = {"p", "p"}; }, "out of order");
  refuses([](auto& j) { j["measures"][0]["values"] = {1.0, 2.0}; }, "wrong number");
  refuses([](auto& j) { j["measures"][0]["values"] = {-1.0}; }, "impossible value");
  refuses([](auto& j) { j["measures"][0]["values"] = {"1"}; }, "'values'");
  refuses([](auto& j) { j["measures"][0] = 7; }, "'name'");
}

}  // namespace
}  // namespace puma::eval
