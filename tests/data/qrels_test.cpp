// SPDX-License-Identifier: Apache-2.0
#include "data/qrels.hpp"

#include "data_files.hpp"

namespace puma::data {
namespace {

using test::input_error;
using test::spill;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct QrelsTest : ::testing::Test {
  test::ScratchFolder folder;
  std::filesystem::path file = folder / "qrels.txt";

  Qrels read(const std::string& text) {
    spill(file, text);
    return read_qrels(file);
  }
  std::string error(const std::string& text) {
    return input_error([&] { read(text); });
  }
};

TEST_F(QrelsTest, ReadsFourAndFiveColumnsAlike) {
  EXPECT_EQ(read("8:17 0 8:4021 1\n"), read("8:17 0 8:4021 1 7\n"));
  const Qrels qrels = read("q2 0 d1 1\nq1 0 d2 0\nq1 0 d1 2\n");
  EXPECT_EQ(qrels.pairs(), 3);
  EXPECT_EQ(qrels.judgements.at("q1"), (std::vector<Judgement>{{"d1", 2}, {"d2", 0}}));
}

TEST_F(QrelsTest, AcceptsCarriageReturnsTabsByteOrderMarkAndNoLastNewline) {
  const Qrels plain = read("q1 0 d1 1\nq2 0 d1 1\n");
  EXPECT_EQ(read("\xEF\xBB\xBFq1\t0\td1\t1\r\nq2  0 d1 1"), plain);
  EXPECT_EQ(plain.judgements.begin()->first, "q1");
}

TEST_F(QrelsTest, KeepsIdsAsTexts) {
  const Qrels qrels = read("01 0 007 1\n1 0 7 1\n");
  EXPECT_EQ(qrels.judgements.size(), 2U);
  EXPECT_EQ(qrels.judgements.at("01")[0].document, "007");
}

TEST_F(QrelsTest, WritesSortedFourColumnsThatReadBackEqual) {
  const Qrels qrels = read("q2 0 d1 1 7\nq1 Q0 d9 -1 7\nq1 0 d10 3 7\n");
  EXPECT_EQ(qrels_text(qrels), "q1 0 d10 3\nq1 0 d9 -1\nq2 0 d1 1\n");
  EXPECT_EQ(read(qrels_text(qrels)), qrels);
}

TEST_F(QrelsTest, RejectsThreeColumnsNamingTheLine) {
  EXPECT_THAT(error("q1 0 d1 1\nq1 0 d2\n"),
              AllOf(HasSubstr("qrels.txt:2"), HasSubstr("expected 4 columns"),
                    HasSubstr("found 3 columns: 'q1 0 d2'")));
  EXPECT_THAT(error("a b c d e f\n"), HasSubstr("found 6 columns"));
}

TEST_F(QrelsTest, RejectsRelevancesThatAreNoWholeNumbers) {
  for (const char* bad : {"x", "1.0", "1e3", "", "99999999999999999999", "+1"}) {
    if (*bad == '\0') continue;
    EXPECT_THAT(error(std::string("q 0 d ") + bad + "\n"),
                AllOf(HasSubstr("relevance"), HasSubstr(bad)));
  }
  EXPECT_THAT(error("q 0 d 1 x\n"), HasSubstr("task id"));
}

TEST_F(QrelsTest, RejectsAPairGivenTwiceNamingBothLines) {
  EXPECT_THAT(
      error("q1 0 d1 1\nq2 0 d1 1\nq1 0 d1 0\n"),
      AllOf(HasSubstr("qrels.txt:3"), HasSubstr("judged twice"), HasSubstr("lines 1 and 3")));
}

TEST_F(QrelsTest, RejectsFilesWithoutALine) {
  EXPECT_THAT(error(""), HasSubstr("there are no judgements"));
  EXPECT_THAT(error("\n  \r\n\t\n"), HasSubstr("there are no judgements"));
}

TEST_F(QrelsTest, RejectsControlCharactersInIds) {
  EXPECT_THAT(error(std::string("q\0x 0 d 1\n", 10)),
              AllOf(HasSubstr("control character"), HasSubstr("q\\x00x")));
}

TEST_F(QrelsTest, RejectsAnUnknownQueryNamingTheFirst) {
  const Qrels qrels = read("q1 0 d1 1\nq7 0 d1 1\nq8 0 d1 1\n");
  EXPECT_NO_THROW(check_qrels_queries(qrels, {"q8", "q1", "q7", "q9"}, file));
  EXPECT_THAT(input_error([&] { check_qrels_queries(qrels, {"q1"}, file); }),
              AllOf(HasSubstr("qrels.txt"), HasSubstr("'q7'"), HasSubstr("among the 1 embedded"),
                    HasSubstr("found 2 unknown of 3")));
}

TEST_F(QrelsTest, NamesAMissingFile) {
  EXPECT_THAT(input_error([&] { read_qrels(folder / "nowhere.txt"); }), HasSubstr("nowhere.txt"));
}

TEST_F(QrelsTest, SurvivesDamage) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "8:" + std::to_string(i) + " 0 8:4021 1 7\n";
  test::fuzz(text, file, 2000, [&] { read_qrels(file); });
}

}  // namespace
}  // namespace puma::data
