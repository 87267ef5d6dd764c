// SPDX-License-Identifier: Apache-2.0
#include "data/inspect.hpp"

#include "data/codes.hpp"
#include "data/dense_cache.hpp"
#include "data/run_file.hpp"
#include "data/safetensors.hpp"
#include "data_files.hpp"

namespace puma::data {
namespace {

using ::testing::HasSubstr;

TEST(Inspect, KnowsTextsByTheirLook) {
  const test::ScratchFolder folder;
  const auto kind = [&](const std::string& name, const std::string& text) {
    test::spill(folder / name, text);
    return inspect_file(folder / name).at("kind").get<std::string>();
  };
  EXPECT_EQ(kind("a.txt", "q 0 d 1\n"), "qrels");
  EXPECT_EQ(kind("b.txt", "q 0 d 1 7\n"), "qrels");
  EXPECT_EQ(kind("c.tsv", "q\td\n"), "negatives");
  EXPECT_EQ(kind("d.trec", "q Q0 d 1 .5 tag\n"), "trec run");
  EXPECT_EQ(kind("e.json", "[\"a\", \"b\"]"), "id list");
  EXPECT_EQ(kind("f.json", "{\"format\": \"puma measures\", \"n\": 3}"), "measures");
  EXPECT_EQ(kind("g.json", "{\"format\": \"puma-table\"}"), "table");
  EXPECT_EQ(kind("h.json", "{\"complete\": true, \"inputs\": [], \"outputs\": []}"), "manifest");
  EXPECT_EQ(kind("progress.json", "{\"step\": 4}"), "progress");
  EXPECT_EQ(kind("history.jsonl", "{\"step\": 4}\n{\"step\": 5}\n"), "history");
  EXPECT_EQ(kind("demo.yaml", "# ours\nstudy: demo\n"), "study");
  EXPECT_EQ(kind("paper.yaml", "preset: paper\n"), "configuration");
}

TEST(Inspect, KnowsVectorsOfBothKinds) {
  const test::ScratchFolder folder;
  const std::string rows = test::bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6});
  test::spill(folder / "real.npy", test::npy("<f4", "(3, 2)", rows));
  EXPECT_EQ(inspect_file(folder / "real.npy").at("dim"), 2);
  test::spill(folder / "query_embeddings.npy", rows);
  EXPECT_EQ(inspect_file(folder / "query_embeddings.npy").at("kind"), "raw float32");
  test::spill(folder / "query_ids.json", "[\"a\", \"b\"]");
  EXPECT_EQ(inspect_file(folder / "query_embeddings.npy").at("dim"), 3);
}

TEST(Inspect, KnowsOurFiles) {
  const test::ScratchFolder folder;
  const std::vector<float> rows{1, 0, 0, 1};
  CacheInfo info;
  info.rows = 2;
  info.dim = 2;
  info.backbone = "emoji256";
  write_dense_cache({}, folder / "v.h5", info, {"a", "b"}, {0, 2}, std::as_bytes(std::span(rows)));
  EXPECT_EQ(inspect_file(folder / "v.h5").at("kind"), "dense cache");
  write_run(folder / "run.h5", data::Run{});
  EXPECT_EQ(inspect_file(folder / "run.h5").at("kind"), "run");
  write_safetensors(folder / "c.safetensors",
                    {{"W", {"F32", {2, 2}, std::as_bytes(std::span(rows))}}}, {{"step", "7"}});
  const auto checkpoint = inspect_file(folder / "c.safetensors");
  EXPECT_EQ(checkpoint.at("kind"), "checkpoint");
  EXPECT_EQ(checkpoint.at("metadata").at("step"), "7");
  EXPECT_EQ(checkpoint.at("tensors").at("W").at("shape"), nlohmann::json({2, 2}));
}

// The paper's Tab. 5: 497 active atoms take 9 bits; 128 entries take 768 bytes with 16-bit ids and
// 656 with compact ids; a bitmap 576.
TEST(Inspect, CountsTheBytesOfCodesAsThePaperDoes) {
  const test::ScratchFolder folder;
  CodeMatrix codes = CodeMatrix::zeros(4, 32768, 128, false);
  for (std::int64_t row = 0; row < 4; ++row) {
    std::vector<float> activations(32768, -1);
    for (std::int64_t i = 0; i < 128; ++i) {
      activations[static_cast<std::size_t>(7 * ((row * 123 + i) % 497))] = 1;
    }
    select_top_positive(activations, row, codes);
  }
  write_code_cache({}, folder / "c.h5", {"queries", "puma", "x", "", "", 2048},
                   {"a", "b", "c", "d"}, {0, 4}, codes);
  const auto facts = inspect_file(folder / "c.h5");
  EXPECT_EQ(facts.at("active_atoms"), 497);
  EXPECT_EQ(facts.at("mean_length"), 128);
  EXPECT_EQ(facts.at("reach"), 1);
  const auto& storage = facts.at("storage");
  EXPECT_EQ(storage.at("ids_32_bit").at("bytes_per_row"), 1024);
  EXPECT_EQ(storage.at("ids_16_bit").at("bytes_per_row"), 768);
  EXPECT_EQ(storage.at("ids_compact").at("bytes_per_row"), 656);
  EXPECT_EQ(storage.at("presence_bitmap").at("bytes_per_row"), 576);
  EXPECT_EQ(storage.at("ids_32_bit").at("smaller_than_float32"), 8);
}

TEST(Inspect, RefusesTheUnknownListingWhatIsKnown) {
  const test::ScratchFolder folder;
  const auto message = [&](const std::string& bytes) {
    test::spill(folder / "what", bytes);
    return test::input_error([&] { inspect_file(folder / "what"); });
  };
  for (const std::string& bytes :
       {std::string(), std::string("one\n"), std::string(" \n"), std::string("{\"a\": 1}"),
        std::string("{"), std::string("\0\x01\x02 a b c", 9)}) {
    EXPECT_THAT(
        message(bytes),
        HasSubstr("the kind of this file is not known (expected a dense cache, code cache"));
  }
  EXPECT_THAT(test::input_error([&] { inspect_file(folder / "nowhere"); }),
              HasSubstr("there is no such file"));
  EXPECT_THAT(test::input_error([&] { inspect_file(folder.path()); }),
              HasSubstr("this is no file"));
}

}  // namespace
}  // namespace puma::data
