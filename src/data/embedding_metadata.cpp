// SPDX-License-Identifier: Apache-2.0
#include "data/embedding_metadata.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <nlohmann/json.hpp>

#include "data/text_lines.hpp"
#include "dist/checksum.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"

namespace puma::data {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLargestMetadata = std::uint64_t{16} << 20;

json read_object(const std::filesystem::path& file) {
  const json object = json::parse(dist::read_file(file, kLargestMetadata), nullptr, false);
  if (!object.is_object()) {
    dist::fail_input({file.string(), "this is no metadata", "one JSON object",
                      object.is_discarded() ? "no valid JSON" : object.type_name(), ""});
  }
  return object;
}

// Takes the first of `keys` that is there.
void take_count(const json& object, std::initializer_list<const char*> keys,
                const std::filesystem::path& file, std::optional<std::int64_t>& fact) {
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found == object.end()) continue;
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    const bool valid = found->is_number_integer() && found->get<std::int64_t>() >= 0 &&
                       found->get<std::int64_t>() <= kMost;
    if (!valid) {
      dist::fail_input({file.string(), fmt::format("'{}' is no count", key),
                        "a whole number of at least 0",
                        printable(found->dump(-1, ' ', true, json::error_handler_t::replace)), ""});
    }
    if (fact && *fact != found->get<std::int64_t>()) {
      dist::fail_input({file.string(), fmt::format("'{}' differs from the other metadata", key),
                        std::to_string(*fact), std::to_string(found->get<std::int64_t>()), ""});
    }
    fact = found->get<std::int64_t>();
    return;
  }
}

std::string text_of(const json& object, const std::string& key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

EmbeddingMetadata read_embedding_metadata(const std::vector<std::filesystem::path>& files,
                                          CacheRole role) {
  const bool queries = role == CacheRole::queries;
  const std::string kind = queries ? "query_" : "doc_";
  EmbeddingMetadata facts;
  for (const auto& file : files) {
    const json object = read_object(file);
    take_count(object, {"embedding_dim"}, file, facts.dim);
    // The common file counts both roles, the files of one role say `count`.
    take_count(object, {"count", queries ? "num_queries" : "num_docs"}, file, facts.count);
    if (facts.model_name.empty()) facts.model_name = text_of(object, "model_name");
    if (!facts.prompt_hash.empty()) continue;
    std::string prompt;
    for (const std::string& prefix : {std::string(), kind}) {
      for (const char* key : {"system_instruction", "text_prefix"}) {
        const std::string text = text_of(object, prefix + key);
        if (!text.empty()) prompt += fmt::format("{}: {}\n", key, text);
      }
    }
    if (!prompt.empty()) facts.prompt_hash = dist::checksum(prompt).hex();
  }
  return facts;
}

}  // namespace puma::data
