// SPDX-License-Identifier: Apache-2.0
// plant_nan CACHE ROW COLUMN: writes the dense cache anew with one NaN and right checksums, as a
// broken extraction would have made it.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "data/dense_cache.hpp"
#include "dist/comm.hpp"
#include "dist/hdf5.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  using puma::data::DenseCache;
  const DenseCache cache = DenseCache::open(argv[1]);
  std::vector<std::byte> rows = puma::dist::H5Reader(argv[1]).read("vectors", {0, cache.rows()});
  const std::size_t at =
      std::strtoull(argv[2], nullptr, 10) * static_cast<std::size_t>(cache.dim()) +
      std::strtoull(argv[3], nullptr, 10);
  const std::size_t width = puma::data::vector_element_bytes(cache.info().type);
  // All bits set is a NaN in float32, half and bfloat16 alike; the size of the file stays.
  std::memset(rows.data() + at * width, 0xff, width);
  puma::data::write_dense_cache(puma::dist::Comm(), argv[1], cache.info(), cache.ids(),
                                {0, cache.rows()}, rows);
}
