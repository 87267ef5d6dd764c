// SPDX-License-Identifier: Apache-2.0
// The one fact about embeddings that planning needs: how long a vector is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace puma::study {

// Columns of a real .npy matrix, from its header. Nothing where the file does not say so (raw
// memory maps): the job finds out.
std::optional<std::int64_t> npy_width(const std::filesystem::path& file);

}  // namespace puma::study
