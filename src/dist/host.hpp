// SPDX-License-Identifier: Apache-2.0
// Which machine and which process this is, and whether another process of this machine still runs.
#pragma once

#include <optional>
#include <string>

namespace puma::dist {

std::string host_name();

// Differs after every boot; empty where the kernel does not tell.
std::string boot_id();

// When a process of this host started, in clock ticks since the boot: tells a process from a later
// one with the same number. Nothing when there is no such process, or when it has ended and waits
// to be collected by its parent.
std::optional<std::string> process_start(long pid);

// False when the process has certainly ended. Other users' processes may hide their start: then
// existing is enough.
bool process_runs(long pid, const std::string& start);

}  // namespace puma::dist
