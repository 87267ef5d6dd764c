// SPDX-License-Identifier: Apache-2.0
// The parts of inspect_file, by the look of a file's first bytes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace puma::data::detail {

nlohmann::json inspect_hdf5(const std::filesystem::path& file);  // dense cache, code cache, run
nlohmann::json inspect_checkpoint(const std::filesystem::path& file);
nlohmann::json inspect_vectors(const std::filesystem::path& file);  // npy, raw float32
nlohmann::json inspect_json(const std::filesystem::path& file);     // begins with { or [
nlohmann::json inspect_text(const std::filesystem::path& file);  // YAML, qrels, negatives, TREC run

// The input error that lists what is known.
[[noreturn]] void fail_unknown_kind(const std::filesystem::path& file, const std::string& found);

}  // namespace puma::data::detail
