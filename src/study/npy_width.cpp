// SPDX-License-Identifier: Apache-2.0
#include "study/npy_width.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

namespace puma::study {

std::optional<std::int64_t> npy_width(const std::filesystem::path& file) {
  std::string head(1024, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
  if (!head.starts_with("\x93NUMPY")) return std::nullopt;
  auto at = head.find("'shape': (");
  if (at == std::string::npos) return std::nullopt;
  at = head.find(',', at + 10);
  if (at == std::string::npos) return std::nullopt;
  at = head.find_first_not_of(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  std::int64_t width = 0;
  const auto [end, error] = std::from_chars(head.data() + at, head.data() + head.size(), width);
  if (error != std::errc{} || end == head.data() + head.size() || *end != ')' || width < 1)
    return std::nullopt;
  return width;
}

}  // namespace puma::study
