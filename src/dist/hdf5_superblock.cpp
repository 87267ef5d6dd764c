// SPDX-License-Identifier: Apache-2.0
#include "dist/hdf5_superblock.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "dist/error.hpp"
#include "dist/file_descriptor.hpp"
#include "dist/hdf5.hpp"

namespace puma::dist {

namespace {

constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

// HDF5 file format specification, "Superblock" version 2 and 3: signature, version, size of
// offsets, size of lengths, flags, base address, extension address, end of file address, root
// address, checksum.
struct Start {
  std::array<unsigned char, 48> bytes{};
  std::size_t count = 0;

  bool is_hdf5() const {
    return count >= signature.size() &&
           std::equal(signature.begin(), signature.end(), bytes.begin());
  }
  int version() const { return bytes[8]; }
  int offset_bytes() const { return bytes[9]; }
  std::uint64_t end_of_file() const {
    std::uint64_t value = 0;
    for (int i = 7; i >= 0; --i) value = value << 8 | bytes[28 + static_cast<std::size_t>(i)];
    return value;
  }
};

Start read_start(const FileDescriptor& fd, const std::filesystem::path& file) {
  Start start;
  start.count = read_some(fd, std::as_writable_bytes(std::span(start.bytes)), file);
  return start;
}

}  // namespace

bool is_hdf5(const std::filesystem::path& file) {
  return read_start(open_input(file), file).is_hdf5();
}

namespace detail {

std::uint64_t check_superblock(const std::filesystem::path& file) {
  const FileDescriptor fd = open_input(file);
  struct stat facts = {};
  if (::fstat(fd.get(), &facts) != 0) fail_errno("fstat", file.string());
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  const Start start = read_start(fd, file);
  if (!start.is_hdf5()) {
    fail_input({file.string(), "this is not an HDF5 file",
                "the HDF5 signature in its first 8 bytes",
                size == 0 ? "an empty file" : "other bytes", "Is it the right file?"});
  }
  if (start.count < start.bytes.size()) {
    fail_input({file.string(), "the file is cut short",
                fmt::format("at least {} bytes", start.bytes.size()), fmt::format("{} bytes", size),
                "Copy or make it again."});
  }
  if (start.version() < 2 || start.version() > 3 || start.offset_bytes() != 8) {
    fail_input({file.string(), "the HDF5 file was not written by puma", "superblock version 2 or 3",
                fmt::format("version {}", start.version()),
                "Bring foreign data in through .npy and `puma import`."});
  }
  if (size != start.end_of_file()) {
    fail_input(
        {file.string(),
         size < start.end_of_file() ? "the file is cut short" : "the file is longer than it says",
         fmt::format("{} bytes", start.end_of_file()), fmt::format("{} bytes", size),
         "Copy or make it again."});
  }
  return size;
}

}  // namespace detail

}  // namespace puma::dist
