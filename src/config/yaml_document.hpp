// SPDX-License-Identifier: Apache-2.0
// The tree behind config::Yaml, built from yaml-cpp's events instead of its nodes: those drop
// duplicate keys in silence and share what aliases name, so that nine lines of text can stand for a
// billion values.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/yaml.hpp"

namespace puma::config {

struct Yaml::Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  int line = 0;         // from 1; 0: the document is empty
  std::string scalar;   // of a scalar
  bool quoted = false;  // "16" is a text, 16 a number
  std::vector<std::pair<std::string, std::shared_ptr<Node>>> entries;  // keys empty in a list
};

struct Yaml::Document {
  std::string name;
  std::shared_ptr<Node> root;

  // Input errors with the line: bad syntax, several documents, anchors, aliases, tags, keys that
  // are no text or given twice, deep nesting.
  static std::shared_ptr<Document> parse(const std::string& text, const std::string& name);
};

}  // namespace puma::config
