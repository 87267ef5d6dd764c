// SPDX-License-Identifier: Apache-2.0
// A recipe as YAML, as JSON and as help: three walks over the one list of fields.
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "config/recipe.hpp"
#include "config/recipe_fields.hpp"
#include "dist/error.hpp"

namespace puma::config {

using detail::RecipeField;

std::string recipe_yaml(const Recipe& recipe) {
  std::string text = "# SPDX-License-Identifier: Apache-2.0\n";
  for (const RecipeField& field : detail::recipe_fields()) {
    text += fmt::format("{:<32}# {}: {}\n",
                        fmt::format("{}: {}", field.name, detail::field_text(field, recipe)),
                        field.unit, field.meaning);
  }
  return text;
}

nlohmann::json recipe_json(const Recipe& recipe) {
  nlohmann::json json = nlohmann::json::object();
  for (const RecipeField& field : detail::recipe_fields()) {
    std::visit(
        [&](auto member) {
          const auto& value = recipe.*member;
          if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>) {
            json[field.name] = detail::field_text(field, recipe);
          } else {
            json[field.name] = value;
          }
        },
        field.member);
  }
  return json;
}

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& problem,
                         const std::string& expected, const nlohmann::json& found) {
  dist::fail_input({"recipe." + name, problem, expected, found.dump(),
                    "The recipe was written by another version, or the file is damaged."});
}

// Whether `json` can hold the type without losing anything.
template <class T>
bool holds(const nlohmann::json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, std::int64_t>) return json.is_number_integer();
  if constexpr (std::is_same_v<T, double>) return json.is_number();
  return json.is_string();
}

void set_field(const RecipeField& field, const nlohmann::json& json, Recipe& recipe) {
  std::visit(
      [&](auto member) {
        auto& value = recipe.*member;
        using T = std::decay_t<decltype(value)>;
        if (!holds<T>(json)) refuse(field.name, "wrong type", field.unit, json);
        if constexpr (std::is_enum_v<T>) {
          const auto& names = detail::value_names(value);
          const auto it = std::find(names.begin(), names.end(), json.get<std::string>());
          if (it == names.end()) {
            refuse(field.name, "unknown value", fmt::format("one of {}", fmt::join(names, ", ")),
                   json);
          }
          value = static_cast<T>(it - names.begin());
        } else {
          value = json.get<T>();
          if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>) {
            if (!field.in_bounds(static_cast<double>(value))) {
              refuse(field.name, "value out of range", field.bounds(), json);
            }
          }
        }
      },
      field.member);
}

}  // namespace

Recipe recipe_from_json(const nlohmann::json& json) {
  if (!json.is_object()) {
    dist::fail_input({"recipe", "not an object", "every field", json.dump(), ""});
  }
  for (const auto& [name, value] : json.items()) {
    if (detail::find_recipe_field(name) == nullptr) {
      refuse(name, "unknown field", "a field of a recipe", value);
    }
  }
  Recipe recipe;
  for (const RecipeField& field : detail::recipe_fields()) {
    if (!json.contains(field.name)) refuse(field.name, "missing field", "every field", nullptr);
    set_field(field, json.at(field.name), recipe);
  }
  return recipe;
}

std::string recipe_help() {
  std::string text;
  const Recipe paper = recipe_preset("paper");
  const Recipe released = recipe_preset("released");
  for (const RecipeField& field : detail::recipe_fields()) {
    const std::string first = detail::field_text(field, paper);
    const std::string second = detail::field_text(field, released);
    const std::string value = first == second ? first : first + " | " + second;
    text +=
        fmt::format("  {:<22} {:<18} {:<11} {}\n", field.name, value, field.unit, field.meaning);
  }
  return text;
}

}  // namespace puma::config
