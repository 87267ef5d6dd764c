// SPDX-License-Identifier: Apache-2.0
#include "config/yaml.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/yaml_document.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"

namespace puma::config {

namespace {

template <class T>
std::optional<T> parsed(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string shortened(const std::string& text) {
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

}  // namespace

Yaml::Yaml(std::shared_ptr<Document> document, std::shared_ptr<Node> node, std::string key)
    : document_(std::move(document)), node_(std::move(node)), key_(std::move(key)) {}

Yaml Yaml::load(const std::filesystem::path& file) {
  return parse(dist::read_file(file, std::uint64_t{1} << 20), file.string());
}

Yaml Yaml::parse(const std::string& text, const std::string& name) {
  auto document = Document::parse(text, name);
  auto root = document->root;
  return Yaml(std::move(document), std::move(root), "");
}

bool Yaml::is_map() const {
  return node_->kind == Node::Kind::map;
}
bool Yaml::is_list() const {
  return node_->kind == Node::Kind::list;
}
bool Yaml::is_scalar() const {
  return node_->kind == Node::Kind::scalar;
}
bool Yaml::is_null() const {
  return node_->kind == Node::Kind::null;
}

void Yaml::expect_keys(std::initializer_list<std::string_view> valid) const {
  expect_keys(std::vector<std::string>(valid.begin(), valid.end()));
}

void Yaml::expect_keys(const std::vector<std::string>& valid) const {
  for (const auto& [key, value] : items()) {
    if (std::find(valid.begin(), valid.end(), key) != valid.end()) continue;
    const auto near = nearest(key, valid);
    dist::fail_input({value.where(), fmt::format("unknown key '{}'", value.key()),
                      fmt::format("one of {}", fmt::join(valid, ", ")), "",
                      near ? fmt::format("Did you mean '{}'?", *near) : ""});
  }
}

bool Yaml::has(std::string_view key) const {
  return std::any_of(node_->entries.begin(), node_->entries.end(),
                     [&](const auto& entry) { return is_map() && entry.first == key; });
}

Yaml Yaml::get(std::string_view key) const {
  const std::string name = key_.empty() ? std::string(key) : fmt::format("{}.{}", key_, key);
  if (!is_null() && !is_map()) fail("wrong type", fmt::format("a map with '{}'", key), found());
  for (const auto& [entry, node] : node_->entries) {
    if (entry == key) return Yaml(document_, node, name);
  }
  auto missing = std::make_shared<Node>();
  missing->line = node_->line;
  return Yaml(document_, std::move(missing), name);
}

Yaml Yaml::at(std::string_view key) const {
  Yaml value = get(key);
  if (!has(key)) value.fail("this key is missing", "", "", fmt::format("Add '{}: ...'.", key));
  return value;
}

std::vector<std::pair<std::string, Yaml>> Yaml::items() const {
  if (is_null()) return {};
  if (!is_map()) fail("wrong type", "a map (KEY: VALUE lines)", found());
  std::vector<std::pair<std::string, Yaml>> all;
  for (const auto& [key, node] : node_->entries) {
    all.emplace_back(key,
                     Yaml(document_, node, key_.empty() ? key : fmt::format("{}.{}", key_, key)));
  }
  return all;
}

std::vector<Yaml> Yaml::elements() const {
  if (is_scalar()) return {*this};
  if (!is_list()) fail("wrong type", "a list", found());
  std::vector<Yaml> all;
  for (std::size_t i = 0; i < node_->entries.size(); ++i) {
    all.push_back(Yaml(document_, node_->entries[i].second, fmt::format("{}[{}]", key_, i)));
  }
  return all;
}

std::string Yaml::text() const {
  if (!is_scalar()) fail("wrong type", "a text", found());
  return node_->scalar;
}

std::int64_t Yaml::integer() const {
  if (is_scalar() && !node_->quoted) {
    if (const auto value = parsed<std::int64_t>(node_->scalar)) return *value;
  }
  fail("wrong type", "a whole number", found());
}

double Yaml::number() const {
  if (is_scalar() && !node_->quoted) {
    const std::string& text = node_->scalar;
    const auto slash = text.find('/');
    const auto top = parsed<double>(std::string_view(text).substr(0, slash));
    const auto bottom =
        slash == std::string::npos ? 1.0 : parsed<double>(std::string_view(text).substr(slash + 1));
    if (top && bottom && std::isfinite(*top / *bottom)) return *top / *bottom;
  }
  fail("wrong type", "a number", found());
}

bool Yaml::boolean() const {
  if (is_scalar() && !node_->quoted) {
    if (node_->scalar == "true") return true;
    if (node_->scalar == "false") return false;
  }
  fail("wrong type", "true or false", found());
}

std::string Yaml::where() const {
  return fmt::format("{}:{}", document_->name, std::max(node_->line, 1));
}

std::string Yaml::key() const {
  return key_;
}

void Yaml::fail(const std::string& problem, const std::string& expected, const std::string& found,
                const std::string& suggestion) const {
  dist::fail_input({where(), key_.empty() ? problem : fmt::format("{}: {}", key_, problem),
                    expected, found, suggestion});
}

std::string Yaml::found() const {
  switch (node_->kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::map:
      return "a map";
    case Node::Kind::list: {
      std::vector<std::string> parts;
      for (const Yaml& element : elements()) {
        parts.push_back(element.is_scalar() ? element.node_->scalar : "...");
        if (parts.size() > 8) break;
      }
      return "the list " + shortened(fmt::format("[{}]", fmt::join(parts, ", ")));
    }
    case Node::Kind::scalar:
      break;
  }
  return fmt::format("{}'{}'", node_->quoted ? "the quoted text " : "", shortened(node_->scalar));
}

}  // namespace puma::config
