// SPDX-License-Identifier: Apache-2.0
#include "dist/device.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include "dist/error.hpp"
#ifdef PUMA_WITH_CUDA
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#endif

namespace puma::dist {

namespace {

#ifdef PUMA_WITH_CUDA
Device gpu(int ordinal) {
  cudaDeviceProp facts = {};
  if (const cudaError_t failed = cudaGetDeviceProperties(&facts, ordinal); failed != cudaSuccess) {
    fail_call("cudaGetDeviceProperties", fmt::format("GPU {}", ordinal),
              cudaGetErrorString(failed));
  }
  Device device;
  device.cuda = true;
  device.ordinal = ordinal;
  device.name = facts.name;
  device.driver = gpu_driver();
  device.memory_bytes = static_cast<std::int64_t>(facts.totalGlobalMem);
  return device;
}
#endif

// The whole text as a number of at least 0; nothing else counts (launchers write plain digits).
bool parse_rank(const char* text, int& rank) {
  if (text == nullptr || *text == '\0') return false;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end != '\0' || value < 0 || value > 1'000'000) return false;
  rank = static_cast<int>(value);
  return true;
}

}  // namespace

int visible_gpus() {
#ifdef PUMA_WITH_CUDA
  int count = 0;
  // A machine without a driver, or with one too old for this runtime, is a machine without GPUs of
  // use.
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();  // else the next launch would report this old error
#endif
  return 0;
}

Device choose_device(const std::string& wish, int local_rank) {
  PUMA_EXPECT(local_rank >= 0);
  if (wish != "cpu" && wish != "cuda" && wish != "auto") {
    fail_usage("the device '" + wish + "' is unknown", "expected cpu, cuda or auto");
  }
  if (wish == "cpu") return {};
#ifdef PUMA_WITH_CUDA
  const int gpus = visible_gpus();
  if (gpus > 0) return gpu(local_rank % gpus);
  if (wish == "cuda") {
    fail_usage(
        "the device 'cuda' is not there", "no GPU is visible to this process",
        "Ask the batch system for one, check CUDA_VISIBLE_DEVICES and nvidia-smi, or use cpu.");
  }
#else
  if (wish == "cuda") {
    fail_usage("the device 'cuda' is not there", "this puma was built without CUDA",
               "Build it where nvcc is found, or use cpu.");
  }
#endif
  return {};
}

int local_rank_from_environment() {
  // mpirun's own variables first: under mpirun inside a Slurm job SLURM_LOCALID is that of the
  // daemon.
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PALS_LOCAL_RANKID",
                           "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"}) {
    int rank = 0;
    if (parse_rank(std::getenv(name), rank)) return rank;
  }
  return 0;
}

std::string gpu_driver() {
  std::ifstream facts("/proc/driver/nvidia/version");
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul ...": the first word with a
  // digit and a dot.
  for (std::string word; facts >> word;) {
    if (word.find('.') != std::string::npos && word[0] >= '0' && word[0] <= '9') return word;
  }
  return "";
}

}  // namespace puma::dist
