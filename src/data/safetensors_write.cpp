// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>

#include "data/safetensors.hpp"
#include "data/safetensors_dtype.hpp"
#include "dist/error.hpp"
#include "dist/files.hpp"

namespace puma::data {
namespace {

using Tensor = std::pair<const std::string, TensorView>;

// Larger elements first: from a start that is a multiple of 8 every tensor is aligned, without
// holes.
std::vector<const Tensor*> in_file_order(const std::map<std::string, TensorView>& tensors) {
  std::vector<const Tensor*> order;
  for (const Tensor& tensor : tensors) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(), [](const Tensor* a, const Tensor* b) {
    return safetensors_element_bytes(a->second.dtype) > safetensors_element_bytes(b->second.dtype);
  });
  return order;
}

std::string header_for(const std::vector<const Tensor*>& order,
                       const std::map<std::string, std::string>& metadata) {
  nlohmann::json header = nlohmann::json::object();  // keeps its keys sorted
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const Tensor* tensor : order) {
    const TensorView& view = tensor->second;
    const std::uint64_t end = offset + view.bytes.size();
    header[tensor->first] = {
        {"dtype", view.dtype}, {"shape", view.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // 8 bytes of length + this: the data begin aligned
  return text;
}

// The temporary disappears unless it was published.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target) : path_(dist::temporary_name(target)) {}
  ~Temporary() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

void write_safetensors(const std::filesystem::path& file,
                       const std::map<std::string, TensorView>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  for (const auto& [name, view] : tensors) {
    const int element = safetensors_element_bytes(view.dtype);
    PUMA_EXPECT(element > 0 && name != "__metadata__");
    PUMA_EXPECT(static_cast<std::int64_t>(view.bytes.size()) == view.elements() * element);
  }
  const std::vector<const Tensor*> order = in_file_order(tensors);
  const std::string header = header_for(order, metadata);
  const std::uint64_t length = header.size();

  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  const Temporary temporary(file);
  std::ofstream out(temporary.path(), std::ios::binary | std::ios::trunc);
  const auto put = [&](const void* bytes, std::size_t size) {
    out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    if (!out) dist::fail_errno("write", file.string());
  };
  if (!out) dist::fail_errno("open", temporary.path().string());
  put(&length, sizeof(length));
  put(header.data(), header.size());
  for (const Tensor* tensor : order) put(tensor->second.bytes.data(), tensor->second.bytes.size());
  out.close();
  if (!out) dist::fail_errno("close", file.string());
  dist::publish(temporary.path(), file);
}

}  // namespace puma::data
