// SPDX-License-Identifier: Apache-2.0
#include "dist/claim_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/host.hpp"

namespace puma::dist::detail {
namespace {

namespace fs = std::filesystem;

std::string text_of(const ClaimHolder& holder) {
  const nlohmann::json json = {{"host", holder.host},
                               {"pid", holder.pid},
                               {"process_start", holder.process_start},
                               {"boot_id", holder.boot_id},
                               {"job_id", holder.job_id},
                               {"nonce", holder.nonce}};
  // Host names and job ids come from outside: bytes that are no UTF-8 are replaced, not thrown at
  // us.
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// The nonce becomes part of file names, so nothing but hexadecimal digits is believed.
bool is_nonce(const std::string& text) {
  return !text.empty() && text.size() <= 32 &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::optional<ClaimHolder> holder_in(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    ClaimHolder holder;
    json.at("host").get_to(holder.host);
    json.at("pid").get_to(holder.pid);
    json.at("process_start").get_to(holder.process_start);
    json.at("boot_id").get_to(holder.boot_id);
    json.at("job_id").get_to(holder.job_id);
    json.at("nonce").get_to(holder.nonce);
    if (is_nonce(holder.nonce)) return holder;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // another program's JSON
  }
  return std::nullopt;
}

struct stat status_of(const FileDescriptor& fd, const fs::path& file) {
  struct stat status = {};
  if (::fstat(fd.get(), &status) != 0) fail_errno("fstat", file.string());
  return status;
}

double modified_s(const struct stat& status) {
  return static_cast<double>(status.st_mtim.tv_sec) +
         1e-9 * static_cast<double>(status.st_mtim.tv_nsec);
}

// A complete claim under a name of its own.
struct Prepared {
  fs::path name;
  FileDescriptor fd;

  Prepared(const fs::path& file, const ClaimHolder& holder)
      : name(temporary_name(fs::path(file.string() + "." + holder.nonce))),
        fd(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (fd.get() < 0) fail_errno("open", name.string());
    try {
      write_all(fd, std::as_bytes(std::span<const char>(text_of(holder))), name);
    } catch (...) {
      ::unlink(name.c_str());
      throw;
    }
  }
};

bool without_hard_links(int error) {
  return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK;
}

}  // namespace

ClaimHolder new_incarnation() {
  std::random_device random;  // uniqueness, not a result: philox would give two processes the same
  ClaimHolder holder;
  holder.host = host_name();
  holder.pid = ::getpid();
  holder.process_start = process_start(holder.pid).value_or("");
  holder.boot_id = boot_id();
  const char* job = std::getenv("SLURM_JOB_ID");
  holder.job_id = job != nullptr ? job : "";
  holder.nonce = fmt::format("{:08x}{:08x}", random(), random());
  return holder;
}

std::optional<FileDescriptor> create_by_open(const fs::path& file, const ClaimHolder& holder) {
  FileDescriptor fd(::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (fd.get() < 0) {
    if (errno == EEXIST) return std::nullopt;
    fail_errno("open", file.string());
  }
  write_all(fd, std::as_bytes(std::span<const char>(text_of(holder))), file);
  return fd;
}

std::optional<FileDescriptor> create_claim(const fs::path& file, const ClaimHolder& holder) {
  Prepared prepared(file, holder);
  const bool linked = ::link(prepared.name.c_str(), file.c_str()) == 0;
  const int error = errno;
  // NFS may repeat a request whose answer was lost: then link says EEXIST although it was us.
  const bool mine = linked || status_of(prepared.fd, file).st_nlink == 2;
  ::unlink(prepared.name.c_str());
  if (mine) return std::move(prepared.fd);
  if (error == EEXIST) return std::nullopt;
  if (without_hard_links(error)) return create_by_open(file, holder);
  errno = error;
  fail_errno("link", file.string());
}

FileDescriptor replace_claim(const fs::path& file, const ClaimHolder& holder) {
  Prepared prepared(file, holder);
  if (::rename(prepared.name.c_str(), file.c_str()) != 0) {
    const int error = errno;
    ::unlink(prepared.name.c_str());
    errno = error;
    fail_errno("rename", file.string());
  }
  return std::move(prepared.fd);
}

std::optional<ClaimState> claim_state(const fs::path& file) {
  const FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) {
    if (errno == ENOENT) return std::nullopt;
    fail_errno("open", file.string());
  }
  std::string text(std::size_t{1} << 14, '\0');  // far more than a claim has
  text.resize(read_some(fd, std::as_writable_bytes(std::span(text)), file));
  const struct stat status = status_of(fd, file);
  ClaimState state;
  state.holder = holder_in(text);
  state.touched_s = modified_s(status);
  state.incarnation = state.holder ? state.holder->nonce
                                   : fmt::format("unreadable-{}-{}-{}", status.st_ino,
                                                 status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  return state;
}

bool is_stale(const ClaimState& state, const ClaimPolicy& policy, double now_s) {
  if (state.holder && state.holder->host == host_name()) {
    const std::string boot = boot_id();
    if (!boot.empty() && !state.holder->boot_id.empty() && boot != state.holder->boot_id)
      return true;
    return !process_runs(state.holder->pid, state.holder->process_start);
  }
  return now_s - state.touched_s > policy.expires_s;
}

double touched_s(const FileDescriptor& fd, const fs::path& file) {
  return modified_s(status_of(fd, file));
}

}  // namespace puma::dist::detail
