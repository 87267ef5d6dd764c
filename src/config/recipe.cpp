// SPDX-License-Identifier: Apache-2.0
#include "config/recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

#include "config/recipe_fields.hpp"
#include "dist/error.hpp"

namespace puma::config {

using detail::RecipeField;

namespace {

// A shortened stage keeps the proportions of the published schedule.
std::int64_t scaled(std::int64_t value, std::int64_t steps, std::int64_t preset_steps) {
  const double share = static_cast<double>(steps) / static_cast<double>(preset_steps);
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(value) * share));
}

void read_field(const RecipeField& field, const Yaml& node, Recipe& recipe) {
  std::visit(
      [&](auto member) {
        auto& value = recipe.*member;
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, bool>) {
          value = node.boolean();
        } else if constexpr (std::is_same_v<T, std::string>) {
          value = node.text();
        } else if constexpr (std::is_enum_v<T>) {
          const auto& names = detail::value_names(value);
          const auto it = std::find(names.begin(), names.end(), node.text());
          if (it == names.end()) {
            node.fail("unknown value", "one of " + fmt::format("{}", fmt::join(names, ", ")),
                      node.text());
          }
          value = static_cast<T>(it - names.begin());
        } else {
          if constexpr (std::is_same_v<T, double>) {
            value = node.number();
          } else {
            value = node.integer();
          }
          if (!field.in_bounds(static_cast<double>(value))) {
            node.fail("value out of range", field.bounds(), node.text());
          }
        }
      },
      field.member);
}

// Rules over several fields, each told at the field that a user would change.
void check_rules(const Recipe& recipe, const std::function<Yaml(const std::string&)>& at) {
  const auto refuse = [&](const std::string& name, const std::string& problem,
                          const std::string& expected,
                          const std::string& found) { at(name).fail(problem, expected, found); };
  if (recipe.stage2_steps == 0 && recipe.stage3_steps == 0) {
    refuse("stage2_steps", "nothing to train", "steps in Stage 2 or in Stage 3", "0 and 0");
  }
  if (recipe.device != "cpu" && recipe.device != "cuda") {
    refuse("device", "unknown device", "cpu or cuda", recipe.device);
  }
  if (recipe.stage2_steps > 0 && recipe.stage2_warmup > recipe.stage2_steps) {
    refuse("stage2_warmup", "the warm-up is longer than Stage 2",
           fmt::format("at most {} steps", recipe.stage2_steps),
           fmt::format("{}", recipe.stage2_warmup));
  }
  if (recipe.stage3_steps > 0 && recipe.stage3_warmup > recipe.stage3_steps) {
    refuse("stage3_warmup", "the warm-up is longer than Stage 3",
           fmt::format("at most {} steps", recipe.stage3_steps),
           fmt::format("{}", recipe.stage3_warmup));
  }
}

}  // namespace

std::vector<std::string> recipe_presets() {
  return {"paper", "released"};
}

Recipe recipe_preset(const std::string& name) {
  Recipe recipe;  // the defaults of the struct are the paper's
  recipe.preset = name;
  if (name == "paper") return recipe;
  if (name == "released") {
    recipe.centre = true;
    recipe.aux_bias = true;
    recipe.batch = 512;
    recipe.weight_decay = 1e-5;
    recipe.anneal = Anneal::cosine;
    recipe.stage3_trains = Stage3Trains::all;
    recipe.validation_fraction = 0.02;
    recipe.validation_cap = 500;
    return recipe;
  }
  dist::fail_usage(fmt::format("unknown recipe preset '{}'", name),
                   fmt::format("expected one of {}", fmt::join(recipe_presets(), ", ")));
}

Recipe read_recipe(const Yaml& node) {
  return read_recipe(node, {});
}

Recipe read_recipe(const Yaml& node, const std::vector<Yaml>& overrides) {
  std::vector<std::string> names;
  for (const RecipeField& field : detail::recipe_fields()) names.push_back(field.name);

  std::string preset = "paper";
  if (node.is_scalar()) {
    preset = node.text();
  } else if (!node.is_null()) {
    node.expect_keys(names);
  }
  for (const Yaml& layer : overrides) layer.expect_keys(names);
  const auto given = [&](const std::string& name) {
    for (auto layer = overrides.rbegin(); layer != overrides.rend(); ++layer) {
      if (layer->has(name)) return true;
    }
    return node.is_map() && node.has(name);
  };
  const auto at = [&](const std::string& name) {
    for (auto layer = overrides.rbegin(); layer != overrides.rend(); ++layer) {
      if (layer->has(name)) return layer->at(name);
    }
    return node.is_map() && node.has(name) ? node.at(name) : node;
  };

  if (given("preset")) preset = at("preset").text();
  const std::vector<std::string> presets = recipe_presets();
  if (std::find(presets.begin(), presets.end(), preset) == presets.end()) {
    at("preset").fail("unknown recipe preset", fmt::format("one of {}", fmt::join(presets, ", ")),
                      preset);
  }
  const Recipe base = recipe_preset(preset);
  Recipe recipe = base;
  for (const RecipeField& field : detail::recipe_fields()) {
    if (field.name != "preset" && given(field.name)) read_field(field, at(field.name), recipe);
  }
  if (recipe.stage2_steps != base.stage2_steps) {
    if (!given("stage2_warmup")) {
      recipe.stage2_warmup = scaled(base.stage2_warmup, recipe.stage2_steps, base.stage2_steps);
    }
    if (!given("dead_after")) {
      recipe.dead_after = scaled(base.dead_after, recipe.stage2_steps, base.stage2_steps);
    }
  }
  if (recipe.stage3_steps != base.stage3_steps && !given("stage3_warmup")) {
    recipe.stage3_warmup = scaled(base.stage3_warmup, recipe.stage3_steps, base.stage3_steps);
  }
  check_rules(recipe, at);
  return recipe;
}

}  // namespace puma::config
