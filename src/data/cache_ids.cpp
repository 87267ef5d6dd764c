// SPDX-License-Identifier: Apache-2.0
// Ids of a dense cache: one a row, unique, fit for TREC files; and the canonical order of
// candidates.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "data/dense_cache.hpp"
#include "data/text_lines.hpp"
#include "dist/error.hpp"

namespace puma::data {

namespace {

constexpr std::size_t kLongestId = 255;

void check_id(const std::string& id, std::size_t row, const std::filesystem::path& file) {
  if (id.empty()) {
    dist::fail_input({file.string(), "an id is empty", "a text of 1 to 255 bytes",
                      fmt::format("nothing in row {}", row), ""});
  }
  if (id.size() > kLongestId) {
    dist::fail_input({file.string(), "an id is too long", "at most 255 bytes",
                      fmt::format("{} bytes in row {}: '{}'", id.size(), row, printable(id)), ""});
  }
  // Qrels and TREC runs separate their columns by white space, so such an id could never be judged.
  const bool odd = std::any_of(id.begin(), id.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7F;
  });
  if (odd) {
    dist::fail_input({file.string(), "an id holds white space or a control character",
                      "ids that fit a column of a qrels file",
                      fmt::format("'{}' in row {}", printable(id), row), ""});
  }
}

}  // namespace

void check_ids(const std::vector<std::string>& ids, std::int64_t rows,
               const std::filesystem::path& file) {
  if (static_cast<std::int64_t>(ids.size()) != rows) {
    dist::fail_input({file.string(), "ids and rows differ in number",
                      fmt::format("one id for each of the {} rows of embeddings", rows),
                      fmt::format("{} ids", ids.size()),
                      "Do both files come from the same extraction?"});
  }
  if (rows == 0) {
    dist::fail_input(
        {file.string(), "there are no rows", "at least one embedding with its id", "0 rows", ""});
  }
  std::unordered_map<std::string_view, std::size_t> row_of;
  row_of.reserve(ids.size());
  for (std::size_t row = 0; row < ids.size(); ++row) {
    check_id(ids[row], row, file);
    const auto [known, is_new] = row_of.emplace(ids[row], row);
    if (!is_new) {
      dist::fail_input({file.string(), fmt::format("id '{}' is given twice", printable(ids[row])),
                        "unique ids", fmt::format("it in rows {} and {}", known->second, row), ""});
    }
  }
}

std::vector<std::int64_t> canonical_order(const std::vector<std::string>& ids) {
  std::vector<std::int64_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  // std::string compares bytes as unsigned, which is the order of strcmp in trec_eval.
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return ids[static_cast<std::size_t>(a)] > ids[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace puma::data
