// SPDX-License-Identifier: Apache-2.0
#include "data/text_lines.hpp"

#include <fmt/format.h>

#include "dist/log.hpp"

namespace puma::data {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\v\f";

}  // namespace

TextLines::TextLines(const std::filesystem::path& file) : path_(file), map_(file) {
  const auto bytes = map_.bytes();
  rest_ = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  if (rest_.starts_with(kByteOrderMark)) {
    rest_.remove_prefix(kByteOrderMark.size());
    dist::log_world(
        dist::LogLevel::warning,
        fmt::format("{}: starts with a byte order mark, which was ignored", path_.string()));
  }
}

bool TextLines::next(std::string_view& line) {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(kBlanks) != std::string_view::npos) return true;
  }
  return false;
}

std::string TextLines::where(std::int64_t line) const {
  return fmt::format("{}:{}", path_.string(), line);
}

std::vector<std::string_view> split_columns(std::string_view line) {
  std::vector<std::string_view> columns;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = line.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = end;
  }
  return columns;
}

std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 80;
  std::string shown;
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += c;
    }
  }
  return text.size() > kMost ? shown + "..." : shown;
}

}  // namespace puma::data
