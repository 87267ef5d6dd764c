// SPDX-License-Identifier: Apache-2.0
// What codes cost to store (paper, Tab. 5), averaged over rows.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "data/codes.hpp"

namespace puma::data {

// Collects over a cache that is read in pieces.
class CodeStorage {
 public:
  explicit CodeStorage(std::int64_t dictionary, std::int64_t k_max);
  void add(const CodeMatrix& codes);

  // mean_length, active_atoms, reach (the share of rows with k_max entries), and bytes a row: as
  // stored here, with 32-bit ids (8 bytes an entry), with 16-bit ids (6), with compact ids
  // (ceil(log2 active) bits each, packed), and with a presence bitmap of the active atoms in whole
  // words of 512 bits. With `dim` above 0 also how many times smaller that is than dense float32,
  // float16 and int8.
  nlohmann::json facts(std::int64_t dim) const;

 private:
  std::int64_t k_max_;
  bool narrow_;
  std::int64_t rows_ = 0, entries_ = 0, full_rows_ = 0;
  std::vector<bool> active_;  // grown to the largest atom seen, never to what a header says
  std::vector<std::int64_t> rows_of_length_;  // likewise
};

}  // namespace puma::data
