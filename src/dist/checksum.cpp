// SPDX-License-Identifier: Apache-2.0
#include "dist/checksum.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <memory>
#include <new>
#include <vector>

#include "dist/file_descriptor.hpp"

namespace puma::dist {

namespace {

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

Digest digest(XXH128_hash_t hash) {
  return {hash.high64, hash.low64};
}

}  // namespace

std::string Digest::hex() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

Digest checksum(std::span<const std::byte> bytes) {
  return digest(XXH3_128bits(bytes.data(), bytes.size()));
}

Digest checksum(std::string_view text) {
  return checksum(std::as_bytes(std::span(text)));
}

Digest file_checksum(const std::filesystem::path& file) {
  const FileDescriptor fd = open_input(file);
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  while (const std::size_t n = read_some(fd, buffer, file)) {
    XXH3_128bits_update(state.get(), buffer.data(), n);
  }
  return digest(XXH3_128bits_digest(state.get()));
}

}  // namespace puma::dist
