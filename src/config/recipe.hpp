// SPDX-License-Identifier: Apache-2.0
// How a sparse autoencoder is trained: every choice on which the paper and the released code
// differ, and every number they share. One field is declared once, in recipe.cpp: name, member,
// unit and meaning feed the YAML reader, --help, the dump and the task id.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/yaml.hpp"

namespace puma::config {

enum class Anneal { linear, cosine, off };
enum class AuxActivation { softplus, relu, gao, off };
enum class Stage3Trains { encoder, all };
enum class Validation { slice, split };

struct Recipe {
  std::string preset = "paper";
  // Model (paper 3.2)
  std::int64_t expansion = 16;  // dictionary size D = expansion * d
  bool centre =
      false;  // h = ReLU(W (x - b_dec) + b_enc) as released, instead of the paper's W x + b_enc
  // Steps and rates (paper, appendix "Optimization")
  std::int64_t stage2_steps = 40000;
  std::int64_t stage3_steps = 5000;
  double stage2_lr = 3e-4;
  double stage3_lr = 1e-4;
  std::int64_t stage2_warmup = 1000;  // steps; when stage2_steps is changed and this is not, it
                                      // scales with it (round, at least 1)
  std::int64_t stage3_warmup = 500;
  std::int64_t batch = 64;
  double weight_decay = 1e-2;  // Stage 2, decoupled, on every parameter
  double stage3_weight_decay = 1e-2;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double clip_norm = 1.0;  // global gradient norm; 0 = off
  Stage3Trains stage3_trains = Stage3Trains::encoder;
  // Support (paper 3.4)
  Anneal anneal = Anneal::linear;
  std::int64_t k_init = 0;  // 0: max(k, min(max(256, 2k), D / 4))
  // Losses (paper, Tab. 11)
  double stage2_reconstruction = 1.0, stage2_distillation = 0.3, stage2_contrastive = 0.05,
         stage2_aux = 1.0 / 32;
  double stage3_contrastive = 1.0, stage3_reconstruction = 0.1, stage3_distillation = 0.05;
  double temperature = 0.05;
  // Feature revival
  AuxActivation aux = AuxActivation::softplus;
  bool aux_bias = false;  // adds b_dec to the AuxK reconstruction, as released
  std::int64_t aux_k = 512;
  std::int64_t dead_after = 1000;  // tracker ticks (two a Stage 2 step); scales like the warm-ups
  // Data
  std::int64_t negatives = 4;                 // hard or random negatives a query, Stage 3
  Validation validation = Validation::slice;  // slice: of the training queries (both); split: the
                                              // data set's own val split
  double validation_fraction = 0.1;           // of the training queries, with validation: slice
  std::int64_t validation_cap = 0;            // at most so many validation queries; 0 = all
  std::int64_t stage3_validations = 5;  // evaluations in Stage 3: every steps/5, and the last step
  // Machine: these change the bits of a result, so they are part of its name
  std::int64_t threads = 1;
  std::string device = "cpu";

  bool operator==(const Recipe&) const = default;
};

// "paper": the paper where it speaks, the released code where it is silent. "released": the
// published code with the steps of its README.
Recipe recipe_preset(const std::string& name);
std::vector<std::string> recipe_presets();

// A map like {preset: paper, stage2_steps: 2000}. Shortened steps scale the warm-ups and dead_after
// unless these are given. Cross-field rules (steps >= 0, 0 <= fractions < 1, ...) are checked here,
// with the line.
Recipe read_recipe(const Yaml& node);
// The same with maps laid over it, the last one on top: `--recipe FILE --set key=value`.
Recipe read_recipe(const Yaml& node, const std::vector<Yaml>& overrides);

// The presets as files: configs/recipes/<name>.yaml hold every field; read_recipe of that file
// equals recipe_preset(name).
std::string recipe_yaml(const Recipe& recipe);

// Every field under its name, sorted; from_json is its inverse and refuses unknown or missing
// names.
nlohmann::json recipe_json(const Recipe& recipe);
Recipe recipe_from_json(const nlohmann::json& json);

// One line a field for --help: name, default, unit, meaning.
std::string recipe_help();

}  // namespace puma::config
