// SPDX-License-Identifier: Apache-2.0
#include "data/safetensors.hpp"

#include <fmt/format.h>

#include "data_files.hpp"

namespace puma::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string container(const std::string& header, const std::string& data = "",
                      std::int64_t length = -1) {
  const auto n = length < 0 ? header.size() : static_cast<std::uint64_t>(length);
  return test::bytes_of(std::vector<std::uint64_t>{n}) + header + data;
}

template <class T>
TensorView view(const std::string& dtype, std::vector<std::int64_t> shape,
                const std::vector<T>& values) {
  return {dtype, std::move(shape), std::as_bytes(std::span<const T>(values))};
}

TEST(Safetensors, ReadsBackWhatWasWrittenAligned) {
  const test::ScratchFolder folder;
  const std::vector<float> weights{1, 2, 3, 4, 5, 6, 7};
  const std::vector<double> moments{1.5, -2.5};
  const std::vector<std::uint8_t> flags{1, 0, 1};
  const std::vector<float> nothing;
  const std::map<std::string, TensorView> tensors{
      {"b_enc", view("U8", {3}, flags)},
      {"W_enc", view("F32", {7, 1}, weights)},
      {"empty", view("F32", {0, 5}, nothing)},
      {"scalar", view("F64", {}, std::vector<double>(moments.begin(), moments.begin()))},
      {"m", view("F64", {2}, moments)}};
  auto written = tensors;
  written["scalar"] = {"F64", {}, std::as_bytes(std::span(moments)).first(8)};
  const std::map<std::string, std::string> metadata{{"recipe", "{\"preset\": \"paper\"}"},
                                                    {"step", "12"}};
  write_safetensors(folder / "deep/er/c.safetensors", written, metadata);
  const SafetensorsFile file(folder / "deep/er/c.safetensors");
  EXPECT_EQ(file.metadata(), metadata);
  ASSERT_EQ(file.tensors().size(), written.size());
  for (const auto& [name, expected] : written) {
    const TensorView& found = file.tensor(name);
    EXPECT_EQ(found.dtype, expected.dtype);
    EXPECT_EQ(found.shape, expected.shape);
    ASSERT_EQ(found.bytes.size(), expected.bytes.size());
    EXPECT_TRUE(std::equal(found.bytes.begin(), found.bytes.end(), expected.bytes.begin()));
    const std::size_t element = name == "m" || name == "scalar" ? 8 : name == "W_enc" ? 4 : 1;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.bytes.data()) % element, 0u) << name;
  }
  write_safetensors(folder / "again.safetensors", written, metadata);
  EXPECT_EQ(test::slurp(folder / "deep/er/c.safetensors"),
            test::slurp(folder / "again.safetensors"));
  EXPECT_TRUE(looks_like_safetensors(folder / "again.safetensors"));
  EXPECT_THAT(
      test::input_error([&] { file.tensor("W_dec"); }),
      HasSubstr(
          "there is no tensor 'W_dec' (expected a tensor 'W_dec', found tensors W_enc, b_enc, "));
}

TEST(Safetensors, ReadsWhatThePythonLibraryWrote) {
  const SafetensorsFile file(PUMA_SOURCE_DIR "/tests/fixtures/safetensors/python.safetensors");
  EXPECT_EQ(file.metadata().at("made by"), "safetensors for Python");
  const TensorView& w = file.tensor("W_enc");
  EXPECT_EQ(w.dtype, "F32");
  EXPECT_THAT(w.shape, ElementsAre(3, 5));
  std::vector<float> values(15);
  ASSERT_EQ(w.bytes.size(), 60u);
  std::memcpy(values.data(), w.bytes.data(), 60);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(values[i], static_cast<float>(i) / 4 - 1);
  EXPECT_EQ(file.tensor("half").dtype, "F16");
  EXPECT_EQ(file.tensor("flags").dtype, "BOOL");
  EXPECT_EQ(file.tensor("step").dtype, "I64");
  EXPECT_TRUE(file.tensor("step").shape.empty());
  EXPECT_EQ(file.tensor("empty").elements(), 0);
}

TEST(Safetensors, RefusesHostileHeaders) {
  const test::ScratchFolder folder;
  const auto path = folder / "bad.safetensors";
  const auto message = [&](const std::string& bytes) {
    test::spill(path, bytes);
    return test::input_error([&] { SafetensorsFile{path}; });
  };
  const auto tensor = [](const std::string& dtype, const std::string& shape, int begin, int end) {
    return fmt::format(R"({{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", dtype, shape, begin,
                       end);
  };
  const std::string four = tensor("U8", "[4]", 0, 4);
  EXPECT_THAT(message("abc"), HasSubstr("the file is cut short (expected 8 bytes"));
  EXPECT_THAT(message(container("{}", "", 1 << 20)),
              HasSubstr("bad.safetensors: the header's length is wrong (expected 2 to 2 bytes (the "
                        "file has 10), found 1048576)"));
  EXPECT_THAT(message(std::string(8, '\xFF') + "{}"), HasSubstr("found 18446744073709551615"));
  EXPECT_THAT(message(container("[]")), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(message(container("{\"a\":")), HasSubstr("the header is not valid JSON"));
  EXPECT_THAT(message(container("{}{}")), HasSubstr("the header is not valid JSON"));
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
  EXPECT_THAT(message(container(deep)), HasSubstr("unknown key"));
  EXPECT_THAT(message(container("{\"a\":" + std::string(100000, '['))),
              HasSubstr("'a' is no tensor"));
  EXPECT_THAT(message(container("{\"a\":{\"shape\":" + std::string(100000, '['))),
              HasSubstr("whole numbers"));
  EXPECT_THAT(message(container(fmt::format(R"({{"a":{0},"a":{0}}})", four), "1234")),
              HasSubstr("key 'a' is given twice"));
  EXPECT_THAT(message(container(R"({"a":{"dtype":"U8","dtype":"U8"}})")),
              HasSubstr("key 'dtype' is given twice"));
  EXPECT_THAT(message(container(R"({"__metadata__":{"x":"1","x":"2"}})")),
              HasSubstr("key 'x' is given twice"));
  EXPECT_THAT(message(container(R"({"__metadata__":{"x":1}})")),
              HasSubstr("metadata 'x' is no text"));
  EXPECT_THAT(message(container(R"({"a":{"dtype":"U8","shape":[4]}})")),
              HasSubstr("tensor 'a' is not described"));
  EXPECT_THAT(message(container("{\"a\":" + tensor("F31", "[4]", 0, 4) + "}", "1234")),
              HasSubstr("unknown dtype"));
  EXPECT_THAT(message(container("{\"a\":" + tensor("U8", "[-4]", 0, 4) + "}", "1234")),
              HasSubstr("whole numbers of at least 0, found -4"));
  EXPECT_THAT(message(container("{\"a\":" + tensor("U8", "[4.0]", 0, 4) + "}", "1234")),
              HasSubstr("found 4.0"));
  EXPECT_THAT(
      message(container(
          "{\"a\":" + tensor("F32", "[4611686018427387904,4611686018427387904]", 0, 0) + "}")),
      HasSubstr("a shape of less than 2^63 bytes"));
  EXPECT_THAT(message(container("{\"a\":" + tensor("U8", "[5]", 0, 5) + "}", "1234")),
              HasSubstr("tensor 'a' lies outside the file"));
  EXPECT_THAT(message(container("{\"a\":" + tensor("U8", "[3]", 0, 4) + "}", "1234")),
              HasSubstr("tensor 'a' does not fill its bytes (expected 3 bytes by its shape"));
  EXPECT_THAT(
      message(container("{\"a\":" + four + ",\"b\":" + tensor("U8", "[4]", 2, 6) + "}", "123456")),
      HasSubstr("tensor 'b' overlaps the one before (expected data_offsets from 4, found 2)"));
  EXPECT_THAT(
      message(container("{\"a\":" + four + ",\"b\":" + tensor("U8", "[1]", 5, 6) + "}", "123456")),
      HasSubstr("tensor 'b' leaves a hole before it"));
  EXPECT_THAT(message(container("{\"a\":" + four + "}", "12345")),
              HasSubstr("bytes follow the last tensor"));
}

TEST(Safetensors, SurvivesDamagedCopies) {
  const test::ScratchFolder folder;
  const std::vector<float> values(6, 1.5f);
  write_safetensors(folder / "good",
                    {{"W", view("F32", {2, 3}, values)}, {"b", view("F32", {6}, values)}},
                    {{"step", "7"}});
  const auto file = folder / "fuzz";
  test::fuzz(test::slurp(folder / "good"), file, 3000, [&] {
    looks_like_safetensors(file);
    SafetensorsFile{file};
  });
}

}  // namespace
}  // namespace puma::data
