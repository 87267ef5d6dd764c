// SPDX-License-Identifier: Apache-2.0
// Codes of a trained autoencoder: pre-activations in blocks of 256 rows aligned to global row 0
// (the last one padded), one thread a block, then the k largest positive ones. The blocks make the
// bits independent of ranks and threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "data/codes.hpp"
#include "dist/device.hpp"
#include "dist/partition.hpp"

namespace puma::model {

inline constexpr std::int64_t kEncodeBlockRows = 256;

class Encoder {
 public:
  // Reads a checkpoint. Wrong names, shapes or non-finite weights are input errors.
  Encoder(const std::filesystem::path& checkpoint, const dist::Device& device);
  ~Encoder();
  Encoder(Encoder&&) noexcept;
  std::int64_t dim() const;
  std::int64_t dictionary() const;
  std::string content_checksum() const;

  // Codes of global rows `mine` (mine.begin must be a multiple of 256, unless it is empty); `rows`
  // returns float32 rows [begin, end) of the cache.
  data::CodeMatrix encode(dist::RowRange mine, std::int64_t k, int threads,
                          const std::function<void(dist::RowRange, std::span<float>)>& rows) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace puma::model
