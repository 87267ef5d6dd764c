// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <thread>

#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/hdf5.hpp"
#include "dist/mapped_file.hpp"
#include "hdf5_fixture.hpp"
#include "scratch_folder.hpp"

namespace puma::dist {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A folder that all ranks see, made and removed by root.
class HdfWriter : public testing::Test {
 protected:
  void SetUp() override {
    if (world_.is_root()) scratch_.emplace("hdf5");
    folder_ = world_.broadcast(world_.is_root() ? scratch_->path().string() : std::string());
  }
  void TearDown() override { world_.barrier(); }

  fs::path at(const std::string& name) const { return folder_ / name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  Comm world_ = Comm::world();
  std::optional<test::ScratchFolder> scratch_;
  fs::path folder_;
};

TEST_F(HdfWriter, BytesAreThoseOfASerialWriterForAnyRowsAndTransfers) {
  for (const std::int64_t rows : {0, 1, 2, 3, 5, 1001}) {
    const fs::path serial = at("serial.h5");
    if (world_.is_root()) test::write_fixture(Comm(), serial, rows);
    for (const std::int64_t transfer : {std::int64_t{1}, std::int64_t{64}, std::int64_t{1} << 30}) {
      if (transfer == 1 && rows > 5) continue;  // one row a round: slow and no other path
      for (const std::int64_t align : {1, 256}) {
        test::write_fixture(world_, at("ranks.h5"), rows, transfer, align);
        if (world_.is_root()) {
          EXPECT_EQ(read_file(serial) == read_file(at("ranks.h5")), true)
              << rows << " rows, transfers of " << transfer << ", align " << align;
        }
        world_.barrier();
      }
    }
  }
}

TEST_F(HdfWriter, EqualContentIsEqualBytesAtAnotherTime) {
  test::write_fixture(world_, at("a.h5"), 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 keeps whole seconds
  test::write_fixture(world_, at("b.h5"), 3);
  EXPECT_EQ(read_file(at("a.h5")) == read_file(at("b.h5")), true);
}

TEST_F(HdfWriter, EveryRankReadsAndMapsWhatAllWrote) {
  constexpr std::int64_t rows = 13;
  test::write_fixture(world_, at("x.h5"), rows);
  const H5Reader reader(at("x.h5"));
  const MappedFile map(at("x.h5"));
  for (const auto& [name, shape] : test::fixture_shapes(rows)) {
    const auto expected = test::pattern_rows(shape, {0, rows});
    EXPECT_EQ(reader.read(name, {0, rows}) == expected, true) << name;
    const std::uint64_t offset = reader.offset(name);
    EXPECT_EQ(offset % 64, 0u) << name;
    const auto bytes = map.bytes().subspan(offset, expected.size());
    EXPECT_TRUE(std::ranges::equal(bytes, expected)) << name;
  }
}

TEST_F(HdfWriter, WithoutCommitNothingAppearsAndTheOldFileStays) {
  test::write_fixture(world_, at("x.h5"), 2);
  const std::string before = read_file(at("x.h5"));
  {
    H5Writer writer(world_, at("x.h5"));
    writer.attribute("kind", std::string("abandoned"));
    H5Writer other(std::move(writer));
  }
  world_.barrier();
  EXPECT_EQ(read_file(at("x.h5")) == before, true);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(HdfWriter, MakesTheFolderOfItsTarget) {
  test::write_fixture(world_, at("deep/er/x.h5"), 1);
  EXPECT_TRUE(is_hdf5(at("deep/er/x.h5")));
}

TEST_F(HdfWriter, UnwritableTargetIsOneErrorOnEveryRank) {
  if (world_.is_root()) write_file(at("plain"), "x");
  world_.barrier();
  try {
    H5Writer writer(world_, at("plain/x.h5"));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr(at("plain").string()));
    EXPECT_EQ(e.code(), ExitCode::task_failed);
  }
}

TEST_F(HdfWriter, RangesThatDoNotTileAreADefectOnEveryRank) {
  H5Writer writer(world_, at("x.h5"));
  const H5Shape shape{H5Type::u8, 0, {world_.size() + 1}};
  const RowRange mine{world_.rank(), world_.rank() + 1};  // the last row has no owner
  const std::vector<std::byte> row(1);
  try {
    writer.dataset("x", shape, mine, row);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::internal);
    EXPECT_THAT(e.what(), HasSubstr("is not written wholly"));
  }
}

TEST_F(HdfWriter, WrongByteCountOnOneRankIsADefectOnEveryRank) {
  H5Writer writer(world_, at("x.h5"));
  const H5Shape shape{H5Type::u16, 0, {world_.size()}};
  const std::vector<std::byte> row(world_.rank() == world_.size() - 1 ? 1 : 2);
  EXPECT_THROW(writer.dataset("x", shape, {world_.rank(), world_.rank() + 1}, row), Error);
}

TEST_F(HdfWriter, DifferentMetadataOnOneRankIsADefectNotAHang) {
  if (world_.size() == 1) GTEST_SKIP() << "needs two ranks";
  H5Writer writer(world_, at("x.h5"));
  EXPECT_THROW(writer.attribute("rank", std::int64_t{world_.rank()}), Error);
}

TEST_F(HdfWriter, TooLongAttributeAndDoubleNameAreErrors) {
  H5Writer writer(world_, at("x.h5"));
  EXPECT_THROW(writer.attribute("long", std::string(70000, 'x')), Error);
  writer.attribute("twice", std::int64_t{1});
  EXPECT_THROW(writer.attribute("twice", std::int64_t{1}), Error);
}

}  // namespace
}  // namespace puma::dist
