// SPDX-License-Identifier: Apache-2.0
#include "model/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "data/safetensors.hpp"
#include "dist/error.hpp"

namespace puma::model {

namespace {

constexpr const char* kFormat = "puma checkpoint 1";

const std::string& field(const std::map<std::string, std::string>& metadata,
                         const std::string& name, const std::filesystem::path& file) {
  const auto it = metadata.find(name);
  if (it == metadata.end()) {
    dist::fail_input({file.string(), "the metadata has no '" + name + "'",
                      "a checkpoint written by puma train", "another safetensors file", ""});
  }
  return it->second;
}

template <class T>
T number(const std::map<std::string, std::string>& metadata, const std::string& name,
         const std::filesystem::path& file) {
  const std::string& text = field(metadata, name, file);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    dist::fail_input(
        {file.string(), "the metadata's '" + name + "' is damaged", "a number", text, ""});
  }
  return value;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::vector<float> weights(const data::SafetensorsFile& file, const std::string& name,
                           const std::vector<std::int64_t>& shape) {
  const data::TensorView& tensor = file.tensor(name);
  if (tensor.dtype != "F32" || tensor.shape != shape) {
    dist::fail_input({file.file().string(), name + " has another type or shape",
                      "F32 " + shape_text(shape), tensor.dtype + " " + shape_text(tensor.shape),
                      "Is it a checkpoint of another model?"});
  }
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  if (bad != values.end()) {
    dist::fail_input({file.file().string(), name + " holds a value that is not finite",
                      "finite weights", fmt::format("{} at element {}", *bad, bad - values.begin()),
                      "The training diverged or the file is damaged."});
  }
  return values;
}

data::TensorView view(std::span<const float> values, std::vector<std::int64_t> shape) {
  return {"F32", std::move(shape), std::as_bytes(values)};
}

}  // namespace

std::string CheckpointInfo::selected() const {
  return stage == 0 ? "initial weights" : fmt::format("stage {} step {}", stage, step);
}

std::map<std::string, std::string> checkpoint_metadata(const CheckpointInfo& info) {
  return {{"format", kFormat},
          {"recipe", config::recipe_json(info.recipe).dump()},
          {"k", fmt::format("{}", info.k)},
          {"seed", fmt::format("{}", info.seed)},
          {"stage", fmt::format("{}", info.stage)},
          {"step", fmt::format("{}", info.step)},
          {"selected", info.selected()},
          {"validation_ndcg10", fmt::format("{}", info.ndcg10)},
          {"data_checksum", info.data_checksum},
          {"description", info.description}};
}

CheckpointInfo checkpoint_info(const std::map<std::string, std::string>& metadata,
                               const std::filesystem::path& file) {
  if (const std::string& format = field(metadata, "format", file); format != kFormat) {
    dist::fail_input({file.string(), "unknown checkpoint format", kFormat, format, ""});
  }
  CheckpointInfo info;
  const auto json = nlohmann::json::parse(field(metadata, "recipe", file), nullptr, false);
  if (json.is_discarded()) {
    dist::fail_input({file.string(), "the metadata's 'recipe' is damaged", "JSON",
                      field(metadata, "recipe", file).substr(0, 40), ""});
  }
  info.recipe = config::recipe_from_json(json);
  info.k = number<std::int64_t>(metadata, "k", file);
  info.seed = number<std::uint64_t>(metadata, "seed", file);
  info.stage = number<int>(metadata, "stage", file);
  info.step = number<std::int64_t>(metadata, "step", file);
  info.ndcg10 = number<double>(metadata, "validation_ndcg10", file);
  info.data_checksum = field(metadata, "data_checksum", file);
  info.description = field(metadata, "description", file);
  return info;
}

void write_checkpoint(const std::filesystem::path& file, const CheckpointInfo& info,
                      const WeightSpans& weights) {
  const std::int64_t d = weights.dim, D = weights.dictionary;
  data::write_safetensors(file,
                          {{"W_enc", view(weights.W_enc, {D, d})},
                           {"W_dec", view(weights.W_dec, {D, d})},
                           {"b_enc", view(weights.b_enc, {D})},
                           {"b_dec", view(weights.b_dec, {d})}},
                          checkpoint_metadata(info));
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  const data::SafetensorsFile tensors(file);
  Checkpoint checkpoint;
  checkpoint.info = checkpoint_info(tensors.metadata(), file);
  const data::TensorView& first = tensors.tensor("W_enc");
  if (first.shape.size() != 2 || first.shape[0] < 1 || first.shape[1] < 1) {
    dist::fail_input(
        {file.string(), "W_enc is no matrix", "[dictionary, dim]", shape_text(first.shape), ""});
  }
  const std::int64_t D = checkpoint.dictionary = first.shape[0];
  const std::int64_t d = checkpoint.dim = first.shape[1];
  checkpoint.W_enc = weights(tensors, "W_enc", {D, d});
  checkpoint.W_dec = weights(tensors, "W_dec", {D, d});
  checkpoint.b_enc = weights(tensors, "b_enc", {D});
  checkpoint.b_dec = weights(tensors, "b_dec", {d});
  return checkpoint;
}

}  // namespace puma::model
