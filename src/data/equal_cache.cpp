// SPDX-License-Identifier: Apache-2.0
#include "data/equal_cache.hpp"

#include <algorithm>
#include <system_error>
#include <tuple>

#include "dist/error.hpp"
#include "dist/files.hpp"
#include "dist/hdf5.hpp"

namespace puma::data {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> caches_in(const std::vector<fs::path>& pools) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::path& pool : pools) {
    for (fs::directory_iterator at(pool, error), end; !error && at != end; at.increment(error)) {
      for (const char* name : {"vectors.h5", "candidates/vectors.h5"}) {
        const fs::path file = at->path() / name;
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored)) found.push_back(file);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

auto facts(const CacheInfo& info) {
  return std::tie(info.role, info.rows, info.dim, info.type, info.normalised, info.backbone,
                  info.weights_hash, info.prompt_hash, info.source);
}

// A damaged or foreign file beside ours is no reason to fail: it is no equal cache.
bool is_equal(const fs::path& file, const CacheInfo& info, const std::string& content) {
  try {
    const DenseCache cache = DenseCache::open(file);
    if (facts(cache.info()) != facts(info) || cache.content_checksum() != content) return false;
    cache.verify();
    return true;
  } catch (const dist::Error&) {
    return false;
  }
}

bool link_over(const fs::path& source, const fs::path& target) {
  std::error_code error;
  if (fs::equivalent(source, target, error)) return true;  // imported here before
  fs::create_directories(target.parent_path(), error);
  const fs::path temporary = dist::temporary_name(target);
  fs::remove(temporary, error);
  fs::create_hard_link(source, temporary, error);
  if (error) return false;  // another file system, or one without links
  dist::publish(temporary, target);
  return true;
}

}  // namespace

fs::path link_equal_cache(const dist::Comm& comm, const std::vector<fs::path>& pools,
                          const CacheInfo& info, const std::string& content,
                          const fs::path& target) {
  std::string linked;
  dist::agree(comm, [&] {
    if (!comm.is_root()) return;
    for (const fs::path& file : caches_in(pools)) {
      if (fs::weakly_canonical(file) == fs::weakly_canonical(target)) continue;
      if (!is_equal(file, info, content) || !link_over(file, target)) continue;
      linked = file.string();
      return;
    }
  });
  return comm.broadcast(linked);
}

}  // namespace puma::data
