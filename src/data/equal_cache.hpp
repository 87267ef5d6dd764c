// SPDX-License-Identifier: Apache-2.0
// One pool serves several splits: equal candidate caches share one file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/dense_cache.hpp"
#include "dist/comm.hpp"

namespace puma::data {

// Looks for a candidate cache of the same facts and content in POOL/*/vectors.h5 and
// POOL/*/candidates/vectors.h5; makes `target` a hard link to the first (by name) that is whole,
// and returns its path. Empty when there is none, or when the file system cannot link. Collective.
std::filesystem::path link_equal_cache(const dist::Comm& comm,
                                       const std::vector<std::filesystem::path>& pools,
                                       const CacheInfo& info, const std::string& content,
                                       const std::filesystem::path& target);

}  // namespace puma::data
