// SPDX-License-Identifier: Apache-2.0
// Lines of a text file from outside, one after another, without loading the file: what qrels,
// negatives and JSON Lines share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dist/mapped_file.hpp"

namespace puma::data {

// Accepts LF and CRLF; a byte order mark is dropped with a warning (it would become part of the
// first id). Lines of white space alone are skipped.
class TextLines {
 public:
  explicit TextLines(const std::filesystem::path& file);

  // The next line that holds something; false at the end. The view lives as long as this object.
  bool next(std::string_view& line);
  std::int64_t number() const { return number_; }  // of the line last given, from 1
  std::string where() const { return where(number_); }
  std::string where(std::int64_t line) const;  // "file:12"

 private:
  std::filesystem::path path_;
  dist::MappedFile map_;
  std::string_view rest_;
  std::int64_t number_ = 0;
};

// The parts of a line between runs of spaces and tabs.
std::vector<std::string_view> split_columns(std::string_view line);

// A piece of foreign text fit for a message: short, and control characters made visible.
std::string printable(std::string_view text);

}  // namespace puma::data
