// SPDX-License-Identifier: Apache-2.0
// What a file is, whichever of ours (or of those we import) it may be.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace puma::data {

// {"kind": "dense cache" | "code cache" | "run" | "checkpoint" | "npy" | "raw float32" | "qrels" |
// "negatives" | "trec run" | "measures" | "manifest" | ..., facts...}. Code caches add storage
// accounting: bytes a vector as stored, with 32-bit, 16-bit and compact ids (paper Tab. 5), and
// with a presence bitmap. Verifies checksums. Unknown files are input errors that list what is
// known.
nlohmann::json inspect_file(const std::filesystem::path& file);

}  // namespace puma::data
