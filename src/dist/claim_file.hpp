// SPDX-License-Identifier: Apache-2.0
// The file behind a claim: made with its content in one step, read with distrust, judged stale or
// not. Who may replace it is claim.cpp's matter.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "dist/claim.hpp"
#include "dist/file_descriptor.hpp"

namespace puma::dist::detail {

// This process, with a fresh nonce.
ClaimHolder new_incarnation();

// Makes `file` with its content, or returns nothing when it exists: a temporary file that gets its
// second name, by link(2), only when it is complete, so that nobody ever sees half a claim. On file
// systems without hard links: create_by_open.
std::optional<FileDescriptor> create_claim(const std::filesystem::path& file,
                                           const ClaimHolder& holder);
// With O_EXCL. A process that is killed between creating and writing leaves an unreadable claim,
// which expires.
std::optional<FileDescriptor> create_by_open(const std::filesystem::path& file,
                                             const ClaimHolder& holder);

// Renames a new claim over the old one. Only for whoever holds the takeover lock.
FileDescriptor replace_claim(const std::filesystem::path& file, const ClaimHolder& holder);

struct ClaimState {
  std::optional<ClaimHolder> holder;  // nothing when the content is no claim
  std::string
      incarnation;       // the nonce, or inode and time of an unreadable file; safe in a file name
  double touched_s = 0;  // last heartbeat, seconds since the epoch by the file system's clock
};
// Nothing when there is no such file.
std::optional<ClaimState> claim_state(const std::filesystem::path& file);

// By the holder's process where this host can know it, else by the age of the heartbeat at `now_s`.
bool is_stale(const ClaimState& state, const ClaimPolicy& policy, double now_s);

// When the open file was last touched: just after its making, the file system's idea of now.
double touched_s(const FileDescriptor& fd, const std::filesystem::path& file);

}  // namespace puma::dist::detail
