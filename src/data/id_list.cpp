// SPDX-License-Identifier: Apache-2.0
// The ids of a published cache: one JSON list of strings, walked without a document tree (pools
// have half a million ids).
#include <fmt/format.h>
#include <simdjson.h>

#include "data/text_lines.hpp"
#include "data/vector_file.hpp"
#include "dist/error.hpp"
#include "dist/mapped_file.hpp"

namespace puma::data {

namespace {

namespace json = simdjson::ondemand;

[[noreturn]] void fail_json(const std::filesystem::path& file, const std::string& found,
                            std::size_t index) {
  dist::fail_input({file.string(), "this is no list of ids", "a JSON list of strings",
                    fmt::format("{} at entry {}", found, index), "Is the file whole?"});
}

}  // namespace

std::vector<std::string> read_id_list(const std::filesystem::path& file) {
  const dist::MappedFile map(file);
  const auto bytes = map.bytes();
  // simdjson reads a few bytes past the end of its input, which a mapping cannot promise: hence the
  // copy.
  const simdjson::padded_string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  json::parser parser;
  json::document document;
  json::array list;
  std::vector<std::string> ids;
  if (auto error = parser.iterate(text).get(document))
    fail_json(file, simdjson::error_message(error), 0);
  if (auto error = document.get_array().get(list))
    fail_json(file, simdjson::error_message(error), 0);
  for (auto entry : list) {
    json::value value;
    json::json_type type{};
    std::string_view id;
    auto error = entry.get(value);
    if (!error) error = value.type().get(type);
    if (!error && type != json::json_type::string) {
      fail_json(file, "a value that is no string", ids.size());
    }
    if (!error) error = value.get_string().get(id);
    if (error) fail_json(file, simdjson::error_message(error), ids.size());
    ids.emplace_back(id);
  }
  // The end of the document is the only place that has no location.
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
    fail_json(file, "something after the list", ids.size());
  }
  return ids;
}

}  // namespace puma::data
