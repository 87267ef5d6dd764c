// SPDX-License-Identifier: Apache-2.0
#include "eval/score_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dist/error.hpp"
#include "dist/hdf5.hpp"
#include "dist/partition.hpp"

namespace puma::eval {

Representation representation_of(const std::filesystem::path& cache) {
  const dist::H5Reader reader(cache);
  const std::string schema =
      reader.has_attribute("schema") ? reader.text_attribute("schema") : std::string("no schema");
  if (schema == "puma dense cache") return Representation::dense;
  if (schema == "puma code cache") return Representation::sparse;
  dist::fail_input({cache.string(), "this holds neither vectors nor codes",
                    "a dense cache or a code cache", schema, "puma inspect tells what it is"});
}

std::vector<std::string> read_pool_ids(const std::filesystem::path& candidates) {
  if (representation_of(candidates) == Representation::dense) {
    return data::DenseCache::open(candidates).ids();
  }
  return data::read_code_cache(candidates, {0, 0}).ids;
}

namespace detail {
namespace {

// Both files must say the same; one that does not know says nothing.
void expect_same(const ScoreRequest& request, const std::string& what, const std::string& queries,
                 const std::string& candidates, const std::string& suggestion) {
  if (queries == candidates || queries.empty() || candidates.empty()) return;
  dist::fail_input({request.candidates.string(),
                    fmt::format("the candidates have another {} than the queries", what),
                    fmt::format("{} as in {}", queries, request.queries.string()), candidates,
                    suggestion});
}

// Rows in canonical order make "row ascending" trec_eval's order of ties.
void expect_canonical(const std::vector<std::string>& ids, const std::filesystem::path& file) {
  const auto bad = std::adjacent_find(ids.begin(), ids.end(), std::less_equal<>());
  if (bad == ids.end()) return;
  dist::fail_input({file.string(), "the candidates are not in canonical order",
                    "id bytes descending, each once",
                    fmt::format("'{}' before '{}'", *bad, *(bad + 1)),
                    "Write the cache with puma import as candidates"});
}

void expect_rows(std::int64_t rows, const std::filesystem::path& file) {
  if (rows <= std::int64_t{1} << 32) return;
  dist::fail_input({file.string(), "too many candidates", "at most 2^32", std::to_string(rows),
                    "Score the pool in parts"});
}

void open_dense(const ScoreRequest& request, int parts, int part, ScoreInputs& inputs) {
  const auto queries = data::DenseCache::open(request.queries);
  const auto candidates = data::DenseCache::open(request.candidates);
  expect_same(request, "dimension", std::to_string(queries.dim()), std::to_string(candidates.dim()),
              "Embed both sides by one backbone");
  expect_same(request, "backbone", queries.info().backbone, candidates.info().backbone,
              "Embed both sides by one backbone");
  if (request.rule == "positive") {
    dist::fail_usage("dense vectors cannot be listed by --rule positive",
                     "every candidate may be listed", "Use --rule all");
  }
  if (request.k != 0) {
    dist::fail_usage(fmt::format("--k {} was given for dense vectors", request.k),
                     "k is the number of atoms of a sparse code", "Leave it away");
  }
  const dist::RowRange mine = dist::partition(candidates.rows(), parts, part);
  inputs.query_ids = queries.ids();
  inputs.candidate_ids = candidates.ids();
  inputs.dim = queries.dim();
  inputs.pool_size = candidates.rows();
  inputs.first_row = mine.begin;
  inputs.query_rows = queries.read_all();
  inputs.candidate_rows = candidates.read(mine);
  inputs.name = "dense";
}

void open_sparse(const ScoreRequest& request, int parts, int part, ScoreInputs& inputs) {
  const std::int64_t rows = data::code_cache_rows(request.candidates);
  const dist::RowRange mine = dist::partition(rows, parts, part);
  data::CodeCache queries = data::read_code_cache(request.queries);
  data::CodeCache candidates = data::read_code_cache(request.candidates, mine);
  expect_same(request, "dictionary size", std::to_string(queries.codes.dictionary),
              std::to_string(candidates.codes.dictionary), "Encode both by one checkpoint");
  expect_same(request, "method", queries.info.method, candidates.info.method,
              "Encode both by one method");
  expect_same(request, "checkpoint", queries.info.encoder, candidates.info.encoder,
              "Encode both by one checkpoint");
  expect_same(request, "kind of values", queries.codes.is_signed ? "signed" : "positive",
              candidates.codes.is_signed ? "signed" : "positive", "Encode both by one method");
  const std::int64_t most = std::min(queries.codes.k_max, candidates.codes.k_max);
  if (request.k > most) {
    dist::fail_input({(queries.codes.k_max == most ? request.queries : request.candidates).string(),
                      fmt::format("the codes are shorter than --k {}", request.k),
                      fmt::format("at least {} atoms a row", request.k), std::to_string(most),
                      "Encode with a larger --k-max, or score at a smaller --k"});
  }
  inputs.k = request.k == 0 ? most : request.k;
  const bool positive =
      request.rule == "positive" || (request.rule == "auto" && !queries.codes.is_signed);
  inputs.rule = positive ? ListRule::positive : ListRule::all;
  inputs.query_ids = std::move(queries.ids);
  inputs.candidate_ids = std::move(candidates.ids);
  inputs.pool_size = rows;
  inputs.first_row = mine.begin;
  inputs.query_codes = std::move(queries.codes);
  inputs.candidate_codes = std::move(candidates.codes);
  inputs.name = fmt::format("{}-k{}", queries.info.method, inputs.k);
}

}  // namespace

ScoreInputs open_score_inputs(const ScoreRequest& request, int parts, int part) {
  if (request.depth < 1) {
    dist::fail_usage(fmt::format("--depth {}", request.depth), "at least one candidate is listed");
  }
  if (request.k < 0) dist::fail_usage(fmt::format("--k {}", request.k), "must be at least 1");
  ScoreInputs inputs;
  inputs.representation = representation_of(request.queries);
  const auto words = [](Representation r) {
    return r == Representation::dense ? "dense" : "sparse";
  };
  expect_same(request, "representation", words(inputs.representation),
              words(representation_of(request.candidates)), "Give two caches of one kind");
  if (request.representation != "auto" && request.representation != words(inputs.representation)) {
    dist::fail_input({request.queries.string(), "the cache is of another representation than asked",
                      request.representation, words(inputs.representation), ""});
  }
  if (inputs.representation == Representation::dense) {
    open_dense(request, parts, part, inputs);
  } else {
    open_sparse(request, parts, part, inputs);
  }
  expect_canonical(inputs.candidate_ids, request.candidates);
  expect_rows(inputs.pool_size, request.candidates);
  if (!request.name.empty()) inputs.name = request.name;
  return inputs;
}

}  // namespace detail
}  // namespace puma::eval
