// SPDX-License-Identifier: Apache-2.0
#include "data/dense_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

#include "data/dense_cache_layout.hpp"
#include "data/h5_columns.hpp"
#include "data/text_lines.hpp"
#include "dist/error.hpp"
#include "dist/mapped_file.hpp"

namespace puma::data {

struct DenseCache::Impl {
  std::filesystem::path file;
  CacheInfo info;
  std::vector<std::string> ids;
  std::vector<dist::Digest> digests;  // one a block
  std::string content;
  dist::MappedFile map;
  std::span<const std::byte> vectors;  // [rows, dim] as stored
  std::int64_t row_bytes = 0, block_rows = 1;
  // Blocks whose checksum was found right. Two threads may check the same block: both find the
  // same.
  mutable std::vector<std::atomic<bool>> verified;

  void verify(std::int64_t block) const;
};

namespace {

// No embedding of today comes near; beyond it a file is damaged, and products of sizes could
// overflow.
constexpr std::int64_t kMostColumns = std::int64_t{1} << 24;
constexpr std::int64_t kMostRows = std::int64_t{1} << 36;

template <class T>
T named(const dist::H5Reader& reader, const std::string& attribute,
        std::initializer_list<T> choices) {
  const std::string found = reader.text_attribute(attribute);
  std::string known;
  for (const T choice : choices) {
    if (to_string(choice) == found) return choice;
    known += (known.empty() ? "" : ", ") + to_string(choice);
  }
  dist::fail_input({reader.file().string(), fmt::format("attribute '{}' is unknown", attribute),
                    "one of " + known, fmt::format("'{}'", printable(found)), ""});
}

CacheInfo read_info(const dist::H5Reader& reader) {
  check_text_attribute(reader, "schema", detail::kSchema);
  check_int_attribute(reader, "version", detail::kVersion);
  CacheInfo info;
  info.role = named(reader, "role", {CacheRole::queries, CacheRole::candidates});
  info.type = named(reader, "dtype", {VectorType::f32, VectorType::f16, VectorType::bf16});
  info.rows = reader.int_attribute("rows");
  info.dim = reader.int_attribute("dim");
  info.normalised = reader.int_attribute("normalised") != 0;
  info.backbone = reader.text_attribute("backbone");
  info.weights_hash = reader.text_attribute("weights_hash");
  info.prompt_hash = reader.text_attribute("prompt_hash");
  info.source = reader.text_attribute("source");
  if (info.rows < 1 || info.rows > kMostRows || info.dim < 1 || info.dim > kMostColumns) {
    dist::fail_input({reader.file().string(), "the size makes no sense",
                      "at least one row and one column",
                      fmt::format("{} x {}", info.rows, info.dim), ""});
  }
  return info;
}

// Candidates must lie in canonical order, or ties would be ranked in another order than
// trec_eval's.
void check_order(const std::vector<std::string>& ids, const std::filesystem::path& file) {
  for (std::size_t row = 1; row < ids.size(); ++row) {
    if (ids[row - 1] > ids[row]) continue;
    dist::fail_input({file.string(), "the candidates are not in canonical order",
                      "ids falling in byte order",
                      fmt::format("'{}' in row {} before '{}'", printable(ids[row - 1]), row - 1,
                                  printable(ids[row])),
                      "Import the embeddings again."});
  }
}

std::vector<dist::Digest> read_digests(const dist::H5Reader& reader, std::int64_t blocks) {
  const auto words =
      read_numbers<std::uint64_t>(reader, "checksums", dist::H5Type::u64, blocks, 2, {0, blocks});
  std::vector<dist::Digest> digests;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) digests.push_back({words[i], words[i + 1]});
  return digests;
}

void to_floats(std::span<const std::byte> stored, VectorType type, std::span<float> out) {
  if (type == VectorType::f32) {
    std::memcpy(out.data(), stored.data(), out.size_bytes());
    return;
  }
  const bool half = type == VectorType::f16;
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, stored.data() + 2 * i, 2);  // the data set may lie at an odd offset
    out[i] = half ? half_to_float(bits) : bfloat_to_float(bits);
  }
}

}  // namespace

void DenseCache::Impl::verify(std::int64_t block) const {
  auto& done = verified[static_cast<std::size_t>(block)];
  if (done.load(std::memory_order_relaxed)) return;
  const std::int64_t begin = block * block_rows;
  const std::int64_t end = std::min(info.rows, begin + block_rows);
  const dist::Digest found =
      dist::checksum(vectors.subspan(static_cast<std::size_t>(begin * row_bytes),
                                     static_cast<std::size_t>((end - begin) * row_bytes)));
  const dist::Digest& expected = digests[static_cast<std::size_t>(block)];
  if (found != expected) {
    dist::fail_input({file.string(), fmt::format("rows {} to {} are damaged", begin, end - 1),
                      "checksum " + expected.hex(), found.hex(),
                      "Copy the file again, or import the embeddings again."});
  }
  done.store(true, std::memory_order_relaxed);
}

DenseCache::DenseCache(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

DenseCache DenseCache::open(const std::filesystem::path& file) {
  const dist::H5Reader reader(file);
  auto impl = std::make_shared<Impl>();
  impl->file = file;
  impl->info = read_info(reader);
  const CacheInfo& info = impl->info;
  impl->row_bytes = info.dim * static_cast<std::int64_t>(vector_element_bytes(info.type));
  impl->block_rows = checksum_block_rows(impl->row_bytes);

  check_column(reader, "vectors", detail::stored_type(info.type), {info.rows, info.dim});
  const std::uint64_t offset = reader.offset("vectors");
  impl->map = dist::MappedFile(file);
  const auto bytes = impl->map.bytes();
  const auto size =
      static_cast<std::uint64_t>(info.rows) * static_cast<std::uint64_t>(impl->row_bytes);
  if (offset > bytes.size() || size > bytes.size() - offset) {
    dist::fail_input({file.string(), "the file is cut short",
                      fmt::format("{} bytes of vectors from byte {}", size, offset),
                      fmt::format("{} bytes in all", bytes.size()), "Copy the file again."});
  }
  impl->vectors = bytes.subspan(offset, size);

  impl->ids = read_texts(reader, "ids", info.rows);
  check_ids(impl->ids, info.rows, file);
  const std::string ids_checksum = detail::ids_digest(impl->ids).hex();
  check_text_attribute(reader, "ids_checksum", ids_checksum);
  if (info.role == CacheRole::candidates) check_order(impl->ids, file);

  const std::int64_t blocks = detail::block_count(info.rows, impl->block_rows);
  impl->digests = read_digests(reader, blocks);
  impl->verified = std::vector<std::atomic<bool>>(static_cast<std::size_t>(blocks));
  impl->content = detail::content_name(info, ids_checksum, impl->digests);
  return DenseCache(std::move(impl));
}

const std::filesystem::path& DenseCache::file() const {
  return impl_->file;
}
const CacheInfo& DenseCache::info() const {
  return impl_->info;
}
const std::vector<std::string>& DenseCache::ids() const {
  return impl_->ids;
}
std::string DenseCache::content_checksum() const {
  return impl_->content;
}

void DenseCache::verify() const {
  for (std::size_t block = 0; block < impl_->digests.size(); ++block) {
    impl_->verify(static_cast<std::int64_t>(block));
  }
}

void DenseCache::read(dist::RowRange range, std::span<float> out) const {
  const CacheInfo& info = impl_->info;
  PUMA_EXPECT(0 <= range.begin && range.begin <= range.end && range.end <= info.rows);
  PUMA_EXPECT(static_cast<std::int64_t>(out.size()) == range.size() * info.dim);
  if (range.size() == 0) return;
  for (std::int64_t block = range.begin / impl_->block_rows;
       block <= (range.end - 1) / impl_->block_rows; ++block) {
    impl_->verify(block);
  }
  to_floats(impl_->vectors.subspan(static_cast<std::size_t>(range.begin * impl_->row_bytes),
                                   static_cast<std::size_t>(range.size() * impl_->row_bytes)),
            info.type, out);
  const auto bad = std::find_if(out.begin(), out.end(), [](float v) { return !std::isfinite(v); });
  if (bad == out.end()) return;
  const std::int64_t at = bad - out.begin();
  const std::int64_t row = range.begin + at / info.dim;
  dist::fail_input({impl_->file.string(), fmt::format("row {} is not finite", row),
                    "finite numbers in every row",
                    fmt::format("{} in column {} of row {} (id '{}')", *bad, at % info.dim, row,
                                printable(impl_->ids[static_cast<std::size_t>(row)])),
                    "Extract this embedding again."});
}

std::vector<float> DenseCache::read(dist::RowRange range) const {
  PUMA_EXPECT(0 <= range.begin && range.begin <= range.end && range.end <= rows());
  std::vector<float> out(static_cast<std::size_t>(range.size() * dim()));
  read(range, out);
  return out;
}

}  // namespace puma::data
