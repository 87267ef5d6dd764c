// SPDX-License-Identifier: Apache-2.0
#include "config/yaml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "dist/error.hpp"

namespace puma::config {
namespace {

using testing::HasSubstr;

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const dist::Error& error) {
    EXPECT_EQ(error.code(), dist::ExitCode::bad_input);
    return error.what();
  }
  return "nothing was thrown";
}

std::string parse_message(const std::string& text) {
  return message([&] { Yaml::parse(text, "a.yaml"); });
}

TEST(Yaml, ReadsValuesOfEveryType) {
  const Yaml y =
      Yaml::parse("a: 3\nb: [1, 2]\nc: {d: 1/32, e: true}\nf: hello\ng: 3e-4\n", "a.yaml");
  EXPECT_EQ(y.at("a").integer(), 3);
  EXPECT_EQ(y.at("b").elements().size(), 2u);
  EXPECT_EQ(y.at("a").elements().size(), 1u);
  EXPECT_EQ(y.at("c").at("d").number(), 1.0 / 32);
  EXPECT_TRUE(y.at("c").at("e").boolean());
  EXPECT_EQ(y.at("f").text(), "hello");
  EXPECT_EQ(y.at("g").number(), 3e-4);
  EXPECT_EQ(y.at("c").at("d").key(), "c.d");
  EXPECT_TRUE(y.get("z").is_null());
}

TEST(Yaml, NamesFileLineAndNearestKeyOfAnUnknownKey) {
  const Yaml y = Yaml::parse("study: x\nmethds: [dense]\n", "a.yaml");
  const std::string said = message([&] { y.expect_keys({"study", "methods"}); });
  EXPECT_THAT(said, HasSubstr("a.yaml:2: unknown key 'methds'"));
  EXPECT_THAT(said, HasSubstr("Did you mean 'methods'?"));
}

TEST(Yaml, TellsTheLineOfAKeyWhoseValueIsAMapBelow) {
  const Yaml y = Yaml::parse("a: 1\nb:\n  c:\n    d: 1\n", "a.yaml");
  EXPECT_EQ(y.at("b").at("c").where(), "a.yaml:3");
}

TEST(Yaml, RefusesAKeyGivenTwiceNamingBothLines) {
  const std::string said = parse_message("k: 1\nx: 2\nk: 3\n");
  EXPECT_THAT(said, HasSubstr("a.yaml:3: the key 'k' is given twice"));
  EXPECT_THAT(said, HasSubstr("the first on line 1"));
}

TEST(Yaml, RefusesWrongTypesNamingWhatWasFound) {
  const Yaml y =
      Yaml::parse("a: [1, 2]\nb: '3'\nc: 3.5\nd: yes\ne:\nf: 99999999999999999999\n", "a.yaml");
  EXPECT_THAT(
      message([&] { y.at("a").integer(); }),
      HasSubstr("a.yaml:1: a: wrong type (expected a whole number, found the list [1, 2])"));
  EXPECT_THAT(message([&] { y.at("b").integer(); }), HasSubstr("the quoted text '3'"));
  EXPECT_THAT(message([&] { y.at("c").integer(); }), HasSubstr("'3.5'"));
  EXPECT_THAT(message([&] { y.at("d").boolean(); }), HasSubstr("true or false"));
  EXPECT_THAT(message([&] { y.at("e").text(); }), HasSubstr("found nothing"));
  EXPECT_THAT(message([&] { y.at("f").integer(); }), HasSubstr("a whole number"));
  EXPECT_THAT(message([&] { y.at("g"); }), HasSubstr("g: this key is missing"));
}

TEST(Yaml, RefusesAliasesAnchorsTagsAndSeveralDocuments) {
  EXPECT_THAT(parse_message("a: &x [1]\nb: [*x, *x]\n"), HasSubstr("an anchor is not accepted"));
  EXPECT_THAT(parse_message("a: !!python/object x\n"), HasSubstr("the tag"));
  EXPECT_THAT(parse_message("a: 1\n---\nb: 2\n"), HasSubstr("several YAML documents"));
}

TEST(Yaml, RefusesDeepNestingHugeFilesAndNonsense) {
  EXPECT_THAT(parse_message("a: " + std::string(5000, '[') + std::string(5000, ']')),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(parse_message(std::string((1u << 20) + 1, 'a')), HasSubstr("too large"));
  EXPECT_THAT(parse_message("a: [1, 2\nb: }"), HasSubstr("this is not YAML"));
  EXPECT_THAT(parse_message(std::string("a: 1\nb\0c", 8)), HasSubstr("a.yaml:2: a zero byte"));
  EXPECT_THAT(parse_message("? [1, 2]\n: x\n"), HasSubstr("a key that is no text"));
}

TEST(Yaml, AnEmptyFileIsNull) {
  EXPECT_TRUE(Yaml::parse("", "a.yaml").is_null());
}

TEST(Nearest, FindsSlipsAndLeavesStrangersAlone) {
  const std::vector<std::string> keys{"seeds", "train_k", "measures"};
  EXPECT_EQ(nearest("sedes", keys), "seeds");
  EXPECT_EQ(nearest("traink", keys), "train_k");
  EXPECT_EQ(nearest("banana", keys), std::nullopt);
  EXPECT_EQ(nearest("", {}), std::nullopt);
}

}  // namespace
}  // namespace puma::config
