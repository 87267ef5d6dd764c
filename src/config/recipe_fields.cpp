// SPDX-License-Identifier: Apache-2.0
#include "config/recipe_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace puma::config::detail {

namespace {

using Least = RecipeField::Least;
using Most = RecipeField::Most;
constexpr double kMost = std::numeric_limits<double>::max();
// Step numbers are counters of 32 bits in the random numbers, and rows are 32 bits wide.
constexpr double kCount = 2147483647.0;

RecipeField count(std::string name, std::int64_t Recipe::*member, double least, std::string unit,
                  std::string meaning, double most = kCount) {
  return {std::move(name), member,        least,           most,
          Least::allowed,  Most::allowed, std::move(unit), std::move(meaning)};
}

RecipeField weight(std::string name, double Recipe::*member, std::string meaning,
                   std::string unit = "weight") {
  return {std::move(name),   member, 0, kMost, Least::allowed, Most::allowed, std::move(unit),
          std::move(meaning)};
}

RecipeField positive(std::string name, double Recipe::*member, std::string unit,
                     std::string meaning) {
  return {std::move(name),   member, 0, kMost, Least::excluded, Most::allowed, std::move(unit),
          std::move(meaning)};
}

RecipeField share(std::string name, double Recipe::*member, std::string meaning) {
  return {std::move(name), member,         0,       1,
          Least::allowed,  Most::excluded, "share", std::move(meaning)};
}

template <class Member>
RecipeField choice(std::string name, Member member, std::string meaning) {
  return {std::move(name), member,        0,        kMost,
          Least::allowed,  Most::allowed, "choice", std::move(meaning)};
}

std::vector<RecipeField> make_fields() {
  using R = Recipe;
  return {
      choice("preset", &R::preset, "where the fields not given come from: paper or released"),
      count("expansion", &R::expansion, 1, "times d", "dictionary size D = expansion * d", 4096),
      choice("centre", &R::centre,
             "encode W (x - b_dec) + b_enc (released) instead of W x + b_enc (paper)"),
      count("stage2_steps", &R::stage2_steps, 0, "steps", "length of Stage 2; 0 leaves it out"),
      count("stage3_steps", &R::stage3_steps, 0, "steps", "length of Stage 3; 0 leaves it out"),
      weight("stage2_lr", &R::stage2_lr, "largest learning rate of Stage 2", "rate"),
      weight("stage3_lr", &R::stage3_lr, "largest learning rate of Stage 3", "rate"),
      count("stage2_warmup", &R::stage2_warmup, 0, "steps",
            "linear warm-up of Stage 2; scales with stage2_steps unless given"),
      count("stage3_warmup", &R::stage3_warmup, 0, "steps",
            "linear warm-up of Stage 3; scales with stage3_steps unless given"),
      count("batch", &R::batch, 1, "queries", "batch size; the short last batch is kept", 1 << 20),
      weight("weight_decay", &R::weight_decay,
             "AdamW's decoupled decay in Stage 2, on every parameter", "rate"),
      weight("stage3_weight_decay", &R::stage3_weight_decay, "the same in Stage 3", "rate"),
      share("beta1", &R::beta1, "AdamW's decay of the first moment"),
      share("beta2", &R::beta2, "AdamW's decay of the second moment"),
      positive("epsilon", &R::epsilon, "number", "AdamW's epsilon"),
      weight("clip_norm", &R::clip_norm, "largest global gradient norm; 0 = no clipping", "norm"),
      choice("stage3_trains", &R::stage3_trains,
             "encoder (paper: W_enc, b_enc) or all parameters (released)"),
      choice("anneal", &R::anneal,
             "how k falls from k_init in Stage 2: linear (paper), cosine (released) or off"),
      count("k_init", &R::k_init, 0, "atoms",
            "support at the start; 0 = max(k, min(max(256, 2k), D/4))"),
      weight("stage2_reconstruction", &R::stage2_reconstruction, "1 - cosine(x, decoded)"),
      weight("stage2_distillation", &R::stage2_distillation,
             "squared difference of sparse and dense scores of the positive pairs"),
      weight("stage2_contrastive", &R::stage2_contrastive, "InfoNCE over the batch"),
      weight("stage2_aux", &R::stage2_aux, "AuxK, which revives dead atoms"),
      weight("stage3_contrastive", &R::stage3_contrastive, "InfoNCE over the batch and negatives"),
      weight("stage3_reconstruction", &R::stage3_reconstruction, "as in Stage 2"),
      weight("stage3_distillation", &R::stage3_distillation, "as in Stage 2"),
      positive("temperature", &R::temperature, "number", "InfoNCE's temperature"),
      choice(
          "aux", &R::aux,
          "AuxK's activation: softplus (released), relu, gao (relu, no bias, normalised) or off"),
      choice("aux_bias", &R::aux_bias, "add b_dec to what AuxK decodes (released)"),
      count("aux_k", &R::aux_k, 1, "atoms", "dead atoms a row that AuxK activates"),
      count("dead_after", &R::dead_after, 0, "ticks",
            "an atom unused for more ticks (two a step) is dead; scales with stage2_steps unless "
            "given"),
      count("negatives", &R::negatives, 0, "candidates",
            "hard negatives a query in Stage 3, topped up with random ones", 1 << 16),
      choice(
          "validation", &R::validation,
          "what selects the checkpoint: slice (of the training queries) or split (the data set's "
          "own val split)"),
      share("validation_fraction", &R::validation_fraction,
            "of the training queries, held out to select the checkpoint; 0 = keep the last one"),
      count("validation_cap", &R::validation_cap, 0, "queries",
            "at most so many validation queries; 0 = all"),
      count("stage3_validations", &R::stage3_validations, 1, "times",
            "evaluations in Stage 3, every stage3_steps / this, and after the last step"),
      count("threads", &R::threads, 1, "threads",
            "CPU threads of one training; changes the last bits of a result", 1024),
      choice("device", &R::device, "cpu or cuda; changes the last bits of a result"),
  };
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}

}  // namespace

std::string RecipeField::bounds() const {
  const bool whole = std::holds_alternative<std::int64_t Recipe::*>(member);
  std::string text = whole ? "a whole number" : "a number";
  text += at_least == Least::excluded ? " above " : " of at least ";
  text += number_text(least);
  if (most < (whole ? kCount : kMost)) {
    text += at_most == Most::excluded ? " and below " : " and at most ";
    text += number_text(most);
  }
  return text;
}

bool RecipeField::in_bounds(double value) const {
  const bool low = at_least == Least::excluded ? value > least : value >= least;
  const bool high = at_most == Most::excluded ? value < most : value <= most;
  return low && high;  // false for NaN
}

const std::vector<RecipeField>& recipe_fields() {
  static const std::vector<RecipeField> fields = make_fields();
  return fields;
}

const RecipeField* find_recipe_field(const std::string& name) {
  const auto& fields = recipe_fields();
  const auto it =
      std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.name == name; });
  return it == fields.end() ? nullptr : &*it;
}

const std::vector<std::string>& value_names(Anneal) {
  static const std::vector<std::string> names{"linear", "cosine", "off"};
  return names;
}
const std::vector<std::string>& value_names(AuxActivation) {
  static const std::vector<std::string> names{"softplus", "relu", "gao", "off"};
  return names;
}
const std::vector<std::string>& value_names(Stage3Trains) {
  static const std::vector<std::string> names{"encoder", "all"};
  return names;
}

const std::vector<std::string>& value_names(Validation) {
  static const std::vector<std::string> names{"slice", "split"};
  return names;
}

std::string field_text(const RecipeField& field, const Recipe& recipe) {
  return std::visit(
      [&](auto member) -> std::string {
        const auto& value = recipe.*member;
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, bool>) {
          return value ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::string>) {
          return value;
        } else if constexpr (std::is_enum_v<T>) {
          return value_names(value)[static_cast<std::size_t>(value)];
        } else {
          return fmt::format("{}", value);
        }
      },
      field.member);
}

}  // namespace puma::config::detail
