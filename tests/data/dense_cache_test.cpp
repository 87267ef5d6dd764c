// SPDX-License-Identifier: Apache-2.0
// On 1 to 4 ranks: what is written is the same file, and what is read is what was written or an
// error.
#include "data/dense_cache.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "data_files.hpp"
#include "dist/hdf5.hpp"

namespace puma::data {
namespace {

using test::input_error;
using test::slurp;
using test::spill;
using ::testing::AllOf;
using ::testing::HasSubstr;

const dist::Comm kAlone;

struct Sample {
  CacheInfo info;
  std::vector<std::string> ids;
  std::vector<std::byte> rows;  // all of them
};

// Bits that are finite in each type: the exponent's top bit is cleared.
Sample sample(std::int64_t rows, std::int64_t dim, VectorType type,
              CacheRole role = CacheRole::queries) {
  Sample s{{role, rows, dim, type, false, "emoji256", "", "", "a test"}, {}, {}};
  for (std::int64_t i = 0; i < rows; ++i) s.ids.push_back("10:" + std::to_string(i));
  if (role == CacheRole::candidates) std::sort(s.ids.rbegin(), s.ids.rend());
  const std::size_t width = vector_element_bytes(type);
  s.rows.resize(static_cast<std::size_t>(rows * dim) * width);
  for (std::size_t i = 0; i < s.rows.size() / width; ++i) {
    const std::uint32_t bits = dist::random_u32(7, dist::RandomPurpose::test_data, 0, i);
    const std::uint32_t element = width == 4 ? bits & 0xBFFFFFFFU : bits & 0xBFFFU;
    std::memcpy(s.rows.data() + i * width, &element, width);
  }
  return s;
}

void write(const dist::Comm& comm, const std::filesystem::path& file, const Sample& s) {
  const auto row_bytes = s.info.dim * static_cast<std::int64_t>(vector_element_bytes(s.info.type));
  const dist::RowRange mine =
      dist::partition(s.info.rows, comm.size(), comm.rank(), checksum_block_rows(row_bytes));
  write_dense_cache(comm, file, s.info, s.ids, mine,
                    std::span(s.rows).subspan(static_cast<std::size_t>(mine.begin * row_bytes),
                                              static_cast<std::size_t>(mine.size() * row_bytes)));
}

float element(const Sample& s, std::size_t i) {
  if (s.info.type == VectorType::f32) {
    float value = 0;
    std::memcpy(&value, s.rows.data() + 4 * i, 4);
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, s.rows.data() + 2 * i, 2);
  return s.info.type == VectorType::f16 ? half_to_float(bits) : bfloat_to_float(bits);
}

TEST(DenseCache, IsTheSameFileOnAnyNumberOfRanks) {
  const dist::Comm world = dist::Comm::world();
  const test::ScratchFolder folder(world);
  // 1 to 3 rows leave ranks without any; 3 x 500,000 columns have one row a block; 5000 x 257 have
  // several blocks and a short last one.
  const std::vector<std::pair<std::int64_t, std::int64_t>> shapes{
      {1, 1}, {2, 3}, {3, 7}, {3, 500000}, {5000, 257}};
  for (const VectorType type : {VectorType::f32, VectorType::f16, VectorType::bf16}) {
    for (const auto& [rows, dim] : shapes) {
      const Sample s = sample(rows, dim, type, CacheRole::candidates);
      const auto file = folder / "together.h5", alone = folder / "alone.h5";
      write(world, file, s);
      if (world.is_root()) write(kAlone, alone, s);
      world.barrier();
      EXPECT_EQ(slurp(file), slurp(alone)) << rows << " x " << dim << " " << to_string(type);

      const DenseCache cache = DenseCache::open(file);
      EXPECT_EQ(cache.ids(), s.ids);
      EXPECT_EQ(cache.info().type, type);
      EXPECT_EQ(cache.info().backbone, "emoji256");
      EXPECT_NO_THROW(cache.verify());
      // Each rank reads a range of its own, unaligned.
      const dist::RowRange range = dist::partition(rows, world.size(), world.rank());
      const std::vector<float> values = cache.read(range);
      ASSERT_EQ(static_cast<std::int64_t>(values.size()), range.size() * dim);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const float expected = element(s, static_cast<std::size_t>(range.begin * dim) + i);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(expected))
            << i;
      }
    }
  }
}

TEST(DenseCache, RefusesDuplicateIdsOnEveryRankAndWritesNothing) {
  const dist::Comm world = dist::Comm::world();
  const test::ScratchFolder folder(world);
  Sample s = sample(3, 2, VectorType::f32);
  s.ids[2] = s.ids[0];
  EXPECT_THAT(
      input_error([&] { write(world, folder / "cache.h5", s); }),
      AllOf(HasSubstr("cache.h5"), HasSubstr("'10:0' is given twice"), HasSubstr("rows 0 and 2")));
  EXPECT_FALSE(std::filesystem::exists(folder / "cache.h5"));
}

// What follows is about one process: it runs on the root alone.
struct DenseCacheFile : ::testing::Test {
  test::ScratchFolder folder;
  std::filesystem::path file = folder / "cache.h5";
  void SetUp() override {
    if (!dist::Comm::world().is_root()) GTEST_SKIP();
  }
  std::string read_error() {
    return input_error([&] { DenseCache::open(file).read_all(); });
  }
};

TEST_F(DenseCacheFile, RejectsNanAndInfiniteRowsNamingThem) {
  for (const auto& [value, shown] : {std::pair{std::numeric_limits<float>::quiet_NaN(), "nan"},
                                     std::pair{std::numeric_limits<float>::infinity(), "inf"}}) {
    Sample s = sample(5, 3, VectorType::f32);
    std::memcpy(s.rows.data() + (3 * 3 + 2) * 4, &value, 4);
    write(kAlone, file, s);
    EXPECT_THAT(read_error(),
                AllOf(HasSubstr("cache.h5: row 3 is not finite"),
                      HasSubstr("in column 2 of row 3 (id '10:3')"), HasSubstr(shown)));
    EXPECT_NO_THROW(DenseCache::open(file).read({0, 3}));
  }
}

TEST_F(DenseCacheFile, FindsDamagedRowsOnlyInTheBlocksItReads) {
  const Sample s = sample(600, 1024, VectorType::f32);  // 256 rows a block: 3 blocks
  write(kAlone, file, s);
  std::string bytes = slurp(file);
  const std::string last_row(reinterpret_cast<const char*>(s.rows.data()) + 599 * 4096, 4096);
  const std::size_t at = bytes.find(last_row);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 1000] = static_cast<char>(bytes[at + 1000] ^ 1);
  spill(file, bytes);
  const DenseCache cache = DenseCache::open(file);
  EXPECT_NO_THROW(cache.read({0, 512}));
  EXPECT_THAT(input_error([&] {
                cache.read({512, 513});
              }),
              AllOf(HasSubstr("rows 512 to 599 are damaged"), HasSubstr("checksum")));
  EXPECT_THAT(input_error([&] { cache.verify(); }), HasSubstr("damaged"));
}

TEST_F(DenseCacheFile, NamesItsContent) {
  const Sample s = sample(3, 2, VectorType::f32);
  write(kAlone, file, s);
  const std::string name = DenseCache::open(file).content_checksum();
  Sample other = s;
  std::swap(other.ids[0], other.ids[1]);
  write(kAlone, folder / "ids.h5", other);
  EXPECT_NE(DenseCache::open(folder / "ids.h5").content_checksum(), name);
  other = s;
  std::swap(other.rows[0], other.rows[1]);
  write(kAlone, folder / "rows.h5", other);
  EXPECT_NE(DenseCache::open(folder / "rows.h5").content_checksum(), name);
  other = s;
  other.info.source = "elsewhere";
  write(kAlone, folder / "source.h5", other);
  EXPECT_EQ(DenseCache::open(folder / "source.h5").content_checksum(), name);
}

TEST_F(DenseCacheFile, RejectsCandidatesOutOfOrder) {
  // Candidates with the ids of two rows swapped, which the writer would refuse: the bytes of the
  // ids are changed in the file.
  write(kAlone, file, sample(3, 2, VectorType::f32, CacheRole::candidates));
  std::string bytes = slurp(file);
  const std::size_t at = bytes.find("10:210:110:0");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 12, "10:110:210:0");
  spill(file, bytes);
  EXPECT_THAT(read_error(), AllOf(HasSubstr("cache.h5"), HasSubstr("ids")));
}

TEST_F(DenseCacheFile, RejectsHdf5FilesOfAnotherSchema) {
  dist::H5Writer writer(kAlone, file);
  writer.attribute("schema", std::string("puma code cache"));
  writer.commit();
  EXPECT_THAT(read_error(), AllOf(HasSubstr("cache.h5"), HasSubstr("'puma dense cache'"),
                                  HasSubstr("'puma code cache'")));
}

TEST_F(DenseCacheFile, PutsIdsInCanonicalOrderByBytes) {
  EXPECT_EQ(canonical_order({"10:10", "10:9", "10:100", "\xC3\xA9"}),
            (std::vector<std::int64_t>{3, 1, 2, 0}));
}

TEST_F(DenseCacheFile, RejectsFilesCutShortAndFilesOfOthers) {
  write(kAlone, file, sample(40, 16, VectorType::f16));
  const std::string bytes = slurp(file);
  for (const std::size_t size :
       {bytes.size() - 1, bytes.size() / 2, std::size_t{96}, std::size_t{7}, std::size_t{0}}) {
    spill(file, bytes.substr(0, size));
    EXPECT_THAT(read_error(), HasSubstr("cache.h5")) << size;
  }
  spill(file, "10:1 0 10:2 1\n");
  EXPECT_THAT(read_error(), HasSubstr("cache.h5"));
  EXPECT_THAT(input_error([&] { DenseCache::open(folder / "nowhere.h5"); }),
              HasSubstr("nowhere.h5"));
}

TEST_F(DenseCacheFile, IsReadByManyThreadsAtOnce) {
  const Sample s = sample(2000, 256, VectorType::f16);
  write(kAlone, file, s);
  const DenseCache cache = DenseCache::open(file);
  const std::vector<float> expected = DenseCache::open(file).read_all();
  std::vector<std::vector<float>> found(4);
  std::vector<std::thread> threads;
  for (auto& mine : found) threads.emplace_back([&] { mine = cache.read_all(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : found) EXPECT_TRUE(mine == expected);
}

TEST_F(DenseCacheFile, SurvivesDamage) {
  write(kAlone, file, sample(6, 5, VectorType::bf16));
  test::fuzz(slurp(file), file, 3000, [&] { DenseCache::open(file).read_all(); });
}

TEST(CacheIds, RejectsWhatCannotNameARow) {
  const auto error = [](const std::vector<std::string>& ids, std::int64_t rows) {
    return input_error([&] { check_ids(ids, rows, "ids.json"); });
  };
  EXPECT_NO_THROW(check_ids({"a", "b"}, 2, "ids.json"));
  EXPECT_THAT(error({"a", "b"}, 3),
              AllOf(HasSubstr("ids.json"), HasSubstr("3 rows"), HasSubstr("found 2 ids")));
  EXPECT_THAT(error({}, 0), AllOf(HasSubstr("there are no rows"), HasSubstr("0 rows")));
  EXPECT_THAT(error({"a", "b", "a"}, 3),
              AllOf(HasSubstr("'a' is given twice"), HasSubstr("rows 0 and 2")));
  EXPECT_THAT(error({"a", ""}, 2), HasSubstr("empty"));
  EXPECT_THAT(error({std::string(256, 'x')}, 1), HasSubstr("256 bytes in row 0"));
  EXPECT_NO_THROW(check_ids({std::string(255, 'x')}, 1, "ids.json"));
  EXPECT_THAT(error({"a b"}, 1), HasSubstr("white space"));
  EXPECT_THAT(error({std::string("a\0", 2)}, 1), HasSubstr("a\\x00"));
}

TEST(VectorTypes, ConvertEveryHalfExactly) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const int exponent = (half >> 10) & 31, fraction = half & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    const float value = half_to_float(half);
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(value), fraction != 0);
      EXPECT_FALSE(std::isfinite(value));
    } else {
      ASSERT_EQ(static_cast<double>(std::fabs(value)), magnitude) << bits;
    }
    ASSERT_EQ(std::signbit(value), (half >> 15) != 0) << bits;
  }
  EXPECT_EQ(bfloat_to_float(0x3FC0), 1.5F);
}

TEST(ChecksumBlocks, HoldAboutOneMebibyteAndAtLeastOneRow) {
  EXPECT_EQ(checksum_block_rows(512), 2048);
  EXPECT_EQ(checksum_block_rows(771), 1360);
  EXPECT_EQ(checksum_block_rows(std::int64_t{1} << 20), 1);
  EXPECT_EQ(checksum_block_rows(5000000), 1);
}

}  // namespace
}  // namespace puma::data
