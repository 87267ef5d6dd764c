// SPDX-License-Identifier: Apache-2.0
// A run: the best candidates per query with their scores, packed in HDF5, and as TREC text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace puma::data {

struct RankedDocument {
  std::uint32_t document = 0;  // index into Run::document_ids
  float score = 0;
};

struct Run {
  std::string name;            // the TREC run tag, e.g. "puma-k16"
  std::string representation;  // "dense" or "sparse"
  std::int64_t depth = 0;      // at most so many documents a query were asked for
  std::string tie_rule =
      "id-descending";  // candidates of equal score stand by id bytes descending (trec_eval's rule)
  std::int64_t pool_size = 0;             // candidates that were scored
  std::vector<std::string> query_ids;     // row order of the query cache
  std::vector<std::string> document_ids;  // the listed ones only, id bytes descending
  std::vector<std::vector<RankedDocument>>
      ranking;  // per query, best first; may be shorter than depth, or empty
};

// Written by one process (runs are small: 100 x 8 bytes a query); equal content is equal bytes.
void write_run(const std::filesystem::path& file, const Run& run);
// Untrusted: indices out of range, non-finite scores, wrong order and repeated documents are input
// errors.
Run read_run(const std::filesystem::path& file);

// "qid Q0 did rank score tag", ranks from 1, scores in shortest round-trip form.
std::string trec_text(const Run& run);
// 6 columns (also UniIR's 7), any order of lines; sorted by (score descending, document id bytes
// descending), as trec_eval does: the rank column is ignored. Duplicates, NaN and wrong columns are
// input errors with the line.
Run read_trec_run(const std::filesystem::path& file);

// Shortest decimal that reads back as the same float.
std::string shortest(float value);

}  // namespace puma::data
