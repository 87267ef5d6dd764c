// SPDX-License-Identifier: Apache-2.0
#include "dist/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <span>
#include <system_error>

#include "dist/error.hpp"
#include "dist/file_descriptor.hpp"
#include "dist/host.hpp"

namespace puma::dist {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// The rename is safe on the disk only when the folder's own entry is.
void flush_folder(const fs::path& folder) {
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0) fail_errno("open", folder.string());
  // EINVAL: a file system that cannot flush folders; there is nothing more to ask of it.
  if (::fsync(fd.get()) != 0 && errno != EINVAL) fail_errno("fsync", folder.string());
}

// The process number in a temporary name of this host; nothing for every other name.
std::optional<pid_t> owner_of_temporary(const std::string& name, const std::string& host) {
  const std::string mark = ".tmp." + host + ".";
  const std::size_t at = name.rfind(mark);
  if (!name.starts_with('.') || at == std::string::npos) return std::nullopt;
  const char* begin = name.data() + at + mark.size();
  const char* end = name.data() + name.size();
  pid_t pid = 0;
  const auto [stop, error] = std::from_chars(begin, end, pid);
  if (error != std::errc() || stop != end || pid <= 0) return std::nullopt;
  return pid;
}

bool process_is_gone(pid_t pid) {
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

}  // namespace

fs::path temporary_name(const fs::path& target) {
  return folder_of(target) /
         fmt::format(".{}.tmp.{}.{}", target.filename().string(), host_name(), ::getpid());
}

void publish(const fs::path& temporary, const fs::path& target) {
  {
    const FileDescriptor fd(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) fail_errno("open", temporary.string());
    if (::fsync(fd.get()) != 0) fail_errno("fsync", target.string());
  }
  if (::rename(temporary.c_str(), target.c_str()) != 0) fail_errno("rename", target.string());
  flush_folder(folder_of(target));
}

void write_file(const fs::path& target, std::string_view bytes) {
  std::error_code failed;
  fs::create_directories(folder_of(target), failed);
  if (failed) fail_call("mkdir", folder_of(target).string(), failed.message());
  const fs::path temporary = temporary_name(target);
  try {
    FileDescriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (fd.get() < 0) fail_errno("open", target.string());
    write_all(fd, std::as_bytes(std::span(bytes)), target);
    if (!fd.close()) fail_errno("close", target.string());
    publish(temporary, target);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

std::string read_file(const fs::path& file, std::uint64_t limit_bytes) {
  const FileDescriptor fd = open_input(file);
  std::string text;
  // Grows with what really comes: the size that a file system reports is not trusted (pipes and
  // /proc say 0).
  for (std::size_t step = std::size_t{64} << 10;; step = std::min(2 * step, std::size_t{1} << 26)) {
    const std::size_t before = text.size();
    text.resize(before + step);
    const std::size_t n =
        read_some(fd, std::as_writable_bytes(std::span(text)).subspan(before), file);
    text.resize(before + n);
    if (text.size() > limit_bytes) {
      fail_input({file.string(), "the file is too large to be read whole",
                  fmt::format("at most {} bytes", limit_bytes),
                  fmt::format("more than {} bytes", limit_bytes), "Is it the right file?"});
    }
    if (n < step) return text;
  }
}

void append_line(const fs::path& file, std::string_view line) {
  PUMA_EXPECT(line.find('\n') == std::string_view::npos);
  FileDescriptor fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (fd.get() < 0) fail_errno("open", file.string());
  const std::string whole = std::string(line) + '\n';
  ssize_t n = -1;
  do {
    n = ::write(fd.get(), whole.data(), whole.size());
  } while (n < 0 && errno == EINTR);
  if (n < 0) fail_errno("write", file.string());
  if (static_cast<std::size_t>(n) != whole.size()) {
    fail_call("write", file.string(),
              fmt::format("{} of {} bytes were written; the disk may be full", n, whole.size()));
  }
  if (!fd.close()) fail_errno("close", file.string());
}

void remove_stale_temporaries(const fs::path& folder) {
  const std::string host = host_name();
  std::error_code ignored;  // somebody else may be removing the same files
  for (fs::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored)) {
    const auto pid = owner_of_temporary(it->path().filename().string(), host);
    if (pid && process_is_gone(*pid)) fs::remove(it->path(), ignored);
    if (ignored) ignored.clear();
  }
}

}  // namespace puma::dist
