// SPDX-License-Identifier: Apache-2.0
#include "model/encode_blocks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "dist/error.hpp"
#include "model/encoder.hpp"

namespace puma::model::detail {

namespace {

void encode_block(const Autoencoder& model, dist::RowRange block, std::int64_t first_row,
                  const BlockReader& rows, data::CodeMatrix& codes) {
  const at::NoGradGuard no_grad;
  at::Tensor x = rows(block);
  if (block.size() < kEncodeBlockRows) {
    const at::Tensor padding =
        at::zeros({kEncodeBlockRows - block.size(), model.dim()}, x.options());
    x = at::cat({x, padding});
  }
  const at::Tensor h = model.pre_activations(x).to(at::kCPU).contiguous();
  const auto D = static_cast<std::size_t>(model.dictionary());
  for (std::int64_t i = 0; i < block.size(); ++i) {
    const float* row = h.const_data_ptr<float>() + static_cast<std::size_t>(i) * D;
    data::select_top_positive({row, D}, block.begin + i - first_row, codes);
  }
}

}  // namespace

data::CodeMatrix encode_blocks(const Autoencoder& model, dist::RowRange mine, std::int64_t k,
                               int threads, const BlockReader& rows) {
  PUMA_EXPECT(mine.begin % kEncodeBlockRows == 0 || mine.size() == 0);
  PUMA_EXPECT(k >= 1 && k <= model.dictionary());
  auto codes = data::CodeMatrix::zeros(mine.size(), model.dictionary(), k, false);
  const std::int64_t blocks = (mine.size() + kEncodeBlockRows - 1) / kEncodeBlockRows;
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(blocks));
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    const TorchThreads one(1);
    for (std::int64_t b = next++; b < blocks; b = next++) {
      const std::int64_t begin = mine.begin + b * kEncodeBlockRows;
      try {
        encode_block(model, {begin, std::min(begin + kEncodeBlockRows, mine.end)}, mine.begin, rows,
                     codes);
      } catch (...) {
        errors[static_cast<std::size_t>(b)] = std::current_exception();
      }
    }
  };
  {
    const TorchThreads one(1);  // gives this thread its own number back, whatever the workers set
    std::vector<std::jthread> workers;
    const auto count = std::clamp<std::int64_t>(blocks, 1, std::max(threads, 1));
    for (std::int64_t i = 1; i < count; ++i) workers.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return codes;
}

}  // namespace puma::model::detail
