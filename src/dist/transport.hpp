// SPDX-License-Identifier: Apache-2.0
// What a communicator is made of: bytes between ranks. Two kinds exist, one rank without MPI and
// MPI's own; Comm adds the types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dist/comm.hpp"

namespace puma::dist::detail {

enum class Element { i64, u64, f64 };  // what can be reduced; each has 8 bytes

class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual const void* native() const = 0;

  virtual std::shared_ptr<const Transport> split(int color, int key) const = 0;
  virtual std::shared_ptr<const Transport> with_piece_limit(std::int64_t bytes) const = 0;

  virtual void barrier() const = 0;
  virtual bool barrier_unless(const std::function<bool()>& give_up) const = 0;
  virtual void broadcast(std::span<std::byte> bytes, int root) const = 0;
  virtual void all_reduce(std::span<std::byte> values, Element element, ReduceOp op) const = 0;
  virtual std::vector<std::byte> all_gather(std::span<const std::byte> mine) const = 0;
  virtual std::vector<std::byte> gather(std::span<const std::byte> mine, int root) const = 0;
  // byte_counts[r] bytes of `send` go to rank r.
  virtual std::vector<std::byte> all_to_all(std::span<const std::byte> send,
                                            std::span<const std::int64_t> byte_counts) const = 0;
};

// One rank, for ever.
std::shared_ptr<const Transport> null_transport();

}  // namespace puma::dist::detail
