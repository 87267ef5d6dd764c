// SPDX-License-Identifier: Apache-2.0
#include "model/training_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "data/dense_cache.hpp"
#include "dist/error.hpp"
#include "model/raw_topk.hpp"
#include "toy_training.hpp"

namespace puma::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Twenty queries q00 to q19, eight candidates in canonical order d7 ... d0; query i's positive is
// candidate d(i mod 8).
class TrainingFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        toy_options("data-" +
                    std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))
            .folder;
    std::filesystem::create_directories(folder_);
    std::vector<std::string> queries, candidates;
    std::string qrels;
    for (int i = 0; i < 20; ++i) {
      queries.push_back("q" + std::to_string(10 + i));
      qrels += queries.back() + " 0 d" + std::to_string(i % 8) + " 1\n";
    }
    for (int i = 7; i >= 0; --i) candidates.push_back("d" + std::to_string(i));
    cache("q.h5", data::CacheRole::queries, queries, 4);
    cache("c.h5", data::CacheRole::candidates, candidates, 4);
    dist::write_file(folder_ / "qrels.txt", qrels);
    files_.queries = folder_ / "q.h5";
    files_.candidates = folder_ / "c.h5";
    files_.qrels = folder_ / "qrels.txt";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void cache(const std::string& name, data::CacheRole role, const std::vector<std::string>& ids,
             std::int64_t dim) {
    data::CacheInfo info;
    info.role = role;
    info.rows = static_cast<std::int64_t>(ids.size());
    info.dim = dim;
    info.backbone = "toy";
    const auto rows = random_rows(info.rows, dim, 30);
    data::write_dense_cache({}, folder_ / name, info, ids, {0, info.rows},
                            std::as_bytes(std::span(rows)));
  }
  std::string refusal() const {
    try {
      read_training_inputs(files_, recipe_);
    } catch (const dist::Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  std::filesystem::path folder_;
  TrainingFiles files_;
  config::Recipe recipe_ = config::recipe_preset("paper");
};

TEST_F(TrainingFilesTest, HoldsOutATenthByTheSameRuleEveryTime) {
  const TrainingInputs a = read_training_inputs(files_, recipe_),
                       b = read_training_inputs(files_, recipe_);
  EXPECT_EQ(a.data.positives.size(), 18u);
  EXPECT_EQ(a.validation.query_ids.size(), 2u);
  EXPECT_EQ(a.validation.query_ids, b.validation.query_ids);
  EXPECT_EQ(a.data.queries, b.data.queries);
  EXPECT_EQ(a.data.checksum, b.data.checksum);
  EXPECT_EQ(a.data.validation_queries.size(), 8u);
  EXPECT_EQ(a.validation.qrels.judgements.size(), 2u);
  EXPECT_EQ(a.validation.pool_ids.front(), "d7");
  EXPECT_EQ(a.without_positive, 0);
}

TEST_F(TrainingFilesTest, PositivesAreRowsOfThePool) {
  recipe_.validation_fraction = 0;
  const TrainingInputs inputs = read_training_inputs(files_, recipe_);
  ASSERT_EQ(inputs.data.positives.size(), 20u);
  EXPECT_TRUE(inputs.data.validation_queries.empty());
  EXPECT_THAT(inputs.data.positives[0], ElementsAre(7));  // d0 is the last row
  EXPECT_THAT(inputs.data.positives[9], ElementsAre(6));
  EXPECT_EQ(inputs.data.queries, random_rows(20, 4, 30));
}

TEST_F(TrainingFilesTest, TheCapKeepsQueriesOutOfTrainingToo) {
  recipe_.validation_fraction = 0.5;
  recipe_.validation_cap = 3;
  const TrainingInputs inputs = read_training_inputs(files_, recipe_);
  EXPECT_EQ(inputs.data.positives.size(), 10u);
  EXPECT_EQ(inputs.validation.query_ids.size(), 3u);
}

TEST_F(TrainingFilesTest, AValidationCacheTakesTheSplitsPlace) {
  files_.validation_queries = files_.queries;
  files_.validation_qrels = files_.qrels;
  const TrainingInputs inputs = read_training_inputs(files_, recipe_);
  EXPECT_EQ(inputs.data.positives.size(), 20u);
  EXPECT_EQ(inputs.validation.query_ids.size(), 20u);
}

TEST_F(TrainingFilesTest, QueriesWithoutAPositiveInThePoolAreCountedAndLeftOut) {
  dist::write_file(files_.qrels,
                   "q10 0 d1 1\nq11 0 d1 0\nq12 0 elsewhere 1\nq13 0 d0 1\nq13 0 d3 1\n");
  recipe_.validation_fraction = 0;
  const TrainingInputs inputs = read_training_inputs(files_, recipe_);
  EXPECT_EQ(inputs.without_positive, 18);
  ASSERT_EQ(inputs.data.positives.size(), 2u);
  EXPECT_THAT(inputs.data.positives[1], ElementsAre(4, 7));
}

TEST_F(TrainingFilesTest, NegativesAreJoinedById) {
  dist::write_file(folder_ / "n.tsv", "q10\td5\nq10\tunknown\nq13\td2\n");
  files_.negatives = folder_ / "n.tsv";
  recipe_.validation_fraction = 0;
  const TrainingInputs inputs = read_training_inputs(files_, recipe_);
  EXPECT_EQ(inputs.unknown_negatives, 1);
  ASSERT_EQ(inputs.data.hard_negatives.size(), 20u);
  EXPECT_THAT(inputs.data.hard_negatives[0], ElementsAre(2));
  EXPECT_THAT(inputs.data.hard_negatives[3], ElementsAre(5));
  files_.negatives.clear();
  EXPECT_NE(read_training_inputs(files_, recipe_).data.checksum, inputs.data.checksum);
}

TEST_F(TrainingFilesTest, RefusesCachesOfDifferentDimensionNamingBoth) {
  cache("wide.h5", data::CacheRole::candidates, {"d1", "d0"}, 5);
  files_.candidates = folder_ / "wide.h5";
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("q.h5"), HasSubstr("5 as in"),
                                        HasSubstr("wide.h5"), HasSubstr("found 4")));
}

TEST_F(TrainingFilesTest, RefusesJudgementsThatNoQueryCanUse) {
  dist::write_file(files_.qrels, "q10 0 elsewhere 1\n");
  EXPECT_THAT(refusal(), HasSubstr("no query has a positive in the pool"));
}

TEST_F(TrainingFilesTest, RefusesAnUnknownQuery) {
  dist::write_file(files_.qrels, "stranger 0 d1 1\n");
  EXPECT_THAT(refusal(), HasSubstr("stranger"));
}

TEST(ValidationCount, RoundsHalfToEvenWithinOneAndAllButOne) {
  EXPECT_EQ(validation_count(25, 0.1), 2);
  EXPECT_EQ(validation_count(35, 0.1), 4);
  EXPECT_EQ(validation_count(3, 0.1), 1);
  EXPECT_EQ(validation_count(1, 0.1), 0);
  EXPECT_EQ(validation_count(2, 0.9), 1);
  EXPECT_EQ(validation_count(100, 0), 0);
}

TEST_F(TrainingFilesTest, RawTopKKeepsSignsAndIsAFunctionOfTheRow) {
  const auto opened = data::DenseCache::open(files_.queries);
  const data::CodeMatrix whole = encode_raw_topk(opened, {0, 20}, 2),
                         part = encode_raw_topk(opened, {5, 20}, 2);
  EXPECT_TRUE(whole.is_signed);
  EXPECT_EQ(whole.dictionary, 4);
  for (std::int64_t i = 0; i < part.rows; ++i) {
    ASSERT_EQ(part.row_values(i).size(), 2u);
    EXPECT_EQ(part.row_atoms(i)[0], whole.row_atoms(i + 5)[0]);
    EXPECT_GE(std::abs(part.row_values(i)[0]), std::abs(part.row_values(i)[1]));
  }
  EXPECT_THROW(encode_raw_topk(opened, {0, 20}, 5), dist::Error);
}

}  // namespace
}  // namespace puma::model
