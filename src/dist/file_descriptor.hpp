// SPDX-License-Identifier: Apache-2.0
// An open file of the operating system, closed once.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace puma::dist {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const { return fd_; }
  // Closes now and says whether that worked: on network file systems a failed write may show only
  // here.
  bool close();

 private:
  int fd_ = -1;
};

// Opens a file that somebody gave us: an error of input, not of the system, when it cannot be
// opened or is a folder.
FileDescriptor open_input(const std::filesystem::path& file);

// Reads up to the span's length, fewer only at the end of the file; returns how many. Interrupted
// calls go on.
std::size_t read_some(const FileDescriptor& from, std::span<std::byte> into,
                      const std::filesystem::path& file);

// Writes everything or throws with the name of the file.
void write_all(const FileDescriptor& to, std::span<const std::byte> bytes,
               const std::filesystem::path& file);

}  // namespace puma::dist
