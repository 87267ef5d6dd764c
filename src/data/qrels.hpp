// SPDX-License-Identifier: Apache-2.0
// Relevance judgements: "qid 0 did relevance" (TREC, 4 columns) or M-BEIR's 5 columns (the task id
// is dropped). Ids are opaque strings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace puma::data {

struct Judgement {
  std::string document;
  std::int64_t relevance = 0;
  bool operator==(const Judgement&) const = default;
};

struct Qrels {
  // By query id in byte order; judgements in byte order of the document id. Relevance 0 is kept:
  // judged, not relevant.
  std::map<std::string, std::vector<Judgement>> judgements;
  std::int64_t pairs() const;
  bool operator==(const Qrels&) const = default;
};

// Strict: a wrong number of columns, a relevance that is no whole number, a pair given twice and a
// file without a line are input errors with the line number. Accepts CRLF, tabs and a byte order
// mark (warned about).
Qrels read_qrels(const std::filesystem::path& file);

// Four columns, one space, sorted: the same judgements are the same bytes.
std::string qrels_text(const Qrels& qrels);

// Every judged query must be in `query_ids`, else an input error that names the file and the first
// unknown id.
void check_qrels_queries(const Qrels& qrels, const std::vector<std::string>& query_ids,
                         const std::filesystem::path& file);

}  // namespace puma::data
