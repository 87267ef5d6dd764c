// SPDX-License-Identifier: Apache-2.0
#include "model/encoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "data/safetensors.hpp"
#include "dist/error.hpp"
#include "model/checkpoint.hpp"
#include "toy_training.hpp"

namespace puma::model {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kDim = 12, kDictionary = 48, kRows = 700;

struct Files {
  Files() : options(toy_options("encoder")) {
    std::filesystem::create_directories(options.folder);
    file = options.folder / "checkpoint.safetensors";
    W_enc = random_rows(kDictionary, kDim, 20);
    W_dec = random_rows(kDictionary, kDim, 21);
    b_enc.assign(kDictionary, -0.2f);  // so that some rows have fewer than k positive values
    b_dec.assign(kDim, 0.1f);
  }
  ~Files() { std::filesystem::remove_all(options.folder); }
  void write() const {
    CheckpointInfo info;
    info.recipe = config::recipe_preset("released");
    info.k = 4;
    info.data_checksum = "toy";
    write_checkpoint(file, info, {kDim, kDictionary, W_enc, W_dec, b_enc, b_dec});
  }
  TrainingOptions options;
  std::filesystem::path file;
  std::vector<float> W_enc, W_dec, b_enc, b_dec;
  std::vector<float> rows = random_rows(kRows, kDim, 22);
};

data::CodeMatrix encode(const Files& files, dist::RowRange range, std::int64_t k, int threads) {
  const Encoder encoder(files.file, {});
  return encoder.encode(range, k, threads, [&](dist::RowRange r, std::span<float> out) {
    std::copy(files.rows.begin() + r.begin * kDim, files.rows.begin() + r.end * kDim, out.begin());
  });
}

TEST(Encoder, CodesDoNotDependOnTheDealingOfRowsOrThreads) {
  Files files;
  files.write();
  const data::CodeMatrix whole = encode(files, {0, kRows}, 8, 1);
  for (const int parts : {1, 2, 3, 4}) {
    for (const int threads : {1, 2, 5}) {
      for (int part = 0; part < parts; ++part) {
        const dist::RowRange mine = dist::partition(kRows, parts, part, kEncodeBlockRows);
        const data::CodeMatrix some = encode(files, mine, 8, threads);
        ASSERT_EQ(some.rows, mine.size());
        for (std::int64_t i = 0; i < some.rows; ++i) {
          const auto a = some.row_atoms(i), b = whole.row_atoms(mine.begin + i);
          const auto v = some.row_values(i), w = whole.row_values(mine.begin + i);
          ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << i;
          ASSERT_TRUE(std::equal(v.begin(), v.end(), w.begin(), w.end())) << i;
        }
      }
    }
  }
}

TEST(Encoder, CodesAreTheLargestPositivePreActivationsByValue) {
  Files files;
  files.write();
  const data::CodeMatrix codes = encode(files, {0, kRows}, 8, 1);
  bool some_short = false;
  for (std::int64_t i = 0; i < kRows; ++i) {
    std::vector<std::pair<double, std::uint32_t>> expected;  // centred, as the released recipe
    for (std::int64_t a = 0; a < kDictionary; ++a) {
      double h = files.b_enc[static_cast<std::size_t>(a)];
      for (std::int64_t j = 0; j < kDim; ++j) {
        h += static_cast<double>(files.W_enc[static_cast<std::size_t>(a * kDim + j)]) *
             (files.rows[static_cast<std::size_t>(i * kDim + j)] -
              files.b_dec[static_cast<std::size_t>(j)]);
      }
      if (h > 0) expected.emplace_back(-h, static_cast<std::uint32_t>(a));
    }
    std::sort(expected.begin(), expected.end());
    const std::size_t length = std::min<std::size_t>(8, expected.size());
    some_short = some_short || length < 8;
    ASSERT_EQ(codes.row_atoms(i).size(), length);
    for (std::size_t j = 0; j < length; ++j) {
      EXPECT_NEAR(codes.row_values(i)[j], -expected[j].first, 1e-5);
      EXPECT_GE(codes.row_values(i)[j == 0 ? 0 : j - 1], codes.row_values(i)[j]);
    }
  }
  EXPECT_TRUE(some_short);
}

TEST(Encoder, NoRowsAreNoCodes) {
  Files files;
  files.write();
  EXPECT_EQ(encode(files, {512, 512}, 8, 2).rows, 0);
}

TEST(Encoder, AFailingReaderIsThrown) {
  Files files;
  files.write();
  const Encoder encoder(files.file, {});
  const auto bad = [](dist::RowRange r, std::span<float>) {
    if (r.begin > 0) dist::fail_input({"cache", "row " + std::to_string(r.begin), "", "", ""});
  };
  try {
    encoder.encode({0, kRows}, 4, 2, bad);
    ADD_FAILURE();
  } catch (const dist::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("row 256"));  // the first of the two, whichever came first
  }
}

std::string refusal(const Files& files, std::int64_t k = 4) {
  try {
    encode(files, {0, kRows}, k, 1);
  } catch (const dist::Error& error) {
    EXPECT_EQ(error.code(), dist::ExitCode::bad_input);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Encoder, RefusesKLargerThanTheDictionary) {
  Files files;
  files.write();
  EXPECT_THAT(refusal(files, 49), HasSubstr("1 <= k <= 48"));
  EXPECT_THAT(refusal(files, 0), HasSubstr("found 0"));
}

TEST(Encoder, RefusesDamagedCheckpoints) {
  Files files;
  files.W_enc[17] = std::numeric_limits<float>::infinity();
  files.write();
  EXPECT_THAT(refusal(files), HasSubstr("W_enc holds a value that is not finite"));
  files.W_enc[17] = 0;
  files.write();
  std::filesystem::resize_file(files.file, std::filesystem::file_size(files.file) - 4);
  EXPECT_THAT(refusal(files), HasSubstr(files.file.string()));
  data::write_safetensors(files.file, {}, {});
  EXPECT_THAT(refusal(files), HasSubstr("no 'format'"));
  auto metadata = checkpoint_metadata({});
  const data::TensorView flat{"F32", {576}, std::as_bytes(std::span(files.W_enc))};
  data::write_safetensors(files.file, {{"W_enc", flat}}, metadata);
  EXPECT_THAT(refusal(files), HasSubstr("W_enc is no matrix"));
  const data::TensorView wide{"F32", {48, 12}, std::as_bytes(std::span(files.W_enc))};
  data::write_safetensors(files.file, {{"W_enc", wide}, {"W_dec", flat}}, metadata);
  EXPECT_THAT(refusal(files), HasSubstr("W_dec has another type or shape"));
  metadata["recipe"] = "{";
  data::write_safetensors(files.file, {{"W_enc", wide}}, metadata);
  EXPECT_THAT(refusal(files), HasSubstr("'recipe' is damaged"));
}

TEST(Checkpoint, ReadsBackWhatWasWritten) {
  Files files;
  files.write();
  const Checkpoint read = read_checkpoint(files.file);
  EXPECT_EQ(read.dim, kDim);
  EXPECT_EQ(read.dictionary, kDictionary);
  EXPECT_EQ(read.W_enc, files.W_enc);
  EXPECT_EQ(read.W_dec, files.W_dec);
  EXPECT_EQ(read.b_enc, files.b_enc);
  EXPECT_EQ(read.b_dec, files.b_dec);
  EXPECT_EQ(read.info.recipe, config::recipe_preset("released"));
  EXPECT_EQ(read.info.k, 4);
  EXPECT_EQ(read.info.selected(), "initial weights");
}

}  // namespace
}  // namespace puma::model
