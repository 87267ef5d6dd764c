// SPDX-License-Identifier: Apache-2.0
#include "model/raw_topk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "dist/error.hpp"

namespace puma::model {

namespace {
constexpr std::int64_t kRowsAtOnce = 1024;  // bounds the memory of a large pool
}

data::CodeMatrix encode_raw_topk(const data::DenseCache& cache, dist::RowRange mine,
                                 std::int64_t k) {
  if (k < 1 || k > cache.dim()) {
    dist::fail_input({cache.file().string(), "k does not fit the vectors",
                      fmt::format("1 <= k <= {}", cache.dim()), fmt::format("{}", k),
                      "Ask for fewer coordinates."});
  }
  auto codes = data::CodeMatrix::zeros(mine.size(), cache.dim(), k, true);
  const auto dim = static_cast<std::size_t>(cache.dim());
  for (std::int64_t begin = mine.begin; begin < mine.end; begin += kRowsAtOnce) {
    const dist::RowRange part{begin, std::min(begin + kRowsAtOnce, mine.end)};
    const std::vector<float> rows = cache.read(part);
    for (std::int64_t row = part.begin; row < part.end; ++row) {
      const std::size_t offset = static_cast<std::size_t>(row - part.begin) * dim;
      data::select_top_magnitude({rows.data() + offset, dim}, row - mine.begin, codes);
    }
  }
  return codes;
}

}  // namespace puma::model
