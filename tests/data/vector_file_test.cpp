// SPDX-License-Identifier: Apache-2.0
#include "data/vector_file.hpp"

#include <algorithm>
#include <limits>

#include "data_files.hpp"

namespace puma::data {
namespace {

using test::bytes_of;
using test::input_error;
using test::npy;
using test::spill;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::vector<float> kSix{1, 2, 3, -4, 0.5F, 0};  // 2 rows of 3

struct VectorFileTest : ::testing::Test {
  test::ScratchFolder folder;
  std::filesystem::path file = folder / "doc_embeddings.npy";

  VectorFile open(const std::string& bytes, std::int64_t rows = 2,
                  std::optional<std::int64_t> dim = {}) {
    spill(file, bytes);
    return VectorFile::open(file, rows, dim);
  }
  std::string error(const std::string& bytes, std::int64_t rows = 2,
                    std::optional<std::int64_t> dim = {}) {
    return input_error([&] {
      const VectorFile vectors = open(bytes, rows, dim);
      std::vector<std::byte> out;
      for (std::int64_t row = 0; row < vectors.rows(); ++row) vectors.append_row(row, out, "10:7");
    });
  }
};

std::vector<float> floats(const VectorFile& vectors) {
  std::vector<std::byte> bytes;
  for (std::int64_t row = 0; row < vectors.rows(); ++row) vectors.append_row(row, bytes);
  const std::size_t width = vector_element_bytes(vectors.stored_type());
  std::vector<float> values(bytes.size() / width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (width == 4) {
      std::memcpy(&values[i], bytes.data() + 4 * i, 4);
    } else {
      std::uint16_t half = 0;
      std::memcpy(&half, bytes.data() + 2 * i, 2);
      values[i] = half_to_float(half);
    }
  }
  return values;
}

std::string swapped(std::string bytes, std::size_t width) {
  for (std::size_t at = 0; at < bytes.size(); at += width) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + width));
  }
  return bytes;
}

const std::vector<std::uint16_t> kHalves{0x3C00, 0x4000, 0x4200, 0xC400, 0x3800, 0x0000};
const std::vector<double> kDoubles(kSix.begin(), kSix.end());
const std::vector<float> kColumns{1, -4, 2, 0.5F, 3, 0};  // the same by columns

TEST_F(VectorFileTest, ReadsEveryWidthByteOrderAndStorageOrder) {
  struct Case {
    std::string bytes, description;
    VectorType type;
  };
  const std::vector<Case> cases{
      {npy("<f4", "(2, 3)", bytes_of(kSix)), "npy v1.0, float32, C order", VectorType::f32},
      {npy(">f4", "(2, 3)", swapped(bytes_of(kSix), 4)), "npy v1.0, big-endian float32, C order",
       VectorType::f32},
      {npy("<f2", "(2, 3)", bytes_of(kHalves)), "npy v1.0, float16, C order", VectorType::f16},
      {npy(">f2", "(2, 3)", swapped(bytes_of(kHalves), 2)), "npy v1.0, big-endian float16, C order",
       VectorType::f16},
      {npy("<f8", "(2, 3)", bytes_of(kDoubles)), "npy v1.0, float64, C order, rounded to float32",
       VectorType::f32},
      {npy(">f8", "(2, 3)", swapped(bytes_of(kDoubles), 8)),
       "npy v1.0, big-endian float64, C order, rounded to float32", VectorType::f32},
      {npy("<f4", "(2, 3)", bytes_of(kColumns), true), "npy v1.0, float32, Fortran order",
       VectorType::f32},
      {bytes_of(kSix), "raw float32 memory map (no npy header)", VectorType::f32},
  };
  for (const Case& one : cases) {
    const VectorFile vectors = open(one.bytes);
    EXPECT_EQ(vectors.description(), one.description);
    EXPECT_EQ(vectors.stored_type(), one.type) << one.description;
    EXPECT_EQ(vectors.rows(), 2);
    EXPECT_EQ(vectors.dim(), 3);
    EXPECT_EQ(floats(vectors), kSix) << one.description;
  }
}

TEST_F(VectorFileTest, ReadsTheHeaderAsALiteralNotAsAPattern) {
  const std::string data = bytes_of(kSix);
  for (const char* dictionary :
       {"{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}",
        "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3)}",
        "  { 'descr' : '=f4' ,\n'fortran_order':\tFalse, 'shape': ( 2 , 3 , ) , } \n\n",
        "{'descr': '|f4', 'fortran_order': False, 'shape': (2L, 3L), }"}) {
    for (const int major : {1, 2, 3}) {
      const VectorFile vectors = open(npy(std::string(dictionary), data, major));
      EXPECT_EQ(floats(vectors), kSix) << dictionary;
      EXPECT_THAT(vectors.description(), HasSubstr("npy v" + std::to_string(major) + ".0"));
    }
  }
}

TEST_F(VectorFileTest, RejectsOddHeaders) {
  const std::string data = bytes_of(kSix);
  const auto header_error = [&](const std::string& dictionary) {
    return error(npy(dictionary, data));
  };
  EXPECT_THAT(header_error("{'descr': '<f4', 'fortran_order': False}"),
              HasSubstr("found no shape"));
  EXPECT_THAT(header_error("{'descr': '<f4', 'descr': '<f4'}"), HasSubstr("'descr' twice"));
  EXPECT_THAT(header_error("{'order': 1}"), HasSubstr("found 'order'"));
  EXPECT_THAT(header_error("{'descr': [('a', '<f4')]}"), HasSubstr("structured"));
  EXPECT_THAT(header_error("{'descr': '<f4', 'fortran_order': 0, }"), HasSubstr("True or False"));
  EXPECT_THAT(header_error("{'shape': (2, -3)}"), HasSubstr("whole number"));
  EXPECT_THAT(header_error("{'shape': (2, 3)"), HasSubstr("end of the header"));
  EXPECT_THAT(header_error("{'shape': (9999999999999999999, 3)}"), HasSubstr("10^18"));
  EXPECT_THAT(header_error("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x"),
              HasSubstr("nothing after"));
  EXPECT_THAT(header_error(""), HasSubstr("expected '{'"));
  for (const char* dtype : {"<i4", "|V2", "<f16", "f4", "<c8", "|O", "<f3"}) {
    EXPECT_THAT(error(npy(dtype, "(2, 3)", data)),
                AllOf(HasSubstr("float16, float32 or float64"), HasSubstr(dtype)));
  }
  std::string version = npy("<f4", "(2, 3)", data);
  version[6] = 9;
  EXPECT_THAT(error(version), HasSubstr("found 9.0"));
}

TEST_F(VectorFileTest, RejectsShapesThatAreNoRows) {
  EXPECT_THAT(error(npy("<f4", "(6,)", bytes_of(kSix))),
              AllOf(HasSubstr("1 dimension ("), HasSubstr("(6,)")));
  EXPECT_THAT(error(npy("<f4", "()", bytes_of(kSix))), HasSubstr("0 dimensions"));
  EXPECT_THAT(error(npy("<f4", "(1, 2, 3)", bytes_of(kSix))), HasSubstr("(1, 2, 3)"));
  EXPECT_THAT(error(npy("<f4", "(0, 3)", "")), HasSubstr("there are no rows"));
  EXPECT_THAT(error(npy("<f4", "(2, 0)", "")), HasSubstr("the rows are empty"));
  EXPECT_THAT(error(npy("<f4", "(999999999999999999, 999999999999999999)", "")),
              HasSubstr("more than 2^63"));
}

TEST_F(VectorFileTest, RejectsTruncatedAndOverlongNpyWithBothSizes) {
  const std::string whole = npy("<f4", "(2, 3)", bytes_of(kSix));
  EXPECT_THAT(error(whole.substr(0, whole.size() - 5)),
              AllOf(HasSubstr("doc_embeddings.npy"), HasSubstr("cut short"),
                    HasSubstr("expected 24 bytes of data"), HasSubstr("found 19")));
  EXPECT_THAT(error(whole + "x"), AllOf(HasSubstr("bytes after the array"), HasSubstr("found 25")));
  for (std::size_t size = 6; size < whole.size(); ++size) error(whole.substr(0, size));
  EXPECT_THAT(error(whole.substr(0, 40)), HasSubstr("beyond the end of the file"));
}

TEST_F(VectorFileTest, RejectsRawFilesOfAWrongSizeWithAHint) {
  const std::string raw = bytes_of(kSix);
  EXPECT_EQ(open(raw, 2, 3).dim(), 3);
  EXPECT_THAT(error(raw.substr(0, 20), 2, 3),
              AllOf(HasSubstr("2 rows x 3 x 4 bytes = 24 bytes"), HasSubstr("found 20 bytes"),
                    HasSubstr("is this a raw float32 memory map without an npy header?")));
  EXPECT_THAT(error(raw, 5),
              AllOf(HasSubstr("5 rows x a whole number x 4 bytes"), HasSubstr("found 24 bytes")));
  EXPECT_THAT(error(raw, 2, 0), HasSubstr("found 24 bytes"));
  EXPECT_THAT(error(raw, 2, std::numeric_limits<std::int64_t>::max()), HasSubstr("found 24 bytes"));
  EXPECT_THAT(error(raw, 0), HasSubstr("there are no rows"));
  EXPECT_THAT(error(""), HasSubstr("the file is empty"));
}

TEST_F(VectorFileTest, RejectsAWidthThatTheMetadataDenies) {
  EXPECT_THAT(error(npy("<f4", "(2, 3)", bytes_of(kSix)), 2, 4),
              AllOf(HasSubstr("4 columns"), HasSubstr("found 3")));
}

TEST_F(VectorFileTest, RejectsNumbersThatAreNotFiniteNamingRowColumnAndId) {
  std::vector<float> values = kSix;
  values[4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error(bytes_of(values)), AllOf(HasSubstr("row 1 is not finite"),
                                             HasSubstr("nan in column 1 of row 1 (id '10:7')")));
  values[4] = -std::numeric_limits<float>::infinity();
  EXPECT_THAT(error(npy("<f4", "(2, 3)", bytes_of(values))), HasSubstr("-inf in column 1"));
  std::vector<std::uint16_t> halves = kHalves;
  halves[2] = 0x7C00;
  EXPECT_THAT(error(npy("<f2", "(2, 3)", bytes_of(halves))), HasSubstr("inf in column 2 of row 0"));
  std::vector<double> doubles = kDoubles;
  doubles[0] = 1e39;
  EXPECT_THAT(error(npy("<f8", "(2, 3)", bytes_of(doubles))), HasSubstr("1e+39 in column 0"));
  doubles[0] = std::numeric_limits<float>::max();
  EXPECT_NO_THROW(floats(open(npy("<f8", "(2, 3)", bytes_of(doubles)))));
}

TEST_F(VectorFileTest, SurvivesDamage) {
  const auto read = [&] { floats(VectorFile::open(file, 2, {})); };
  test::fuzz(npy("<f4", "(2, 3)", bytes_of(kSix)), file, 2500, read);
  test::fuzz(npy(std::string("{'descr': '>f8', 'fortran_order': True, 'shape': (2, 3), }"),
                 bytes_of(kDoubles), 2),
             file, 1500, read);
  test::fuzz(bytes_of(kSix), file, 1000, read);
}

struct IdListTest : ::testing::Test {
  test::ScratchFolder folder;
  std::filesystem::path file = folder / "doc_ids.json";
  std::string error(const std::string& text) {
    return input_error([&] {
      spill(file, text);
      read_id_list(file);
    });
  }
};

TEST_F(IdListTest, ReadsTextsInOrder) {
  spill(file, " [\"10:1\", \"b\\\"\\u00e9\",\n\"10:1\"] \n");
  EXPECT_EQ(read_id_list(file), (std::vector<std::string>{"10:1", "b\"\xC3\xA9", "10:1"}));
  spill(file, "[]");
  EXPECT_TRUE(read_id_list(file).empty());
  spill(file, "[ ] ");
  EXPECT_TRUE(read_id_list(file).empty());
}

TEST_F(IdListTest, RejectsEverythingElse) {
  for (const char* text :
       {"", "{}", "\"a\"", "[\"a\", 1]", "[\"a\"", "[\"a\",]", "[\"a\" \"b\"]", "[\"a\"] [\"b\"]",
        "[\"a\"]]", "[[\"a\"]]", "[null]", "[\"\xFF\"]", "[\"a]", "[]]"}) {
    EXPECT_THAT(error(text), AllOf(HasSubstr("doc_ids.json"), HasSubstr("a JSON list of strings")))
        << text;
  }
  EXPECT_THAT(error("[\"a\", 1]"), HasSubstr("no string at entry 1"));
}

TEST_F(IdListTest, SurvivesDamage) {
  test::fuzz(R"(["10:1", "10:2", "10:3", "x\u0041"])", file, 1500, [&] { read_id_list(file); });
}

}  // namespace
}  // namespace puma::data
