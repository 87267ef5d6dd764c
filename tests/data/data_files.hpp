// SPDX-License-Identifier: Apache-2.0
// What the tests of file formats share: a folder of their own, small fixtures made on the spot,
// damage by numbers, and the grammar of errors.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "dist/comm.hpp"
#include "dist/error.hpp"
#include "dist/philox.hpp"

namespace puma::test {

// A folder that every rank knows and that goes away at the end.
class ScratchFolder {
 public:
  explicit ScratchFolder(const dist::Comm& comm = {}) : comm_(comm) {
    std::string name = ::testing::TempDir() + "puma_data_XXXXXX";
    if (comm_.is_root() && mkdtemp(name.data()) == nullptr) std::abort();
    path_ = comm_.broadcast(name);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    comm_.barrier();
    std::error_code ignored;
    if (comm_.is_root()) std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  dist::Comm comm_;
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void spill(const std::filesystem::path& file, const std::string& bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// A npy file, version `major`, with the given dictionary and data.
inline std::string npy(const std::string& dictionary, const std::string& data, int major = 1) {
  std::string header = dictionary + "\n";
  std::string bytes = std::string("\x93NUMPY") + static_cast<char>(major) + '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>((header.size() >> (8 * i)) & 0xFF);
  }
  return bytes + header + data;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false) {
  return npy("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                 ", 'shape': " + shape + ", }",
             data);
}

// The message of the bad_input error that `work` must throw.
inline std::string input_error(const std::function<void()>& work) {
  try {
    work();
  } catch (const dist::Error& e) {
    EXPECT_EQ(e.code(), dist::ExitCode::bad_input) << e.what();
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another exception: " << e.what();
    return "";
  }
  ADD_FAILURE() << "no error";
  return "";
}

// `bytes` with a few bytes changed, and in one of four trials cut short.
inline std::string mutated(std::string bytes, std::uint32_t trial) {
  std::uint64_t draw = 0;
  const auto below = [&](std::size_t bound) {
    return dist::random_below(static_cast<std::uint32_t>(bound), 1, dist::RandomPurpose::test_data,
                              trial, draw++);
  };
  if (below(4) == 0) bytes.resize(below(bytes.size() + 1));
  const std::uint32_t changes = 1 + below(4);
  for (std::uint32_t i = 0; i < changes && !bytes.empty(); ++i) {
    // Half of the changes near the start, where headers are.
    const std::size_t range =
        below(2) == 0 ? std::min<std::size_t>(bytes.size(), 128) : bytes.size();
    const std::size_t at = below(range);
    constexpr char kOdd[] = {'\0', '\xFF', '\x7F', '{', '}', '"', '9', '-', '\n', ' '};
    bytes[at] = below(2) == 0 ? kOdd[below(sizeof kOdd)] : static_cast<char>(below(256));
  }
  return bytes;
}

// Reads thousands of damaged copies of `bytes`: each must be read, or refused by an error of ours.
inline void fuzz(const std::string& bytes, const std::filesystem::path& file, std::uint32_t trials,
                 const std::function<void()>& read) {
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    spill(file, mutated(bytes, trial));
    try {
      read();
    } catch (const dist::Error& e) {
      ASSERT_NE(e.code(), dist::ExitCode::internal) << "trial " << trial << ": " << e.what();
      ASSERT_THAT(e.what(), ::testing::HasSubstr(file.filename().string())) << "trial " << trial;
    } catch (const std::exception& e) {
      FAIL() << "trial " << trial << ": another exception: " << e.what();
    }
  }
}

}  // namespace puma::test
