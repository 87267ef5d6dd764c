// SPDX-License-Identifier: Apache-2.0
// The one list of a recipe's fields: name, member, bounds, unit and meaning. The YAML reader, the
// dump, the JSON of the task id and --help all walk it, so that no field can be read and not
// written, or documented and not read.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "config/recipe.hpp"

namespace puma::config::detail {

using RecipeMember = std::variant<std::int64_t Recipe::*, double Recipe::*, bool Recipe::*,
                                  std::string Recipe::*, Anneal Recipe::*, AuxActivation Recipe::*,
                                  Stage3Trains Recipe::*, Validation Recipe::*>;

struct RecipeField {
  std::string name;
  RecipeMember member;
  double least = 0;  // numbers: least <= value <= most, or least < value where `open`
  double most = std::numeric_limits<double>::max();
  enum class Least { allowed, excluded } at_least = Least::allowed;
  enum class Most { allowed, excluded } at_most = Most::allowed;
  std::string unit;
  std::string meaning;

  std::string bounds() const;  // "a number above 0"
  bool in_bounds(double value) const;
};

const std::vector<RecipeField>& recipe_fields();
const RecipeField* find_recipe_field(const std::string& name);

// The names of an enum's values, in the order of the enum.
const std::vector<std::string>& value_names(Anneal);
const std::vector<std::string>& value_names(AuxActivation);
const std::vector<std::string>& value_names(Stage3Trains);
const std::vector<std::string>& value_names(Validation);

// The field's value as text: what recipe_yaml and --help print.
std::string field_text(const RecipeField& field, const Recipe& recipe);

}  // namespace puma::config::detail
