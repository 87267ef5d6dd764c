// SPDX-License-Identifier: Apache-2.0
#include "data/negatives.hpp"

#include "data_files.hpp"

namespace puma::data {
namespace {

using test::input_error;
using test::spill;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct NegativesTest : ::testing::Test {
  test::ScratchFolder folder;
  std::filesystem::path tsv = folder / "negatives.tsv", jsonl = folder / "queries.jsonl";

  Negatives from_lines(const std::string& text) {
    spill(jsonl, text);
    return negatives_from_query_jsonl(jsonl);
  }
  std::string line_error(const std::string& text) {
    return input_error([&] { from_lines(text); });
  }
};

constexpr const char* kLine =
    R"({"qid": "8:17", "query_txt": "Same \"dog\" but on grass.", "query_img_path": null, "pos_cand_list": ["8:4021"], "neg_cand_list": ["8:9310", "8:77"], "task_id": 7})";

TEST_F(NegativesTest, ReadsMbeirQueryLines) {
  const Negatives negatives =
      from_lines(std::string(kLine) + "\r\n" +
                 R"({"qid": "8:18", "neg_cand_list": []})"
                 "\n"
                 R"({"qid": "8:19", "neg_cand_list": null})"
                 "\n"
                 R"({"qid": "8:20", "neg_cand_list": [{"did": "8:1"}, {"did": "8:1"}]})");
  EXPECT_EQ(negatives, (Negatives{{"8:17", {"8:77", "8:9310"}}, {"8:20", {"8:1"}}}));
  EXPECT_EQ(negatives_text(negatives), "8:17\t8:77\n8:17\t8:9310\n8:20\t8:1\n");
  spill(tsv, negatives_text(negatives));
  EXPECT_EQ(read_negatives(tsv), negatives);
}

TEST_F(NegativesTest, AcceptsRepeatedLinesButNotTwoListsForAQuery) {
  EXPECT_EQ(from_lines(std::string(kLine) + "\n" + kLine + "\n").size(), 1U);
  EXPECT_THAT(
      line_error(std::string(kLine) + "\n" + R"({"qid": "8:17", "neg_cand_list": ["8:1"]})"),
      AllOf(HasSubstr("queries.jsonl:2"), HasSubstr("8:17")));
}

TEST_F(NegativesTest, RejectsOddLinesNamingThem) {
  EXPECT_THAT(line_error(std::string(kLine) + "\n{\"qid\": "), HasSubstr("queries.jsonl:2"));
  EXPECT_THAT(line_error("[1]"), HasSubstr("expected a qid"));
  EXPECT_THAT(line_error(R"({"qid": 7})"), HasSubstr("the qid as a text"));
  EXPECT_THAT(line_error(R"({"qid": "a b"})"), HasSubstr("without white space"));
  EXPECT_THAT(line_error(R"({"qid": "a", "neg_cand_list": "x"})"),
              HasSubstr("neg_cand_list as a list"));
  EXPECT_THAT(line_error(R"({"qid": "a", "neg_cand_list": [1]})"), HasSubstr("each did as a text"));
  EXPECT_THAT(line_error(R"({"qid": "a", "neg_cand_list": [{}]})"),
              HasSubstr("a did in each entry"));
}

TEST_F(NegativesTest, RejectsWrongColumnsAndPairsGivenTwice) {
  const auto error = [&](const std::string& text) {
    spill(tsv, text);
    return input_error([&] { read_negatives(tsv); });
  };
  EXPECT_THAT(error("q\td\nq\td e\n"), AllOf(HasSubstr("negatives.tsv:2"), HasSubstr("2 columns")));
  EXPECT_THAT(error("q\td\nq\td\n"),
              AllOf(HasSubstr("listed twice"), HasSubstr("'d' for query 'q'")));
  spill(tsv, "");
  EXPECT_TRUE(read_negatives(tsv).empty());
}

TEST_F(NegativesTest, SurvivesDamage) {
  test::fuzz(std::string(kLine) + "\n" + kLine + "\n", jsonl, 1500,
             [&] { negatives_from_query_jsonl(jsonl); });
  test::fuzz("q1\td1\nq1\td2\nq2\td1\n", tsv, 2000, [&] { read_negatives(tsv); });
}

}  // namespace
}  // namespace puma::data
