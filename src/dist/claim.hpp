// SPDX-License-Identifier: Apache-2.0
// The right to work on a task, held by at most one process at a time: a file created with
// O_CREAT|O_EXCL. One mechanism for MPI ranks, job arrays, `puma run` and two jobs at once on one
// store.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace puma::dist {

struct ClaimHolder {
  std::string host;
  long pid = 0;
  std::string process_start;  // /proc start time: a recycled pid is another process
  std::string boot_id;        // after a reboot every process is gone
  std::string job_id;         // SLURM_JOB_ID, or empty
  std::string nonce;          // one incarnation of the claim
};

// Who holds the claim, if the file exists and can be read.
std::optional<ClaimHolder> claim_holder(const std::filesystem::path& file);

struct ClaimPolicy {
  double heartbeat_s = 15;  // the holder touches the file this often, from a thread of its own
  double expires_s =
      300;  // a holder on another host is taken for dead after this long without a heartbeat
};

// True when the holder is certainly gone (same host: its process ended) or its heartbeat is older
// than the policy allows.
bool claim_is_stale(const std::filesystem::path& file, const ClaimPolicy& policy = {});

// Held until destroyed; the destructor removes the file. Move-only.
class Claim {
 public:
  // Nothing when somebody else holds it. A stale claim is taken over, by exactly one of the
  // processes that try.
  static std::optional<Claim> try_acquire(const std::filesystem::path& file,
                                          const ClaimPolicy& policy = {});
  Claim(Claim&&) noexcept;
  Claim& operator=(Claim&&) noexcept;
  ~Claim();

 private:
  struct Impl;
  explicit Claim(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace puma::dist
