// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/hdf5.hpp"
#include "dist/philox.hpp"
#include "hdf5_fixture.hpp"
#include "scratch_folder.hpp"

namespace puma::dist {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::int64_t rows = 11;

class HdfReader : public testing::Test {
 protected:
  HdfReader() { test::write_fixture(Comm(), file_, rows); }
  std::string message(const std::function<void()>& f) const {
    try {
      f();
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::bad_input) << e.what();
      return e.what();
    }
    return "nothing was thrown";
  }
  std::string open_message(const std::string& bytes) const {
    const fs::path changed = folder_.path() / "changed.h5";
    write_file(changed, bytes);
    return message([&] { H5Reader reader(changed); });
  }

  test::ScratchFolder folder_{"hdf5_reader"};
  fs::path file_ = folder_.path() / "x.h5";
};

TEST_F(HdfReader, GivesBackNamesShapesAndAttributes) {
  const H5Reader reader(file_);
  EXPECT_EQ(reader.file(), file_);
  EXPECT_EQ(reader.text_attribute("kind"), "fixture \xc3\xa9");
  EXPECT_EQ(reader.text_attribute("empty"), "");
  EXPECT_EQ(reader.int_attribute("rows"), rows);
  EXPECT_TRUE(reader.has_attribute("many19"));
  EXPECT_FALSE(reader.has_attribute("many20"));
  EXPECT_THAT(reader.dataset_names(),
              testing::ElementsAre("atoms", "bytes", "checksums", "cube", "half", "ids", "narrow",
                                   "signed", "vectors"));
  for (const auto& [name, expected] : test::fixture_shapes(rows)) {
    EXPECT_TRUE(reader.has_dataset(name));
    EXPECT_TRUE(reader.has_dataset("/" + name));
    const H5Shape shape = reader.shape(name);
    EXPECT_EQ(shape.type, expected.type) << name;
    EXPECT_EQ(shape.text_bytes, expected.text_bytes) << name;
    EXPECT_EQ(shape.dims, expected.dims) << name;
  }
  EXPECT_FALSE(reader.has_dataset("absent"));
  EXPECT_FALSE(reader.has_dataset(""));
  EXPECT_FALSE(reader.has_dataset("absent/below"));
}

TEST_F(HdfReader, ReadsAnyRangeOfRows) {
  const H5Reader reader(file_);
  for (const auto& [name, shape] : test::fixture_shapes(rows)) {
    for (const RowRange range : {RowRange{0, 0}, {0, 1}, {3, 8}, {rows - 1, rows}, {rows, rows}}) {
      EXPECT_EQ(reader.read(name, range) == test::pattern_rows(shape, range), true) << name;
    }
  }
  EXPECT_THROW(reader.read("vectors", {0, rows + 1}), Error);
  EXPECT_THROW(reader.read("vectors", {-1, 1}), Error);
  EXPECT_THROW(reader.read("vectors", {2, 1}), Error);
}

TEST_F(HdfReader, MissingNamesAndOtherTypesAreInputErrors) {
  const H5Reader reader(file_);
  EXPECT_THAT(message([&] { reader.shape("absent"); }),
              HasSubstr("x.h5: a data set is missing (expected data set 'absent', found none)"));
  EXPECT_THAT(message([&] { reader.text_attribute("absent"); }),
              HasSubstr("expected attribute 'absent', found none"));
  EXPECT_THAT(message([&] { reader.text_attribute("rows"); }), HasSubstr("another type"));
  EXPECT_THAT(message([&] { reader.int_attribute("kind"); }), HasSubstr("another type"));
}

TEST_F(HdfReader, FilesThatAreNotHdf5SaySo) {
  EXPECT_THAT(open_message(""), HasSubstr("this is not an HDF5 file"));
  EXPECT_THAT(open_message("\x89HDF"), HasSubstr("this is not an HDF5 file"));
  EXPECT_THAT(open_message(std::string(5000, 'x')), HasSubstr("this is not an HDF5 file"));
  EXPECT_THAT(message([&] { H5Reader reader(folder_.path() / "absent.h5"); }),
              HasSubstr("the file cannot be opened"));
  EXPECT_THAT(message([&] { H5Reader reader(folder_.path()); }), HasSubstr("this is a folder"));
  EXPECT_TRUE(is_hdf5(file_));
  EXPECT_FALSE(is_hdf5(folder_.path() / "changed.h5"));
}

TEST_F(HdfReader, AFileCutShortAnywhereIsRefusedWithBothLengths) {
  const std::string whole = read_file(file_);
  for (std::size_t n = 8; n < whole.size(); n += n < 200 ? 1 : 97) {
    EXPECT_THAT(open_message(whole.substr(0, n)), HasSubstr("the file is cut short"));
  }
  EXPECT_THAT(open_message(whole.substr(0, whole.size() - 1)),
              HasSubstr("(expected " + std::to_string(whole.size()) + " bytes, found " +
                        std::to_string(whole.size() - 1) + " bytes)"));
  EXPECT_THAT(open_message(whole + "x"), HasSubstr("longer than it says"));
}

TEST_F(HdfReader, OlderSuperblocksWithoutChecksumsAreRefused) {
  std::string bytes = read_file(file_);
  bytes[8] = 0;
  EXPECT_THAT(open_message(bytes),
              HasSubstr("expected superblock version 2 or 3, found version 0"));
}

// Reads everything there is; damage may pass unseen only where data lie, never crash.
void read_all(const fs::path& file) {
  const H5Reader reader(file);
  for (const char* name : {"kind", "empty", "many3"}) {
    if (reader.has_attribute(name)) reader.text_attribute(name);
  }
  if (reader.has_attribute("rows")) reader.int_attribute("rows");
  for (const std::string& name : reader.dataset_names()) {
    reader.read(name, {0, reader.shape(name).dims[0]});
  }
}

TEST_F(HdfReader, DamagedBytesLeadToSuccessOrAnErrorNeverACrash) {
  const std::string whole = read_file(file_);
  const fs::path changed = folder_.path() / "damaged.h5";
  const auto n = static_cast<std::uint32_t>(whole.size());
  int refused = 0;
  constexpr int trials = 1500;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    std::string bytes = whole;
    // First every byte of the superblock and root object, then anywhere, up to four bytes at once.
    for (std::uint32_t flip = 0; flip <= trial % 4; ++flip) {
      const std::uint32_t place =
          trial < 600 && flip == 0 ? trial % n
                                   : random_below(n, 5, RandomPurpose::test_data, trial, 2 * flip);
      bytes[place] ^= static_cast<char>(
          1 + random_below(255, 5, RandomPurpose::test_data, trial, 2 * flip + 1));
    }
    std::ofstream(changed, std::ios::binary) << bytes;
    try {
      read_all(changed);
    } catch (const Error& e) {
      ++refused;
      EXPECT_EQ(e.code(), ExitCode::bad_input) << e.what();
      EXPECT_THAT(e.what(), HasSubstr("damaged.h5"));
    }
  }
  EXPECT_GT(refused, trials / 4);
}

}  // namespace
}  // namespace puma::dist
