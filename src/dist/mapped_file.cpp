// SPDX-License-Identifier: Apache-2.0
#include "dist/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdint>
#include <utility>

#include "dist/error.hpp"
#include "dist/file_descriptor.hpp"

namespace puma::dist {

namespace {

void unmap(const std::byte* data, std::size_t size) {
  if (data != nullptr) ::munmap(const_cast<std::byte*>(data), size);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
  const FileDescriptor fd = open_input(file);
  struct stat facts = {};
  if (::fstat(fd.get(), &facts) != 0) fail_errno("fstat", file.string());
  if (!S_ISREG(facts.st_mode)) {
    fail_input({file.string(), "this cannot be mapped", "a regular file", "a device or pipe", ""});
  }
  size_ = static_cast<std::size_t>(facts.st_size);
  if (size_ == 0) return;  // mmap refuses empty files; an empty span needs no memory
  void* const data = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (data == MAP_FAILED) fail_errno("mmap", file.string());
  data_ = static_cast<const std::byte*>(data);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    unmap(data_, size_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

MappedFile::~MappedFile() {
  unmap(data_, size_);
}

void MappedFile::check(std::size_t offset, std::size_t count, std::size_t element,
                       std::size_t alignment) const {
  PUMA_EXPECT(offset <= size_);
  PUMA_EXPECT(count <= (size_ - offset) / element);
  // The mapping starts on a page, so the offset alone decides.
  PUMA_EXPECT(offset % alignment == 0);
}

}  // namespace puma::dist
