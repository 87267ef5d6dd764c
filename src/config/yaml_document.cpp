// SPDX-License-Identifier: Apache-2.0
#include "config/yaml_document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "dist/error.hpp"

namespace puma::config {

namespace {

// Far above any study file, far below what could exhaust the stack or the memory.
constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxNodes = 200'000;
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

std::string place(const std::string& name, int line) {
  return fmt::format("{}:{}", name, line);
}

int line_of(const YAML::Mark& mark) {
  return mark.is_null() ? 0 : mark.line + 1;
}

// Node is private to Yaml, hence the template parameter.
template <class Node>
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string name) : name_(std::move(name)) {}
  std::shared_ptr<Node> root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add(mark, std::make_shared<Node>());
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "an alias", "every value written out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    auto node = std::make_shared<Node>();
    node->kind = Node::Kind::scalar;
    node->scalar = value;
    node->quoted = tag == "!";  // yaml-cpp's mark of a quoted scalar
    add(mark, std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::list);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::map);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    std::shared_ptr<Node> node;
    bool has_key = false;
    std::string key;
    std::map<std::string, int> lines;  // of the keys so far
  };

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            typename Node::Kind kind) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (open_.size() >= kMaxDepth) {
      fail(mark, "nested too deeply", fmt::format("at most {} levels", kMaxDepth));
    }
    auto node = std::make_shared<Node>();
    node->kind = kind;
    add(mark, node);
    open_.push_back({std::move(node), false, {}, {}});
  }

  void add(const YAML::Mark& mark, std::shared_ptr<Node> node) {
    node->line = line_of(mark);
    if (++nodes_ > kMaxNodes) fail(mark, "too many values", fmt::format("at most {}", kMaxNodes));
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node->kind == Node::Kind::list) {
      parent.node->entries.emplace_back("", std::move(node));
    } else if (!parent.has_key) {
      take_key(mark, parent, *node);
    } else {
      parent.has_key = false;
      node->line = parent.lines[parent.key];  // where people look for it
      parent.node->entries.emplace_back(parent.key, std::move(node));
    }
  }

  void take_key(const YAML::Mark& mark, Open& map, const Node& node) {
    if (node.kind != Node::Kind::scalar) fail(mark, "a key that is no text", "KEY: VALUE");
    const auto [it, fresh] = map.lines.emplace(node.scalar, node.line);
    if (!fresh) {
      dist::fail_input({place(name_, node.line),
                        fmt::format("the key '{}' is given twice", node.scalar), "each key once",
                        fmt::format("the first on line {}", it->second), "Remove one of them."});
    }
    map.key = node.scalar;
    map.has_key = true;
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) fail(mark, "an anchor", "every value written out");
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") {
      fail(mark, fmt::format("the tag {}", tag), "plain values");
    }
  }
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& problem,
                         const std::string& expected) const {
    dist::fail_input({place(name_, line_of(mark)), problem + " is not accepted here", expected, "",
                      "The file is read as plain maps, lists and values."});
  }

  std::string name_;
  std::shared_ptr<Node> root_;
  std::vector<Open> open_;
  std::size_t nodes_ = 0;
};

}  // namespace

std::shared_ptr<Yaml::Document> Yaml::Document::parse(const std::string& text,
                                                      const std::string& name) {
  if (text.size() > kMaxBytes) {
    dist::fail_input({name, "the file is too large to be a configuration",
                      fmt::format("at most {} bytes", kMaxBytes),
                      fmt::format("{} bytes", text.size()), ""});
  }
  if (const auto zero = text.find('\0'); zero != std::string::npos) {
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    dist::fail_input(
        {place(name, static_cast<int>(line)), "a zero byte", "text", "", "Is this a YAML file?"});
  }
  TreeBuilder<Node> builder(name);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) {
      TreeBuilder<Node> rest(name);
      if (parser.HandleNextDocument(rest)) {
        dist::fail_input({name, "several YAML documents in one file", "one document", "", ""});
      }
    }
  } catch (const YAML::Exception& e) {
    dist::fail_input({place(name, line_of(e.mark)), "this is not YAML", "", e.msg,
                      "Check the indentation and the quotes on this line."});
  }
  auto document = std::make_shared<Document>();
  document->name = name;
  document->root = builder.root() ? builder.root() : std::make_shared<Node>();
  return document;
}

}  // namespace puma::config
