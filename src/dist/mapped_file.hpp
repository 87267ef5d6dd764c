// SPDX-License-Identifier: Apache-2.0
// A file seen as memory, read-only: one page cache per node, lazy, no MPI. The bytes live as long
// as the MappedFile.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace puma::dist {

class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::filesystem::path& file);
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // `count` elements of T from byte `offset`; expects that they lie inside the file and that offset
  // is aligned for T.
  template <class T>
  std::span<const T> view(std::size_t offset, std::size_t count) const {
    check(offset, count, sizeof(T), alignof(T));
    return {reinterpret_cast<const T*>(data_ + offset), count};
  }

 private:
  void check(std::size_t offset, std::size_t count, std::size_t element,
             std::size_t alignment) const;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace puma::dist
