// SPDX-License-Identifier: Apache-2.0
// Which accelerator a rank uses. Works without CUDA: then there are none.
#pragma once

#include <cstdint>
#include <string>

namespace puma::dist {

struct Device {
  bool cuda = false;
  int ordinal =
      0;  // local rank modulo the visible GPUs: right with per-task and per-node visibility
  std::string name = "cpu";
  std::string driver;  // empty on the CPU
  std::int64_t memory_bytes = 0;
};

int visible_gpus();

// "cpu", "cuda" or "auto" (cuda where there is one). "cuda" without a GPU, or in a build without
// CUDA, is a usage error that says which.
Device choose_device(const std::string& wish, int local_rank);

// This rank's number among the ranks of its node: from the launcher's environment, else 0.
int local_rank_from_environment();

// The version of the NVIDIA driver of this machine; empty without one.
std::string gpu_driver();

}  // namespace puma::dist
