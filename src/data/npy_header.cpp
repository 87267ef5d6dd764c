// SPDX-License-Identifier: Apache-2.0
#include "data/npy_header.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "data/text_lines.hpp"
#include "dist/error.hpp"

namespace puma::data {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// Reads the Python literal {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: keys in any
// order, either quote, any white space.
class Literal {
 public:
  Literal(std::string_view text, const std::filesystem::path& file) : text_(text), file_(file) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        once(descr, key);
        if (peek() != '\'' && peek() != '"')
          fail("a plain dtype such as '<f4'", "a structured one");
        header.descr = quoted();
      } else if (key == "fortran_order") {
        once(order, key);
        header.fortran_order = boolean();
      } else if (key == "shape") {
        once(shape, key);
        header.shape = tuple();
      } else {
        fail("the keys descr, fortran_order and shape", fmt::format("'{}'", printable(key)));
      }
      if (!accept(',') && peek() != '}') fail("',' or '}' after a value", here());
    }
    if (peek() != '\0') fail("nothing after the dictionary", here());
    if (!descr || !order || !shape) {
      fail("the keys descr, fortran_order and shape",
           fmt::format("no {}", !descr   ? "descr"
                                : !order ? "fortran_order"
                                         : "shape"));
    }
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    dist::fail_input({file_.string(), "the npy header cannot be read", expected, found,
                      "Was the file written by numpy.save?"});
  }

  std::string here() const {
    return at_ < text_.size() ? fmt::format("'{}'", printable(text_.substr(at_, 12)))
                              : "the end of the header";
  }

  // The next character that is no white space; 0 at the end.
  char peek() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr && text_[at_] != 0)
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}'", c), here());
  }
  void once(bool& seen, const std::string& key) const {
    if (seen) fail("each key once", fmt::format("'{}' twice", key));
    seen = true;
  }

  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a quoted text", here());
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a closing quote", "none");
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::string(inside);
  }

  bool boolean() {
    peek();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail("True or False", here());
  }

  std::int64_t number() {
    constexpr std::size_t kMostDigits = 18;  // fits 64 bits; no array of ours is that large
    peek();
    const std::size_t begin = at_;
    std::int64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      if (at_ - begin == kMostDigits) fail("sizes below 10^18", "a longer number");
      value = value * 10 + (text_[at_++] - '0');
    }
    if (at_ == begin) fail("a whole number of at least 0 in the shape", here());
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote (3L, 4L)
    return value;
  }

  std::vector<std::int64_t> tuple() {
    constexpr std::size_t kMostDimensions = 32;  // numpy's own limit
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      if (values.size() == kMostDimensions) fail("at most 32 dimensions", "more");
      values.push_back(number());
      if (!accept(',') && peek() != ')') fail("',' or ')' in the shape", here());
    }
    return values;
  }

  std::string_view text_;
  const std::filesystem::path& file_;
  std::size_t at_ = 0;
};

}  // namespace

bool has_npy_magic(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::filesystem::path& file) {
  const auto byte = [&](std::size_t at) { return std::to_integer<std::uint32_t>(bytes[at]); };
  const auto cut_short = [&](std::uint64_t needed) {
    dist::fail_input({file.string(), "the npy header goes beyond the end of the file",
                      fmt::format("at least {} bytes", needed), fmt::format("{}", bytes.size()),
                      "The file is cut short: copy it again."});
  };
  PUMA_EXPECT(has_npy_magic(bytes));
  if (bytes.size() < 8) cut_short(10);
  const std::uint32_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0) {
    dist::fail_input({file.string(), "this version of the npy format is unknown", "1.0, 2.0 or 3.0",
                      fmt::format("{}.{}", major, minor), ""});
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  std::uint64_t offset = 8 + length_bytes;
  if (bytes.size() < offset) cut_short(offset);
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= std::uint64_t{byte(8 + i)} << (8 * i);
  if (length > bytes.size() - offset) cut_short(offset + length);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + offset, length);
  NpyHeader header = Literal(text, file).parse();
  header.major = static_cast<int>(major);
  header.data_offset = offset + length;
  return header;
}

}  // namespace puma::data
