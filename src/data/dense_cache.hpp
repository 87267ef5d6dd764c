// SPDX-License-Identifier: Apache-2.0
// The dense cache: one HDF5 file of embeddings with their ids (ARCHITECTURE.md, "File formats").
// Queries: one file per (backbone, data set, split). Candidates: one per (backbone, pool), rows in
// canonical order: id bytes descending, so that "score descending, row ascending" is trec_eval's
// own order of ties.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dist/comm.hpp"
#include "dist/partition.hpp"

namespace puma::data {

enum class VectorType {
  f32,
  f16,
  bf16
};  // as stored; half types lie in the file as uint16 with a `dtype` attribute
enum class CacheRole { queries, candidates };

struct CacheInfo {
  CacheRole role = CacheRole::queries;
  std::int64_t rows = 0;
  std::int64_t dim = 0;
  VectorType type = VectorType::f32;
  bool normalised = false;   // every row has Euclidean norm 1 within 1e-3
  std::string backbone;      // "emoji256"
  std::string weights_hash;  // empty when unknown
  std::string prompt_hash;   // empty when unknown
  std::string source;        // where it came from, in words; no paths of one machine
};

// Rejects n != ids, duplicate or empty ids, ids over 255 bytes, zero rows; `file` is named in the
// message.
void check_ids(const std::vector<std::string>& ids, std::int64_t rows,
               const std::filesystem::path& file);

// The permutation that puts ids in canonical order: order[new_row] = old_row, id bytes descending.
std::vector<std::int64_t> canonical_order(const std::vector<std::string>& ids);

// A cache opened for reading, mapped. Opening checks magic, schema, shapes and ids; rows are
// checked when they are read.
class DenseCache {
 public:
  static DenseCache open(const std::filesystem::path& file);
  const std::filesystem::path& file() const;
  const CacheInfo& info() const;
  std::int64_t rows() const { return info().rows; }
  std::int64_t dim() const { return info().dim; }
  const std::vector<std::string>& ids() const;
  // XXH3-128 over shape, ids and the stored block checksums: the content's name. Cheap.
  std::string content_checksum() const;
  // Checks every block against its checksum: reads the whole file once.
  void verify() const;

  // Rows [range) as float32, row-major [range.size(), dim]. Verifies the checksums of the blocks it
  // touches once per block and rejects non-finite values, naming the row and its id.
  void read(dist::RowRange range, std::span<float> out) const;
  std::vector<float> read(dist::RowRange range) const;
  std::vector<float> read_all() const { return read({0, rows()}); }

 private:
  struct Impl;
  explicit DenseCache(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

// Writes a cache collectively: this rank gives rows `mine` as raw elements of info.type
// ([mine.size(), dim], little endian); all ranks give the same ids (all of them, in row order).
// Candidates must already be in canonical order. Same bytes for any number of ranks.
void write_dense_cache(const dist::Comm& comm, const std::filesystem::path& file,
                       const CacheInfo& info, const std::vector<std::string>& ids,
                       dist::RowRange mine, std::span<const std::byte> rows);

// Rows per checksum block: as many as fill about 1 MiB, at least one. Rank borders of writers are
// multiples of this.
std::int64_t checksum_block_rows(std::int64_t row_bytes);

std::size_t vector_element_bytes(VectorType type);
std::string to_string(VectorType type);
std::string to_string(CacheRole role);
// One element to float32, exactly.
float half_to_float(std::uint16_t bits);
float bfloat_to_float(std::uint16_t bits);

}  // namespace puma::data
