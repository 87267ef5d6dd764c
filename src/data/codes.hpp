// SPDX-License-Identifier: Apache-2.0
// Sparse codes: in memory (CodeMatrix) and as a code cache (HDF5). A row's atoms stand by value
// descending (by magnitude for signed codes; ties: lower atom first), so that the codes of every
// smaller k are a prefix. Rows may be shorter than k_max.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "dist/comm.hpp"
#include "dist/partition.hpp"

namespace puma::data {

struct CodeMatrix {
  std::int64_t rows = 0;
  std::int64_t dictionary = 0;        // D: atoms are in [0, D)
  std::int64_t k_max = 0;             // stride of the arrays
  bool is_signed = false;             // raw TopK keeps signs; autoencoder codes are positive
  std::vector<std::uint32_t> atoms;   // [rows, k_max]; entries past the row's length are 0
  std::vector<float> values;          // [rows, k_max]; entries past the row's length are 0
  std::vector<std::int32_t> lengths;  // [rows], 0..k_max

  static CodeMatrix zeros(std::int64_t rows, std::int64_t dictionary, std::int64_t k_max,
                          bool is_signed);
  std::span<const std::uint32_t> row_atoms(std::int64_t row) const;  // only the row's length
  std::span<const float> row_values(std::int64_t row) const;
};

// The same rows cut to their first k entries. Expects 1 <= k <= k_max.
CodeMatrix truncated(const CodeMatrix& codes, std::int64_t k);

// Keeps the k largest values above 0 of a row of pre-activations (ReLU, then TopK: paper 3.2), ties
// to the lower atom, and appends them as row `row`.
void select_top_positive(std::span<const float> pre_activations, std::int64_t row,
                         CodeMatrix& codes);
// Keeps the k coordinates of largest magnitude with their signs (the raw TopK baseline), ties to
// the lower coordinate; zeros are never kept.
void select_top_magnitude(std::span<const float> vector, std::int64_t row, CodeMatrix& codes);

struct CodeCacheInfo {
  std::string role;    // "queries" or "candidates"
  std::string method;  // "puma", "raw_topk"
  std::string backbone;
  std::string source;    // content checksum of the dense cache
  std::string encoder;   // content checksum of the checkpoint, or empty
  std::int64_t dim = 0;  // dimensions of that dense cache, for storage ratios; 0 when unknown
};

struct CodeCache {
  CodeCacheInfo info;
  std::vector<std::string> ids;  // row order of the dense cache
  CodeMatrix codes;
};

// Collective; this rank gives its rows (codes.rows == mine.size()); all give the same ids.
void write_code_cache(const dist::Comm& comm, const std::filesystem::path& file,
                      const CodeCacheInfo& info, const std::vector<std::string>& ids,
                      dist::RowRange mine, const CodeMatrix& codes);

// Untrusted: atoms outside [0, D), values that are not finite, zero or out of order, lengths over
// k_max and repeated atoms are input errors.
CodeCache read_code_cache(const std::filesystem::path& file);
// Ids, info and the rows `range` only (codes.rows == range.size()); what a rank with a shard needs.
CodeCache read_code_cache(const std::filesystem::path& file, dist::RowRange range);
// Number of rows without reading the codes.
std::int64_t code_cache_rows(const std::filesystem::path& file);

}  // namespace puma::data
