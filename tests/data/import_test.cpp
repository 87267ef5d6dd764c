// SPDX-License-Identifier: Apache-2.0
// Importing on 1 to 4 ranks: the caches are the same files, and each bad input is one error on
// every rank with nothing written.
#include "data/import.hpp"

#include <cmath>
#include <limits>

#include "data_files.hpp"

namespace puma::data {
namespace {

using test::bytes_of;
using test::input_error;
using test::npy;
using test::slurp;
using test::spill;
using ::testing::AllOf;
using ::testing::HasSubstr;

const dist::Comm kAlone;

struct Import : ::testing::Test {
  dist::Comm world = dist::Comm::world();
  test::ScratchFolder folder{world};
  ImportRequest request;

  // Files are made by the root; the others wait until they are there.
  void make(const std::string& name, const std::string& bytes) {
    if (world.is_root()) spill(folder / name, bytes);
    world.barrier();
  }

  void SetUp() override {
    request.backbone = "emoji256";
    request.vectors = folder / "vectors.npy";
    request.ids = folder / "ids.json";
    request.out = folder / "out/cache";
    make("vectors.npy", npy("<f4", "(3, 2)", bytes_of(std::vector<float>{1, 0, 0, 1, 0.6F, 0.8F})));
    make("ids.json", R"(["10:1", "10:3", "10:2"])");
    make("qrels.txt", "10:1 0 d 1 7\n10:2 0 d 1 7\n");
  }

  std::string error() {
    const std::string message = input_error([&] { import_cache(world, request); });
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    return message;
  }
};

TEST_F(Import, KeepsQueriesInOrderAndSortsCandidates) {
  request.qrels = folder / "qrels.txt";
  const ImportResult queries = import_cache(world, request);
  EXPECT_TRUE(queries.info.normalised);
  EXPECT_EQ(queries.judged_pairs, 2);
  const DenseCache first = DenseCache::open(request.out / "vectors.h5");
  EXPECT_EQ(first.ids(), (std::vector<std::string>{"10:1", "10:3", "10:2"}));
  EXPECT_EQ(first.read_all(), (std::vector<float>{1, 0, 0, 1, 0.6F, 0.8F}));
  EXPECT_EQ(slurp(request.out / "qrels.txt"), "10:1 0 d 1\n10:2 0 d 1\n");

  request.role = CacheRole::candidates;
  request.qrels.clear();
  request.out = folder / "out/pool";
  const ImportResult pool = import_cache(world, request);
  const DenseCache second = DenseCache::open(request.out / "vectors.h5");
  EXPECT_EQ(second.ids(), (std::vector<std::string>{"10:3", "10:2", "10:1"}));
  EXPECT_EQ(second.read_all(), (std::vector<float>{0, 1, 0.6F, 0.8F, 1, 0}));
  EXPECT_EQ(pool.content, second.content_checksum());
}

TEST_F(Import, WritesTheSameBytesOnAnyNumberOfRanks) {
  for (const std::int64_t rows : {1, 2, 3, 3000}) {
    std::vector<float> values;
    std::string ids;
    for (std::int64_t i = 0; i < rows * 500; ++i) {
      values.push_back(
          dist::random_unit(3, dist::RandomPurpose::test_data, 0, static_cast<std::uint64_t>(i)));
    }
    for (std::int64_t i = 0; i < rows; ++i)
      ids += (i == 0 ? "[\"" : ", \"") + std::to_string(i) + "\"";
    make("vectors.npy", bytes_of(values));
    make("ids.json", ids + "]");
    request.role = CacheRole::candidates;
    const ImportResult together = import_cache(world, request);
    EXPECT_EQ(together.vectors_are, "raw float32 memory map (no npy header)");
    EXPECT_FALSE(together.info.normalised);
    ImportRequest alone = request;
    alone.out = folder / "alone";
    if (world.is_root()) import_cache(kAlone, alone);
    world.barrier();
    EXPECT_EQ(slurp(request.out / "vectors.h5"), slurp(alone.out / "vectors.h5")) << rows;
  }
}

TEST_F(Import, LinksEqualCandidatesAndOnlyThese) {
  request.role = CacheRole::candidates;
  request.pools = {folder / "out"};
  EXPECT_TRUE(import_cache(world, request).linked_to.empty());
  EXPECT_TRUE(import_cache(world, request).linked_to.empty());  // itself does not count
  request.out = folder / "out/again";
  const ImportResult linked = import_cache(world, request);
  EXPECT_EQ(linked.linked_to, folder / "out/cache/vectors.h5");
  EXPECT_TRUE(
      std::filesystem::equivalent(request.out / "vectors.h5", folder / "out/cache/vectors.h5"));
  world.barrier();

  request.out = folder / "out/other";
  request.backbone = "another";
  EXPECT_TRUE(import_cache(world, request).linked_to.empty());
  request.backbone = "emoji256";
  world.barrier();
  make("out/cache/vectors.h5", "damaged");  // written through, so both names hold it
  request.out = folder / "out/third";
  EXPECT_TRUE(import_cache(world, request).linked_to.empty());
}

TEST_F(Import, ReadsThePublishedLayout) {
  make("published/query_embeddings.npy", bytes_of(std::vector<float>{1, 0, 0, 1}));
  make("published/query_ids.json", R"(["q1", "q2"])");
  make(
      "published/query_meta.json",
      R"({"model_name": "m/2B", "count": 2, "embedding_dim": 2, "system_instruction": "Find.", "text_prefix": ""})");
  make("published/doc_embeddings.npy", bytes_of(std::vector<float>{1, 0}));
  make("published/doc_ids.json", R"(["d1"])");
  make("published/metadata.json",
       R"({"model_name": "m/2B", "num_queries": 2, "num_docs": 1, "embedding_dim": 2})");
  const auto requests = published_requests(folder / "published", folder / "out");
  ASSERT_EQ(requests.size(), 2U);
  const ImportResult queries = import_cache(world, requests[0]);
  EXPECT_EQ(queries.info.rows, 2);
  EXPECT_EQ(queries.info.backbone, "m/2B");
  EXPECT_EQ(queries.info.prompt_hash.size(), 32U);
  EXPECT_EQ(import_cache(world, requests[1]).outputs.front(), folder / "out/candidates/vectors.h5");

  make("published/metadata.json", R"({"num_queries": 3})");
  EXPECT_THAT(input_error([&] { import_cache(world, requests[0]); }),
              AllOf(HasSubstr("metadata.json"), HasSubstr("differs"), HasSubstr("found 3")));
  EXPECT_THAT(input_error([&] { published_requests(folder / "out", folder / "x"); }),
              AllOf(HasSubstr("no query_embeddings.npy"), HasSubstr("no doc_ids.json")));
}

TEST_F(Import, RejectsRowsThatAreNotFiniteNamingRowAndId) {
  make("vectors.npy", bytes_of(std::vector<float>{1, 0, std::nanf(""), 1, 0,
                                                  std::numeric_limits<float>::infinity()}));
  EXPECT_THAT(error(),
              AllOf(HasSubstr("vectors.npy"), HasSubstr("nan in column 0 of row 1 (id '10:3')")));
}

TEST_F(Import, RejectsTruncatedNpyAndRawFilesOfAWrongSize) {
  if (world.is_root())
    std::filesystem::resize_file(request.vectors, std::filesystem::file_size(request.vectors) - 1);
  world.barrier();
  EXPECT_THAT(error(), AllOf(HasSubstr("vectors.npy: the file is cut short"), HasSubstr("24 bytes"),
                             HasSubstr("found 23")));
  make("vectors.npy", std::string(25, 'x'));
  EXPECT_THAT(error(),
              AllOf(HasSubstr("found 25 bytes"), HasSubstr("is this a raw float32 memory map")));
}

TEST_F(Import, RejectsIdsThatDoNotFitTheRows) {
  make("ids.json", R"(["a", "b"])");
  EXPECT_THAT(error(), AllOf(HasSubstr("ids.json"), HasSubstr("3 rows"), HasSubstr("found 2 ids")));
  make("ids.json", R"(["a", "b", "a"])");
  EXPECT_THAT(error(), AllOf(HasSubstr("'a' is given twice"), HasSubstr("rows 0 and 2")));
  make("ids.json", "[]");
  make("vectors.npy", npy("<f4", "(0, 2)", ""));
  EXPECT_THAT(error(), HasSubstr("there are no rows"));
  make("meta.json", R"({"count": 4})");
  request.metadata = {folder / "meta.json"};
  EXPECT_THAT(error(), AllOf(HasSubstr("expected 4 ids"), HasSubstr("found 0")));
  make("meta.json", R"({"count": -1})");
  EXPECT_THAT(error(), AllOf(HasSubstr("meta.json"), HasSubstr("no count")));
}

TEST_F(Import, RejectsQrelsOfUnknownQueriesAndOfThreeColumns) {
  request.qrels = folder / "qrels.txt";
  make("qrels.txt", "10:1 0 d 1\n10:9 0 d 1\n");
  EXPECT_THAT(error(),
              AllOf(HasSubstr("qrels.txt"), HasSubstr("'10:9' is judged but has no embedding")));
  make("qrels.txt", "10:1 0 d 1\n10:2 d 1\n");
  EXPECT_THAT(error(), AllOf(HasSubstr("qrels.txt:2"), HasSubstr("3 columns")));
}

TEST_F(Import, AsksForTheBackboneThatNobodyNames) {
  request.backbone.clear();
  EXPECT_THAT(error(), HasSubstr("--backbone"));
}

TEST_F(Import, ReadsTheDemoFiles) {
  const std::filesystem::path emoji = std::filesystem::path(PUMA_SOURCE_DIR) / "examples/emoji";
  request.role = CacheRole::candidates;
  request.vectors = emoji / "docs.npy";
  request.ids = emoji / "docs_ids.json";
  const ImportResult docs = import_cache(world, request);
  EXPECT_EQ(docs.info.rows, 5400);
  EXPECT_EQ(docs.info.dim, 256);
  EXPECT_EQ(docs.info.type, VectorType::f16);
  EXPECT_TRUE(docs.info.normalised);
  EXPECT_NO_THROW(DenseCache::open(request.out / "vectors.h5").read_all());
}

}  // namespace
}  // namespace puma::data
