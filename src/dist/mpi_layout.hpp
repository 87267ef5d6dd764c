// SPDX-License-Identifier: Apache-2.0
// Where each rank's bytes lie in a buffer of all, and how a length is cut into pieces that MPI's
// int counts can hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dist/error.hpp"

namespace puma::dist::detail {

struct Piece {
  std::int64_t begin = 0;
  int count = 0;
};

// [0, length) in pieces of at most `limit`; none when the length is 0.
inline std::vector<Piece> pieces(std::int64_t length, std::int64_t limit) {
  PUMA_EXPECT(limit >= 1 && limit <= std::numeric_limits<int>::max());
  std::vector<Piece> cut;
  for (std::int64_t begin = 0; begin < length; begin += limit) {
    cut.push_back({begin, static_cast<int>(std::min(limit, length - begin))});
  }
  return cut;
}

// Parts of several ranks one after another.
class ByteLayout {
 public:
  explicit ByteLayout(std::vector<std::int64_t> counts) : counts_(std::move(counts)) {
    offsets_.reserve(counts_.size());
    for (const std::int64_t n : counts_) {
      offsets_.push_back(total_);
      total_ += n;
    }
  }

  std::int64_t total() const { return total_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }

  template <class Byte>
  std::span<Byte> part(std::span<Byte> all, int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return all.subspan(static_cast<std::size_t>(offsets_[r]), static_cast<std::size_t>(counts_[r]));
  }

  // For calls that take ints; expects that the total fits.
  std::vector<int> int_counts() const { return narrow(counts_); }
  std::vector<int> int_offsets() const { return narrow(offsets_); }

 private:
  std::vector<int> narrow(const std::vector<std::int64_t>& values) const {
    PUMA_EXPECT(total_ <= std::numeric_limits<int>::max());
    std::vector<int> out;
    out.reserve(values.size());
    for (const std::int64_t v : values) out.push_back(static_cast<int>(v));
    return out;
  }

  std::vector<std::int64_t> counts_, offsets_;
  std::int64_t total_ = 0;
};

}  // namespace puma::dist::detail
