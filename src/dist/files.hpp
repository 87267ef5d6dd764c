// SPDX-License-Identifier: Apache-2.0
// Whole files or none: written to a temporary name beside the target, flushed to the disk, then
// renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace puma::dist {

// The temporary name for `target` in the same folder: ".<name>.tmp.<host>.<pid>". Files so named
// may be removed by anyone once their process is gone (remove_stale_temporaries).
std::filesystem::path temporary_name(const std::filesystem::path& target);

// fsync of the file, rename over the target, fsync of the folder.
void publish(const std::filesystem::path& temporary, const std::filesystem::path& target);

// Makes missing folders, then writes and publishes. Throws with the path on any failure (also
// ENOSPC).
void write_file(const std::filesystem::path& target, std::string_view bytes);

// Reads a whole file of at most `limit_bytes` (refuses more: untrusted input must not eat the
// memory).
std::string read_file(const std::filesystem::path& file,
                      std::uint64_t limit_bytes = std::uint64_t{1} << 32);

// Adds one line (with '\n') by a single O_APPEND write, so that several processes may append to one
// file.
void append_line(const std::filesystem::path& file, std::string_view line);

// Removes temporaries in `folder` whose process (on this host) is gone.
void remove_stale_temporaries(const std::filesystem::path& folder);

}  // namespace puma::dist
