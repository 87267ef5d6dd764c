// SPDX-License-Identifier: Apache-2.0
#include "eval/score_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "data/codes.hpp"
#include "data/dense_cache.hpp"
#include "dist/error.hpp"
#include "search_support.hpp"
#include "tests/dist/scratch_folder.hpp"

namespace puma::eval {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Files that rank 0 makes and all ranks read.
class ScoreFiles : public testing::Test {
 protected:
  void SetUp() override {
    context_.comm = dist::Comm::world();
    std::string path;
    if (context_.comm.is_root()) {
      scratch_ = std::make_unique<puma::test::ScratchFolder>("score_files");
      path = scratch_->path().string();
    }
    folder_ = context_.comm.broadcast(path);
  }
  void TearDown() override { context_.comm.barrier(); }

  // Candidates' ids descend, queries' ascend.
  static std::vector<std::string> ids(std::int64_t rows, bool descending) {
    std::vector<std::string> out;
    for (std::int64_t r = 0; r < rows; ++r) {
      out.push_back(fmt::format("{}{:03}", descending ? 'd' : 'q', descending ? 999 - r : r));
    }
    return out;
  }
  std::string dense(const std::string& name, std::int64_t rows, std::int64_t dim,
                    data::CacheRole role, unsigned seed, const std::string& backbone = "toy") {
    const auto values = test::tied_rows(rows, dim, seed);
    data::CacheInfo info;
    info.role = role;
    info.rows = rows;
    info.dim = dim;
    info.backbone = backbone;
    const auto file = folder_ + "/" + name;
    if (context_.comm.is_root()) {
      data::write_dense_cache({}, file, info, ids(rows, role == data::CacheRole::candidates),
                              {0, rows}, std::as_bytes(std::span(values)));
    }
    context_.comm.barrier();
    return file;
  }
  std::string codes(const std::string& name, std::int64_t rows, bool candidates, unsigned seed,
                    std::int64_t dictionary = 24, const std::string& encoder = "abc") {
    const auto file = folder_ + "/" + name;
    if (context_.comm.is_root()) {
      data::write_code_cache({}, file,
                             {candidates ? "candidates" : "queries", "puma", "toy", "", encoder},
                             ids(rows, candidates), {0, rows},
                             ordered(test::tied_codes(rows, dictionary, 5, false, seed)));
    }
    context_.comm.barrier();
    return file;
  }
  // Equal values stand by lower atom, as the format asks.
  static data::CodeMatrix ordered(data::CodeMatrix codes) {
    for (std::int64_t r = 0; r < codes.rows; ++r) {
      const auto begin = static_cast<std::size_t>(r * codes.k_max);
      std::vector<std::pair<float, std::uint32_t>> entries;
      for (std::size_t i = 0; i < codes.row_atoms(r).size(); ++i) {
        entries.emplace_back(-codes.values[begin + i], codes.atoms[begin + i]);
      }
      std::sort(entries.begin(), entries.end());
      for (std::size_t i = 0; i < entries.size(); ++i) {
        codes.values[begin + i] = -entries[i].first;
        codes.atoms[begin + i] = entries[i].second;
      }
    }
    return codes;
  }
  // The root's run over all ranks and its run alone are the same text.
  void expect_same_as_alone(const ScoreRequest& request) {
    const data::Run together = score_files(context_, request);
    if (!context_.comm.is_root()) {
      EXPECT_TRUE(together.query_ids.empty());
      return;
    }
    const data::Run alone = score_files({}, request);
    EXPECT_EQ(data::trec_text(together), data::trec_text(alone));
    EXPECT_EQ(together.document_ids, alone.document_ids);
    data::write_run(folder_ + "/together.h5", together);
    EXPECT_EQ(data::trec_text(data::read_run(folder_ + "/together.h5")), data::trec_text(alone));
  }
  std::string message_of(const ScoreRequest& request) {
    try {
      score_files(context_, request);
    } catch (const dist::Error& e) {
      EXPECT_EQ(e.code(), dist::ExitCode::bad_input);
      return e.what();
    }
    return "no error";
  }

  dist::Context context_;
  std::unique_ptr<puma::test::ScratchFolder> scratch_;
  std::string folder_;
};

TEST_F(ScoreFiles, GiveTheSameRunOnAnyNumberOfRanks) {
  ScoreRequest request;
  request.queries = dense("q.h5", 11, 6, data::CacheRole::queries, 1);
  for (const std::int64_t pool : {1, 2, 53}) {
    request.candidates =
        dense(fmt::format("c{}.h5", pool), pool, 6, data::CacheRole::candidates, 2);
    expect_same_as_alone(request);
  }
  request.queries = codes("qc.h5", 11, false, 1);
  for (const std::int64_t pool : {1, 2, 53}) {
    request.candidates = codes(fmt::format("cc{}.h5", pool), pool, true, 2);
    for (const std::int64_t k : {0, 1, 3}) {
      request.k = k;
      expect_same_as_alone(request);
    }
  }
}

TEST_F(ScoreFiles, OrderTiesByIdBytesDescending) {
  ScoreRequest request;
  request.queries = dense("q.h5", 1, 6, data::CacheRole::queries, 1);
  request.candidates = dense("c.h5", 26, 6, data::CacheRole::candidates, 2);
  const data::Run run = score_files(context_, request);
  if (!context_.comm.is_root()) return;
  EXPECT_EQ(run.name, "dense");
  EXPECT_EQ(run.pool_size, 26);
  const auto& list = run.ranking.at(0);
  ASSERT_EQ(list.size(), 26u);
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (list[i].score == list[i - 1].score) {
      EXPECT_GT(run.document_ids[list[i - 1].document], run.document_ids[list[i].document]);
    }
  }
}

TEST_F(ScoreFiles, NameTheRunAfterMethodAndSupport) {
  ScoreRequest request;
  request.queries = codes("q.h5", 2, false, 1);
  request.candidates = codes("c.h5", 9, true, 2);
  request.k = 3;
  request.depth = 4;
  const data::Run run = score_files(context_, request);
  if (!context_.comm.is_root()) return;
  EXPECT_EQ(run.name, "puma-k3");
  EXPECT_EQ(run.representation, "sparse");
  EXPECT_EQ(run.depth, 4);
}

TEST_F(ScoreFiles, RefuseOtherDimensionsNamingBothFiles) {
  ScoreRequest request;
  request.queries = dense("q.h5", 2, 6, data::CacheRole::queries, 1);
  request.candidates = dense("c.h5", 3, 7, data::CacheRole::candidates, 2);
  EXPECT_THAT(message_of(request), AllOf(HasSubstr("q.h5"), HasSubstr("c.h5"),
                                         HasSubstr("dimension"), HasSubstr("6"), HasSubstr("7")));
}

TEST_F(ScoreFiles, RefuseWhatDoesNotBelongTogether) {
  ScoreRequest request;
  request.queries = dense("q.h5", 2, 6, data::CacheRole::queries, 1);
  request.candidates = dense("c.h5", 3, 6, data::CacheRole::candidates, 2, "other");
  EXPECT_THAT(message_of(request), HasSubstr("backbone"));
  request.candidates = codes("cc.h5", 3, true, 2);
  EXPECT_THAT(message_of(request), HasSubstr("representation"));
  request.queries = codes("qc.h5", 2, false, 1, 25);
  EXPECT_THAT(message_of(request), HasSubstr("dictionary size"));
  request.queries = codes("qe.h5", 2, false, 1, 24, "xyz");
  EXPECT_THAT(message_of(request), HasSubstr("checkpoint"));
  request.queries = codes("qk.h5", 2, false, 1);
  request.k = 6;
  EXPECT_THAT(message_of(request), AllOf(HasSubstr("--k 6"), HasSubstr("found 5")));
  request.k = 1;
  request.representation = "dense";
  EXPECT_THAT(message_of(request), HasSubstr("expected dense, found sparse"));
  request.representation = "auto";
  request.candidates = codes("ascending.h5", 3, false, 1);
  EXPECT_THAT(message_of(request), HasSubstr("canonical order"));
}

TEST_F(ScoreFiles, ReadPoolIdsOfBothKindsOfCaches) {
  EXPECT_EQ(read_pool_ids(dense("c.h5", 3, 6, data::CacheRole::candidates, 2)), ids(3, true));
  EXPECT_EQ(read_pool_ids(codes("cc.h5", 4, true, 2)), ids(4, true));
}

}  // namespace
}  // namespace puma::eval
