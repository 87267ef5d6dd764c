// SPDX-License-Identifier: Apache-2.0
#include "data/import.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <span>

#include "data/dense_cache_layout.hpp"
#include "data/embedding_metadata.hpp"
#include "data/equal_cache.hpp"
#include "data/negatives.hpp"
#include "data/qrels.hpp"
#include "data/text_lines.hpp"
#include "data/vector_file.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/log.hpp"

namespace puma::data {

namespace {

// Everything of the request, read and checked; this rank's rows as they will be stored.
struct Prepared {
  CacheInfo info;
  std::string vectors_are;
  std::vector<std::string> ids;  // in the order of the cache
  dist::RowRange mine;
  std::vector<std::byte> rows;
  bool normalised = true;  // this rank's rows
  std::optional<Qrels> qrels;
  std::optional<Negatives> negatives;
};

void check_count(const EmbeddingMetadata& metadata, std::size_t ids, const ImportRequest& request) {
  if (!metadata.count || *metadata.count == static_cast<std::int64_t>(ids)) return;
  dist::fail_input({request.ids.string(), "the number of ids differs from the metadata",
                    fmt::format("{} ids", *metadata.count), std::to_string(ids),
                    "Do both files come from the same extraction?"});
}

double squared_norm(std::span<const std::byte> row, VectorType type) {
  double sum = 0;
  const std::size_t width = vector_element_bytes(type);
  for (std::size_t at = 0; at < row.size(); at += width) {
    float value = 0;
    if (type == VectorType::f32) {
      std::memcpy(&value, row.data() + at, 4);
    } else {
      std::uint16_t bits = 0;
      std::memcpy(&bits, row.data() + at, 2);
      value = half_to_float(bits);
    }
    sum += static_cast<double>(value) * value;
  }
  return sum;
}

// Rows [mine) of the cache, gathered from where they lie in the file of the others.
void read_rows(const VectorFile& vectors, const std::vector<std::int64_t>& order,
               Prepared& prepared) {
  constexpr double kNormTolerance = 1e-3;  // float16 rows of norm 1 are off by up to about 5e-4
  const auto row_bytes =
      static_cast<std::size_t>(vectors.dim()) * vector_element_bytes(vectors.stored_type());
  prepared.rows.reserve(static_cast<std::size_t>(prepared.mine.size()) * row_bytes);
  for (std::int64_t row = prepared.mine.begin; row < prepared.mine.end; ++row) {
    const auto at = static_cast<std::size_t>(row);
    vectors.append_row(order[at], prepared.rows, prepared.ids[at]);
    const double norm =
        std::sqrt(squared_norm(std::span(prepared.rows).last(row_bytes), vectors.stored_type()));
    prepared.normalised = prepared.normalised && std::fabs(norm - 1) <= kNormTolerance;
  }
}

void read_vectors(const dist::Comm& comm, const ImportRequest& request, Prepared& prepared) {
  const EmbeddingMetadata metadata = read_embedding_metadata(request.metadata, request.role);
  std::vector<std::string> ids = read_id_list(request.ids);
  check_count(metadata, ids.size(), request);
  const VectorFile vectors =
      VectorFile::open(request.vectors, static_cast<std::int64_t>(ids.size()), metadata.dim);
  check_ids(ids, vectors.rows(), request.ids);
  prepared.vectors_are = vectors.description();
  prepared.info = {request.role,
                   vectors.rows(),
                   vectors.dim(),
                   vectors.stored_type(),
                   false,
                   request.backbone.empty() ? metadata.model_name : request.backbone,
                   "",
                   metadata.prompt_hash,
                   "imported from " + vectors.description()};
  if (prepared.info.backbone.empty()) {
    dist::fail_usage("the embeddings have no name of a backbone", "the metadata has no model_name",
                     "Give --backbone NAME.");
  }

  std::vector<std::int64_t> order(ids.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  if (request.role == CacheRole::candidates) order = canonical_order(ids);
  for (const std::int64_t row : order) {
    prepared.ids.push_back(std::move(ids[static_cast<std::size_t>(row)]));
  }
  const auto row_bytes =
      vectors.dim() * static_cast<std::int64_t>(vector_element_bytes(vectors.stored_type()));
  prepared.mine =
      dist::partition(vectors.rows(), comm.size(), comm.rank(), checksum_block_rows(row_bytes));
  read_rows(vectors, order, prepared);
}

void read_judgements(const ImportRequest& request, Prepared& prepared) {
  if (!request.qrels.empty()) {
    prepared.qrels = read_qrels(request.qrels);
    check_qrels_queries(*prepared.qrels, prepared.ids, request.qrels);
  }
  if (!request.negatives.empty()) {
    prepared.negatives = request.negatives.extension() == ".jsonl"
                             ? negatives_from_query_jsonl(request.negatives)
                             : read_negatives(request.negatives);
  }
}

std::string content_of(const dist::Comm& comm, const Prepared& prepared) {
  const auto row_bytes =
      prepared.info.dim * static_cast<std::int64_t>(vector_element_bytes(prepared.info.type));
  const std::vector<dist::Digest> mine = detail::block_digests(prepared.rows, row_bytes);
  const std::vector<dist::Digest> all = comm.all_gather(std::span<const dist::Digest>(mine));
  return detail::content_name(prepared.info, detail::ids_digest(prepared.ids).hex(), all);
}

std::int64_t negative_pairs(const Negatives& negatives) {
  std::int64_t n = 0;
  for (const auto& [query, dids] : negatives) n += static_cast<std::int64_t>(dids.size());
  return n;
}

// Texts are small: one rank writes them.
void write_text(const dist::Comm& comm, const std::filesystem::path& file, const std::string& text,
                ImportResult& result) {
  dist::agree(comm, [&] {
    if (comm.is_root()) dist::write_file(file, text);
  });
  result.outputs.push_back(file);
}

}  // namespace

ImportResult import_cache(const dist::Comm& comm, const ImportRequest& request) {
  Prepared prepared;
  dist::agree(comm, [&] {
    read_vectors(comm, request, prepared);
    read_judgements(request, prepared);
  });
  prepared.info.normalised = comm.all_of(prepared.normalised);
  dist::log_world(dist::LogLevel::info,
                  fmt::format("{}: {} rows x {} columns, {}", request.vectors.string(),
                              prepared.info.rows, prepared.info.dim, prepared.vectors_are));

  ImportResult result;
  result.vectors_are = prepared.vectors_are;
  result.info = prepared.info;
  result.content = content_of(comm, prepared);
  for (const auto& file : {request.vectors, request.ids, request.qrels, request.negatives}) {
    if (!file.empty()) result.inputs.push_back(file);
  }
  result.inputs.insert(result.inputs.end(), request.metadata.begin(), request.metadata.end());

  const std::filesystem::path cache = request.out / "vectors.h5";
  if (request.role == CacheRole::candidates) {
    result.linked_to = link_equal_cache(comm, request.pools, prepared.info, result.content, cache);
  }
  if (result.linked_to.empty()) {
    dist::agree(comm, [&] {
      if (comm.is_root()) std::filesystem::create_directories(request.out);
    });
    write_dense_cache(comm, cache, prepared.info, prepared.ids, prepared.mine, prepared.rows);
  }
  result.outputs.push_back(cache);
  if (prepared.qrels) {
    result.judged_queries = static_cast<std::int64_t>(prepared.qrels->judgements.size());
    result.judged_pairs = prepared.qrels->pairs();
    write_text(comm, request.out / "qrels.txt", qrels_text(*prepared.qrels), result);
  }
  if (prepared.negatives) {
    result.negative_pairs = negative_pairs(*prepared.negatives);
    write_text(comm, request.out / "negatives.tsv", negatives_text(*prepared.negatives), result);
  }
  return result;
}

}  // namespace puma::data
