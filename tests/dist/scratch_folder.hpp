// SPDX-License-Identifier: Apache-2.0
// A folder of one test's own, removed with it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace puma::test {

class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name) {
    std::string pattern = testing::TempDir() + "puma_" + name + "_XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace puma::test
