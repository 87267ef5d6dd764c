// SPDX-License-Identifier: Apache-2.0
#include "dist/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "dist/error.hpp"

namespace puma::dist {

namespace {

// One read or write call moves at most 0x7ffff000 bytes on Linux; we stay well below.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

FileDescriptor::~FileDescriptor() {
  close();
}

bool FileDescriptor::close() {
  const int fd = std::exchange(fd_, -1);
  return fd < 0 || ::close(fd) == 0;
}

FileDescriptor open_input(const std::filesystem::path& file) {
  FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) {
    throw Error(ExitCode::bad_input, file.string() + ": the file cannot be opened",
                std::generic_category().message(errno), "Check the path and its permissions.");
  }
  struct stat facts = {};
  if (::fstat(fd.get(), &facts) != 0) fail_errno("fstat", file.string());
  if (S_ISDIR(facts.st_mode)) {
    fail_input({file.string(), "this is a folder", "a file", "a folder", ""});
  }
  return fd;
}

std::size_t read_some(const FileDescriptor& from, std::span<std::byte> into,
                      const std::filesystem::path& file) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t n =
        ::read(from.get(), into.data() + done, std::min(most_at_once, into.size() - done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_errno("read", file.string());
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

void write_all(const FileDescriptor& to, std::span<const std::byte> bytes,
               const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(to.get(), bytes.data(), std::min(most_at_once, bytes.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_errno("write", file.string());
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

}  // namespace puma::dist
