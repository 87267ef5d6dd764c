// SPDX-License-Identifier: Apache-2.0
// Who computed this: the facts that a reader needs to repeat or to doubt a number.
#include <sys/utsname.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "dist/device.hpp"
#include "dist/host.hpp"
#include "dist/manifest.hpp"

// The build system gives these for this file alone, so that a new revision compiles one file anew.
#ifndef PUMA_REVISION
#define PUMA_REVISION "unknown"
#endif
#ifndef PUMA_COMPILE_FLAGS
#define PUMA_COMPILE_FLAGS "unknown"
#endif
#ifndef PUMA_BUILD_TYPE
#define PUMA_BUILD_TYPE "unknown"
#endif
#ifndef PUMA_VERSION
#define PUMA_VERSION "unknown"
#endif

namespace puma::dist {

namespace {

// The value of the first line "key : value" of /proc/cpuinfo; empty where there is none.
std::string cpu_fact(const std::string& key) {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || !line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

// The widest instruction set that the fast paths choose between, as the running machine has it.
std::string instruction_set() {
  std::istringstream words(cpu_fact("flags") + ' ' + cpu_fact("Features"));
  const std::set<std::string> has{std::istream_iterator<std::string>(words), {}};
  for (const char* name : {"amx_bf16", "avx512_bf16", "avx512_vnni", "avx512f", "avx2", "avx",
                           "sse4_2", "sve2", "sve", "asimd"}) {
    if (has.contains(name)) return name;
  }
  return "baseline";
}

std::string compiler() {
#ifdef __clang__
  return std::string("clang ") + __clang_version__;
#else
  return std::string("gcc ") + __VERSION__;
#endif
}

}  // namespace

nlohmann::json build_facts() {
  struct utsname machine = {};
  ::uname(&machine);
  nlohmann::json facts{
      {"version", PUMA_VERSION},
      {"revision", PUMA_REVISION},
      {"compiler", compiler()},
      {"flags", PUMA_COMPILE_FLAGS},
      {"build_type", PUMA_BUILD_TYPE},
#ifdef PUMA_WITH_MPI
      {"mpi", true},
#else
      {"mpi", false},
#endif
#ifdef PUMA_WITH_CUDA
      {"cuda", true},
#else
      {"cuda", false},
#endif
      {"host", host_name()},
      {"system", std::string(machine.sysname) + " " + machine.release + " " + machine.machine},
      {"cpu", cpu_fact("model name")},
      {"instruction_set", instruction_set()},
      {"gpu_driver", gpu_driver()},
  };
  return facts;
}

}  // namespace puma::dist
