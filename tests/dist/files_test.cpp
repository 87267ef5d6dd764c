// SPDX-License-Identifier: Apache-2.0
#include "dist/files.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "dist/checksum.hpp"
#include "dist/error.hpp"
#include "dist/mapped_file.hpp"
#include "scratch_folder.hpp"

namespace puma::dist {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  test::ScratchFolder folder_{"files"};
  fs::path at(const std::string& name) const { return folder_.path() / name; }
  std::size_t entries(const fs::path& folder) const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }
  std::string message(const std::function<void()>& f) const {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was thrown";
  }
};

TEST_F(Files, WritesWholeFilesOfEverySizeAndLeavesNothingElse) {
  const fs::path file = at("new/folder/x.bin");
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{65535},
                              std::size_t{65536}, std::size_t{65537}, std::size_t{3000001}}) {
    std::string bytes(n, 'x');
    for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<char>(i * 131 >> 3);
    write_file(file, bytes);
    EXPECT_EQ(read_file(file), bytes);
    EXPECT_EQ(file_checksum(file), checksum(bytes));
    const MappedFile map(file);
    ASSERT_EQ(map.bytes().size(), n);
    EXPECT_EQ(checksum(map.bytes()), checksum(bytes));
  }
  EXPECT_EQ(entries(at("new/folder")), 1u);
}

TEST_F(Files, FailedWriteKeepsTheOldFileAndNamesThePath) {
  fs::create_directories(at("taken"));  // a folder stands where the file should go
  std::ofstream(at("taken/inside")) << "1";
  EXPECT_THAT(message([&] { write_file(at("taken"), "new"); }), HasSubstr(at("taken").string()));
  EXPECT_EQ(entries(folder_.path()), 1u);
  std::ofstream(at("plain")) << "old";
  EXPECT_THAT(message([&] { write_file(at("plain/below.txt"), "new"); }),
              HasSubstr(at("plain").string()));
  EXPECT_EQ(read_file(at("plain")), "old");
}

TEST_F(Files, ReadingSaysWhatIsWrong) {
  EXPECT_THAT(message([&] { read_file(at("absent")); }),
              HasSubstr("absent: the file cannot be opened (No such file or directory)"));
  EXPECT_THAT(message([&] { read_file(folder_.path()); }), HasSubstr("this is a folder"));
  write_file(at("ten"), "0123456789");
  EXPECT_EQ(read_file(at("ten"), 10), "0123456789");
  EXPECT_THAT(message([&] { read_file(at("ten"), 9); }),
              HasSubstr("too large to be read whole (expected at most 9 bytes, found more"));
}

TEST_F(Files, ReadsFilesWhoseSizeTheKernelDoesNotTell) {
  EXPECT_FALSE(read_file("/proc/self/status").empty());
}

TEST_F(Files, SeveralProcessesAppendWholeLines) {
  const fs::path file = at("ledger");
  constexpr int processes = 4, lines = 200;
  for (int p = 0; p < processes; ++p) {
    if (::fork() == 0) {
      for (int i = 0; i < lines; ++i)
        append_line(file, std::string(100, static_cast<char>('a' + p)));
      ::_exit(0);
    }
  }
  for (int p = 0; p < processes; ++p) ::wait(nullptr);
  std::ifstream in(file);
  int count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    ASSERT_EQ(line, std::string(100, line[0]));
  }
  EXPECT_EQ(count, processes * lines);
  EXPECT_THROW(append_line(file, "two\nlines"), Error);
}

TEST_F(Files, OnlyTemporariesOfDeadProcessesOfThisHostAreRemoved) {
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  const std::string mine = temporary_name(at("x")).filename().string();
  const std::string stem = mine.substr(0, mine.rfind('.') + 1);
  ASSERT_EQ(mine, stem + std::to_string(::getpid()));
  const std::string dead = stem + std::to_string(gone);
  const std::string elsewhere = ".x.tmp.another-host." + std::to_string(gone);
  for (const std::string& name : {mine, dead, elsewhere, stem + "12x", std::string("x")}) {
    std::ofstream(at(name)) << "1";
  }
  remove_stale_temporaries(folder_.path());
  EXPECT_FALSE(fs::exists(at(dead)));
  for (const std::string& name : {mine, elsewhere, stem + "12x", std::string("x")}) {
    EXPECT_TRUE(fs::exists(at(name))) << name;
  }
  EXPECT_NO_THROW(remove_stale_temporaries(at("no such folder")));
}

TEST_F(Files, FullDiskIsOneMessageWithThePath) {
  const int probe = ::open("/dev/full", O_WRONLY);
  if (probe < 0) GTEST_SKIP() << "this machine has no /dev/full";
  ::close(probe);
  EXPECT_THAT(message([] { append_line("/dev/full", "x"); }),
              HasSubstr("write failed for '/dev/full' (No space left on device). Free some space"));
}

}  // namespace
}  // namespace puma::dist
