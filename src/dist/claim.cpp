// SPDX-License-Identifier: Apache-2.0
// A stale claim is replaced under a lock that is a claim itself: "<file>.takeover.<incarnation>".
// Its name holds the incarnation that is replaced, so whoever comes late finds another incarnation
// in the file and goes away. A dead taker's lock is taken over in the same way.
#include "dist/claim.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "dist/claim_file.hpp"
#include "dist/error.hpp"
#include "dist/heartbeat.hpp"
#include "dist/log.hpp"

namespace puma::dist {
namespace {

namespace fs = std::filesystem;

// Locks of locks of locks: each level needs a process that died within the few milliseconds of a
// takeover.
constexpr int max_depth = 4;

struct Held {
  fs::path file;
  std::string nonce;
  FileDescriptor fd;
};

double local_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

fs::path takeover_lock(const fs::path& file, const std::string& incarnation) {
  return file.string() + ".takeover." + incarnation;
}

bool still_holds(const fs::path& file, const std::string& incarnation) {
  const auto state = detail::claim_state(file);
  return state && state->incarnation == incarnation;
}

void remove_if_mine(const Held& held) {
  if (!still_holds(held.file, held.nonce)) return;
  if (::unlink(held.file.c_str()) != 0 && errno != ENOENT) fail_errno("unlink", held.file.string());
}

std::optional<Held> acquire(const fs::path& file, const ClaimPolicy& policy, int depth);

// Expects that `seen` was judged stale.
std::optional<Held> take_over(const fs::path& file, const detail::ClaimState& seen,
                              const ClaimPolicy& policy, int depth) {
  if (depth == max_depth) return std::nullopt;
  const auto lock = acquire(takeover_lock(file, seen.incarnation), policy, depth + 1);
  if (!lock) return std::nullopt;
  // Judged again, now that nobody else may replace it, and by the file system's clock instead of
  // this host's.
  const auto state = detail::claim_state(file);
  const double now_s = detail::touched_s(lock->fd, lock->file);
  std::optional<Held> held;
  if (state && state->incarnation == seen.incarnation && detail::is_stale(*state, policy, now_s)) {
    const ClaimHolder me = detail::new_incarnation();
    held = Held{file, me.nonce, detail::replace_claim(file, me)};
  }
  remove_if_mine(*lock);
  return held;
}

std::optional<Held> acquire(const fs::path& file, const ClaimPolicy& policy, int depth) {
  // A claim may be released between two steps: then begin again, though not for ever.
  for (int attempt = 0; attempt < 4; ++attempt) {
    const auto state = detail::claim_state(file);
    if (state) {
      if (!detail::is_stale(*state, policy, local_now_s())) return std::nullopt;
      return take_over(file, *state, policy, depth);
    }
    const ClaimHolder me = detail::new_incarnation();
    auto fd = detail::create_claim(file, me);
    if (fd) return Held{file, me.nonce, std::move(*fd)};
  }
  return std::nullopt;
}

// A process that came back after a long pause may find that somebody takes its claim over right
// now: whoever has the lock decides, and a file with another's nonce stays.
void release(const Held& held, const ClaimPolicy& policy) {
  const auto lock = acquire(takeover_lock(held.file, held.nonce), policy, 1);
  if (!lock) return;
  remove_if_mine(held);
  remove_if_mine(*lock);
}

}  // namespace

struct Claim::Impl {
  Held held;
  ClaimPolicy policy;
  std::optional<detail::Heartbeat> heartbeat;

  Impl(Held claimed, const ClaimPolicy& wanted) : held(std::move(claimed)), policy(wanted) {
    heartbeat.emplace(held.fd.get(), policy.heartbeat_s);
  }
  ~Impl() {
    heartbeat.reset();
    try {
      release(held, policy);
    } catch (const std::exception& error) {
      log_local(LogLevel::warning, error.what());
    }
  }
};

Claim::Claim(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Claim::Claim(Claim&&) noexcept = default;
Claim& Claim::operator=(Claim&&) noexcept = default;
Claim::~Claim() = default;

std::optional<ClaimHolder> claim_holder(const fs::path& file) {
  const auto state = detail::claim_state(file);
  return state ? state->holder : std::nullopt;
}

bool claim_is_stale(const fs::path& file, const ClaimPolicy& policy) {
  const auto state = detail::claim_state(file);
  return state && detail::is_stale(*state, policy, local_now_s());
}

std::optional<Claim> Claim::try_acquire(const fs::path& file, const ClaimPolicy& policy) {
  PUMA_EXPECT(policy.heartbeat_s > 0 && policy.expires_s > policy.heartbeat_s);
  if (file.has_parent_path()) {
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    if (failed) fail_call("mkdir", file.parent_path().string(), failed.message());
  }
  auto held = acquire(file, policy, 0);
  if (!held) return std::nullopt;
  return Claim(std::make_unique<Impl>(std::move(*held), policy));
}

}  // namespace puma::dist
