// SPDX-License-Identifier: Apache-2.0
#include "eval/report/render.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "eval/report/figure.hpp"
#include "sample_cells.hpp"

namespace puma::eval {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::quick_options;
using testing::sample_cell;
using testing::sample_cells;

Aggregate sample() {
  return aggregate(sample_cells(), quick_options());
}

// A table whose every name is out to break the format.
Aggregate hostile() {
  const std::string name = "a_b%c&d#e$f{g}h~i^j\\k,\"l\"<script>|'";
  auto dense = sample_cell(name, "dense", std::nullopt, .5);
  auto puma = sample_cell(name, "pu,ma \"x\"", 8, .4);
  AggregateOptions options = quick_options();
  options.study = name;
  options.notes = {"note <b> & 50%"};
  return aggregate({dense, puma}, options);
}

TEST(FormatScore, PrintsAsThePaperDoes) {
  EXPECT_EQ(format_score(.0833), ".0833");
  EXPECT_EQ(format_score(-.0125), "-.0125");
  EXPECT_EQ(format_score(1), "1.0000");
  EXPECT_EQ(format_score(.99996), "1.0000");
  EXPECT_EQ(format_score(-.00001), ".0000");
  EXPECT_EQ(format_score(0), ".0000");
  EXPECT_EQ(format_score(.5, 2), ".50");
}

TEST(FormatP, NeverZeroNorNaN) {
  EXPECT_EQ(format_p(.0001), ".0001");
  EXPECT_EQ(format_p(.00009), "< .0001");
  EXPECT_EQ(format_p(0), "< .0001");
  EXPECT_EQ(format_p(.035), ".0350");
  EXPECT_EQ(format_p(1), "1.0000");
  EXPECT_THAT(format_p(std::numeric_limits<double>::quiet_NaN()), Not(HasSubstr("nan")));
}

TEST(Markdown, ColumnsAlign) {
  std::istringstream lines(render_markdown(sample()));
  std::string line;
  std::size_t width = 0, rows = 0;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] != '|') continue;
    std::size_t characters = 0;
    for (const char c : line) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (rows++ == 0) width = characters;
    EXPECT_EQ(characters, width) << line;
  }
  EXPECT_EQ(rows, 2u + 14u);
}

TEST(Csv, QuotesAsRfc4180SaysAndRoundsNothing) {
  const std::string csv = render_csv(hostile());
  EXPECT_THAT(csv, HasSubstr("\"a_b%c&d#e$f{g}h~i^j\\k,\"\"l\"\"<script>|'\""));
  EXPECT_THAT(csv, HasSubstr("\"pu,ma \"\"x\"\"\""));
  EXPECT_THAT(csv, Not(HasSubstr("\r")));
  const Aggregate a = sample();
  const double mean = a.rows[4].values.at("nDCG@10").mean;
  std::istringstream lines(render_csv(a));
  std::string line;
  std::size_t count = 0;
  bool found = false;
  while (std::getline(lines, line)) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 26) << line;
    if (line.find("toy,toy_task7,toy256,puma,8,0,60,nDCG@10,") == 0) {
      found = true;
      EXPECT_EQ(std::stod(line.substr(line.find("nDCG@10,") + 8)), mean);
    }
    ++count;
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(count, 1u + 14u * 2u);
}

TEST(Latex, EscapesEverySpecialCharacter) {
  const std::string tex = render_latex(hostile());
  EXPECT_THAT(tex, HasSubstr("a\\_b\\%c\\&d\\#e\\$f\\{g\\}h\\textasciitilde{}i\\textasciicircum{}j"
                             "\\textbackslash{}k,\"l\"$<$script$>$"));
  EXPECT_THAT(tex, HasSubstr("\\toprule"));
  EXPECT_THAT(tex, HasSubstr("\\bottomrule"));
}

TEST(Latex, CaptionStatesTheStatistics) {
  const std::string tex = render_latex(sample());
  for (const char* part :
       {"n = 60", "sign-flip", "two-sided", "R = 499", "B = 399", "seed 0", "percentile bootstrap",
        "\\dag marks p $<$ .05", "unadjusted", "12 comparisons of nDCG@10 with dense"}) {
    EXPECT_THAT(tex, HasSubstr(part));
  }
}

TEST(Latex, SaysNothingOfATestThatWasNotMade) {
  const Aggregate a = aggregate({sample_cell("toy", "dense", std::nullopt, .3)}, quick_options());
  EXPECT_THAT(render_latex(a), Not(HasSubstr("sign-flip")));
  EXPECT_THAT(render_markdown(a), Not(HasSubstr("marks p")));
}

TEST(Latex, AllTiedBestsAreBold) {
  const Aggregate a =
      aggregate({sample_cell("toy", "dense", std::nullopt, .3), sample_cell("toy", "first", 8, .5),
                 sample_cell("toy", "second", 8, .5)},
                quick_options());
  const std::string tex = render_latex(a);
  std::size_t bold = 0;
  for (std::size_t at = tex.find("\\textbf"); at != std::string::npos;
       at = tex.find("\\textbf", at + 1)) {
    ++bold;
  }
  EXPECT_EQ(bold, 4u);  // two methods, two measures
}

TEST(Json, NamesFamilyAndAdjustment) {
  const auto json = render_json(sample());
  EXPECT_EQ(json["statistics"]["adjustment"], "none");
  EXPECT_EQ(json["statistics"]["family_size"], 12);
  EXPECT_EQ(json["rows"].size(), 14u);
  EXPECT_TRUE(json["rows"][0]["k"].is_null());
}

TEST(Html, EscapesAndStandsAlone) {
  const std::string page = render_html(hostile(), "");
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(page, HasSubstr("note &lt;b&gt; &amp; 50%"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(render_html(sample(), "<svg></svg>"), HasSubstr("<svg></svg>"));
}

TEST(Figure, HasAPanelPerDataSetAndALabelledDenseLine) {
  const auto panels = detail::figure_panels(sample());
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].flat.size(), 1u);
  EXPECT_EQ(panels[0].curves.size(), 2u);
  const std::string script = figure_script(sample());
  EXPECT_THAT(script, HasSubstr("\"dense ."));
  EXPECT_THAT(script, HasSubstr("set xtics (8, 16, 32)"));
  EXPECT_EQ(
      figure_script(aggregate({sample_cell("toy", "dense", std::nullopt, .5)}, quick_options())),
      "");
}

TEST(Figure, IsTheSameBytesTwice) {
  const std::string svg = draw_figure(sample());
  if (svg.empty()) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_EQ(svg, draw_figure(sample()));
  EXPECT_THAT(draw_figure(hostile()), HasSubstr("&lt;script"));
}

}  // namespace
}  // namespace puma::eval
