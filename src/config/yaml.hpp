// SPDX-License-Identifier: Apache-2.0
// YAML read strictly: every key that nobody asked for is an error with the file, the line and the
// nearest valid key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace puma::config {

// A node of a document, with where it stands. Getters throw bad_input errors of the form
// "FILE:LINE: KEY: wrong type (expected a whole number, found the list [1, 2]). ...". Cheap to
// copy; keeps the document alive.
class Yaml {
 public:
  static Yaml load(const std::filesystem::path& file);
  static Yaml parse(const std::string& text, const std::string& name);

  bool is_map() const;
  bool is_list() const;
  bool is_scalar() const;
  bool is_null() const;  // also: not there

  // Refuses every key of this map that is not in `valid`, naming the nearest valid one. Also
  // refuses a key given twice.
  void expect_keys(std::initializer_list<std::string_view> valid) const;
  void expect_keys(const std::vector<std::string>& valid) const;

  bool has(std::string_view key) const;
  Yaml at(std::string_view key) const;                      // must be there
  Yaml get(std::string_view key) const;                     // null node when not there
  std::vector<std::pair<std::string, Yaml>> items() const;  // of a map, in file order
  std::vector<Yaml> elements() const;  // of a list; a scalar counts as a list of one

  std::string text() const;
  std::int64_t integer() const;
  double number() const;  // accepts 1/32
  bool boolean() const;

  std::string where() const;  // "demo.yaml:12"
  std::string key() const;    // "recipe.stage2_steps"
  // An error at this node.
  [[noreturn]] void fail(const std::string& problem, const std::string& expected,
                         const std::string& found, const std::string& suggestion = "") const;

 private:
  struct Document;
  struct Node;
  Yaml(std::shared_ptr<Document> document, std::shared_ptr<Node> node, std::string key);
  std::string found() const;  // this node in words, for messages
  std::shared_ptr<Document> document_;
  std::shared_ptr<Node> node_;
  std::string key_;
};

// The candidate with the smallest edit distance, when it is near enough to be meant (at most a
// third of its length, at least 1).
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

}  // namespace puma::config
