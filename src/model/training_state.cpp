// SPDX-License-Identifier: Apache-2.0
#include "model/training_state.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "data/safetensors.hpp"
#include "dist/error.hpp"
#include "dist/log.hpp"

namespace puma::model::detail {

namespace {

constexpr const char* kFormat = "puma training state 1";
const char* const kNames[] = {"W_enc", "W_dec", "b_enc", "b_dec"};

at::Tensor on_cpu(const at::Tensor& tensor) {
  return tensor.detach().to(at::kCPU).contiguous();
}

// Tensors by name, kept alive while their bytes are written.
class TensorSet {
 public:
  void add(const std::string& name, const at::Tensor& tensor) {
    kept_.push_back(on_cpu(tensor));
    const at::Tensor& t = kept_.back();
    views_[name] = {t.scalar_type() == at::kLong ? "I64" : "F32", t.sizes().vec(), bytes_of(t)};
  }
  const std::map<std::string, data::TensorView>& views() const { return views_; }

 private:
  std::vector<at::Tensor> kept_;
  std::map<std::string, data::TensorView> views_;
};

std::span<const float> floats(const at::Tensor& tensor) {
  return {tensor.const_data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

// A saved tensor copied into `target`, whose type and shape it must have.
void read_into(const data::SafetensorsFile& file, const std::string& name, at::Tensor target) {
  const data::TensorView& view = file.tensor(name);
  const bool whole = target.scalar_type() == at::kLong;
  if (view.dtype != (whole ? "I64" : "F32") || view.shape != target.sizes().vec()) {
    dist::fail_input({file.file().string(), name + " has another type or shape",
                      "the state of this training", view.dtype, ""});
  }
  at::Tensor values = at::empty(target.sizes(), at::TensorOptions().dtype(target.scalar_type()));
  std::memcpy(values.mutable_data_ptr(), view.bytes.data(), view.bytes.size());
  const at::NoGradGuard no_grad;
  target.copy_(values);
}

std::string prefixed(const char* prefix, const std::string& name) {
  return prefix + name;
}

// One flat map from two: "best.k" beside "k".
std::map<std::string, std::string> position_metadata(const TrainingPosition& position) {
  std::map<std::string, std::string> metadata = checkpoint_metadata(position.here);
  for (const auto& [name, value] : checkpoint_metadata(position.best)) {
    metadata["best." + name] = value;
  }
  metadata["state"] = kFormat;
  return metadata;
}

TrainingPosition read_position(const data::SafetensorsFile& file) {
  const auto state = file.metadata().find("state");
  if (state == file.metadata().end() || state->second != kFormat) {
    dist::fail_input({file.file().string(), "unknown format", kFormat,
                      state == file.metadata().end() ? "none" : state->second, ""});
  }
  TrainingPosition position;
  position.here = checkpoint_info(file.metadata(), file.file());
  std::map<std::string, std::string> best;
  for (const auto& [name, value] : file.metadata()) {
    if (name.starts_with("best.")) best[name.substr(5)] = value;
  }
  position.best = checkpoint_info(best, file.file());
  return position;
}

bool same_training(const CheckpointInfo& a, const CheckpointInfo& b) {
  return a.recipe == b.recipe && a.k == b.k && a.seed == b.seed &&
         a.data_checksum == b.data_checksum;
}

}  // namespace

void save_training(const std::filesystem::path& file, const TrainingPosition& position,
                   Autoencoder& model, Stage& stage) {
  TensorSet tensors;
  auto name = std::begin(kNames);
  for (const at::Tensor* parameter : model.parameters()) tensors.add(*name++, *parameter);
  tensors.add("idle", model.idle);
  for (const Moments& m : stage.moments()) {
    tensors.add(prefixed("first.", m.name), m.first);
    tensors.add(prefixed("second.", m.name), m.second);
  }
  data::write_safetensors(file, tensors.views(), position_metadata(position));
}

std::optional<SavedTraining> SavedTraining::open(const std::filesystem::path& file,
                                                 const CheckpointInfo& expected) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    SavedTraining saved{data::SafetensorsFile(file)};
    saved.position_ = read_position(saved.file_);
    if (same_training(saved.position_.here, expected)) return saved;
    dist::log_local(dist::LogLevel::warning,
                    fmt::format("{} is of another training (recipe, k, seed or data differ): "
                                "starting anew",
                                file.string()));
  } catch (const dist::Error& error) {
    dist::log_local(dist::LogLevel::warning,
                    fmt::format("cannot resume, starting anew: {}", error.what()));
  }
  return std::nullopt;
}

std::optional<CheckpointInfo> published_checkpoint(const std::filesystem::path& file,
                                                   const CheckpointInfo& expected) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    const CheckpointInfo info = read_checkpoint(file).info;
    if (same_training(info, expected)) return info;
  } catch (const dist::Error& error) {
    dist::log_local(dist::LogLevel::warning,
                    fmt::format("the old checkpoint is replaced: {}", error.what()));
  }
  return std::nullopt;
}

Autoencoder SavedTraining::model(bool centre, at::Device device) const {
  const std::vector<std::int64_t>& shape = file_.tensor("W_enc").shape;
  if (shape.size() != 2) {
    dist::fail_input({file_.file().string(), "W_enc is no matrix", "[dictionary, dim]", "", ""});
  }
  const auto options = at::TensorOptions().dtype(at::kFloat).device(device);
  Autoencoder model;
  model.W_enc = at::empty({shape[0], shape[1]}, options);
  model.W_dec = at::empty({shape[0], shape[1]}, options);
  model.b_enc = at::empty({shape[0]}, options);
  model.b_dec = at::empty({shape[1]}, options);
  model.idle = at::empty({shape[0]}, options.dtype(at::kLong));
  model.centre = centre;
  auto name = std::begin(kNames);
  for (const at::Tensor* parameter : model.parameters()) read_into(file_, *name++, *parameter);
  read_into(file_, "idle", model.idle);
  return model;
}

void SavedTraining::restore(Stage& stage) const {
  for (const Moments& m : stage.moments()) {
    read_into(file_, prefixed("first.", m.name), m.first);
    read_into(file_, prefixed("second.", m.name), m.second);
  }
  stage.set_steps_done(position_.here.step);
}

void save_weights(const std::filesystem::path& file, const CheckpointInfo& info,
                  Autoencoder& model) {
  const at::Tensor W_enc = on_cpu(model.W_enc), W_dec = on_cpu(model.W_dec);
  const at::Tensor b_enc = on_cpu(model.b_enc), b_dec = on_cpu(model.b_dec);
  write_checkpoint(file, info,
                   {model.dim(), model.dictionary(), floats(W_enc), floats(W_dec), floats(b_enc),
                    floats(b_dec)});
}

}  // namespace puma::model::detail
