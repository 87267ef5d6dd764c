// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "data/code_row_check.hpp"
#include "data/codes.hpp"
#include "data_files.hpp"
#include "dist/hdf5.hpp"

namespace puma::data {
namespace {

using dist::Comm;
using dist::RowRange;
using ::testing::HasSubstr;

CodeMatrix some_codes(RowRange rows, std::int64_t dictionary, std::int64_t k, bool is_signed) {
  CodeMatrix codes = CodeMatrix::zeros(rows.size(), dictionary, k, is_signed);
  std::vector<float> row(static_cast<std::size_t>(dictionary));
  for (std::int64_t r = rows.begin; r < rows.end; ++r) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto trial = static_cast<std::uint32_t>(r);
      row[i] = std::floor(dist::random_unit(5, dist::RandomPurpose::test_data, trial, i) * 17) - 14;
    }
    is_signed ? select_top_magnitude(row, r - rows.begin, codes)
              : select_top_positive(row, r - rows.begin, codes);
  }
  return codes;
}

std::vector<std::string> some_ids(std::int64_t rows) {
  std::vector<std::string> ids;
  for (std::int64_t i = 0; i < rows; ++i) ids.push_back(fmt::format("10:{:05}", 99999 - i));
  return ids;
}

const CodeCacheInfo info{"candidates", "puma", "emoji256", "source-sum", "encoder-sum", 12};

void expect_equal(const CodeMatrix& a, const CodeMatrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.dictionary, b.dictionary);
  EXPECT_EQ(a.k_max, b.k_max);
  EXPECT_EQ(a.is_signed, b.is_signed);
  EXPECT_EQ(a.atoms, b.atoms);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.lengths, b.lengths);
}

TEST(CodeCache, ReadsBackWhatWasWrittenAndRanksDoNotChangeTheBytes) {
  const Comm world = Comm::world();
  const test::ScratchFolder folder(world);
  for (const std::int64_t rows : {1, 2, 255, 256, 257, 700}) {
    for (const std::int64_t align : {1, 256}) {
      const RowRange mine = dist::partition(rows, world.size(), world.rank(), align);
      write_code_cache(world, folder / "ranks.h5", info, some_ids(rows), mine,
                       some_codes(mine, 40, 6, false));
      if (world.is_root()) {
        const RowRange all{0, rows};
        const CodeMatrix codes = some_codes(all, 40, 6, false);
        write_code_cache({}, folder / "alone.h5", info, some_ids(rows), all, codes);
        EXPECT_EQ(test::slurp(folder / "ranks.h5"), test::slurp(folder / "alone.h5")) << rows;
        const CodeCache cache = read_code_cache(folder / "ranks.h5");
        EXPECT_EQ(cache.ids, some_ids(rows));
        EXPECT_EQ(cache.info.encoder, "encoder-sum");
        EXPECT_EQ(cache.info.dim, 12);
        expect_equal(cache.codes, codes);
        EXPECT_EQ(code_cache_rows(folder / "ranks.h5"), rows);
      }
      world.barrier();
    }
  }
}

TEST(CodeCache, EveryRankReadsItsOwnRows) {
  const Comm world = Comm::world();
  const test::ScratchFolder folder(world);
  const std::int64_t rows = 600;
  const RowRange mine = dist::partition(rows, world.size(), world.rank());
  write_code_cache(world, folder / "c.h5", info, some_ids(rows), mine,
                   some_codes(mine, 33, 5, true));
  for (const RowRange range : {mine, RowRange{0, 0}, RowRange{300, 301}, RowRange{255, 513}}) {
    expect_equal(read_code_cache(folder / "c.h5", range).codes, some_codes(range, 33, 5, true));
  }
}

TEST(CodeCache, KeepsAtomsBeyondSixteenBits) {
  if (!Comm::world().is_root()) return;
  const test::ScratchFolder folder;
  CodeMatrix codes = CodeMatrix::zeros(1, 70000, 2, true);
  codes.atoms = {69999, 3};
  codes.values = {-2.0f, 1.0f};
  codes.lengths = {2};
  write_code_cache({}, folder / "wide.h5", info, {"a"}, {0, 1}, codes);
  expect_equal(read_code_cache(folder / "wide.h5").codes, codes);
}

TEST(CodeCache, NamesTheRowsOfADamagedBlock) {
  if (!Comm::world().is_root()) return;
  const test::ScratchFolder folder;
  const auto file = folder / "damaged.h5";
  write_code_cache({}, file, info, some_ids(300), {0, 300}, some_codes({0, 300}, 40, 6, false));
  std::string bytes = test::slurp(file);
  const std::uint64_t values = dist::H5Reader(file).offset("values");
  bytes[values + 260 * 6 * 4] ^= 1;
  test::spill(file, bytes);
  EXPECT_THAT(test::input_error([&] { read_code_cache(file); }),
              HasSubstr("damaged.h5: rows 256 to 299 are damaged (expected checksum "));
  EXPECT_EQ(read_code_cache(file, {0, 256}).codes.rows, 256);
  test::spill(file, bytes.substr(0, bytes.size() / 2));
  test::input_error([&] { read_code_cache(file); });
}

TEST(CodeCache, RefusesAnotherKindOfFile) {
  if (!Comm::world().is_root()) return;
  const test::ScratchFolder folder;
  dist::H5Writer writer({}, folder / "other.h5");
  writer.attribute("schema", std::string("something else"));
  writer.commit();
  EXPECT_THAT(test::input_error([&] { read_code_cache(folder / "other.h5"); }),
              HasSubstr("attribute 'schema' differs (expected 'puma code cache', found "
                        "'something else')"));
}

TEST(CodeCache, SurvivesDamagedCopies) {
  if (!Comm::world().is_root()) return;
  const test::ScratchFolder folder;
  write_code_cache({}, folder / "good.h5", info, some_ids(3), {0, 3},
                   some_codes({0, 3}, 9, 2, false));
  const auto file = folder / "fuzz.h5";
  test::fuzz(test::slurp(folder / "good.h5"), file, 400, [&] { read_code_cache(file); });
}

struct BadRow {
  std::vector<std::uint32_t> atoms;
  std::vector<float> values;
  std::uint32_t length;
  bool is_signed;
  std::string problem;
};

TEST(CodeRow, RefusesEveryWayToBeNoCode) {
  const std::vector<BadRow> rows = {
      {{1, 2}, {2, 1}, 3, false, "longer than k_max"},
      {{10, 2}, {2, 1}, 2, false, "entry 0 names an unknown atom"},
      {{1, 2}, {2, NAN}, 2, false, "entry 1 has no valid value"},
      {{1, 2}, {INFINITY, 1}, 2, true, "entry 0 has no valid value"},
      {{1, 2}, {2, 0}, 2, true, "entry 1 has no valid value"},
      {{1, 2}, {2, -1}, 2, false, "entry 1 has no valid value"},
      {{1, 2}, {1, 2}, 2, false, "entry 1 is out of order"},
      {{2, 1}, {1, -1}, 2, true, "entry 1 is out of order"},
      {{1, 1}, {2, 1}, 2, false, "an atom occurs twice"},
      {{1, 2}, {2, 1}, 1, false, "entry 1 after the row's end is not empty"},
      {{1, 0}, {2, -0.0f}, 1, false, "entry 1 after the row's end is not empty"},
  };
  for (const BadRow& row : rows) {
    const auto problem = check_code_row(row.atoms, row.values, row.length, 10, row.is_signed);
    ASSERT_TRUE(problem) << row.problem;
    EXPECT_THAT(problem->problem, HasSubstr(row.problem));
  }
  const std::vector<std::uint32_t> atoms{7, 8, 0};
  const std::vector<float> values{-2, 2, 0};
  EXPECT_FALSE(check_code_row(atoms, values, 2, 10, true));
  EXPECT_FALSE(check_code_row(std::vector<std::uint32_t>(3), std::vector<float>(3), 0, 10, false));
}

}  // namespace
}  // namespace puma::data
