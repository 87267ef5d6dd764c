// SPDX-License-Identifier: Apache-2.0
// The MPI kind of transport. MPI counts are ints: whatever could exceed one travels in pieces of at
// most piece_bytes.
#pragma once

#include <mpi.h>

#include "dist/transport.hpp"

namespace puma::dist::detail {

// Borrows MPI_COMM_WORLD, or owns a communicator made by a split.
struct MpiHandle {
  MPI_Comm comm = MPI_COMM_NULL;
  bool owned = false;
  mutable bool abandoned =
      false;  // a barrier was given up: its request still uses the communicator
  MpiHandle(MPI_Comm c, bool owns) : comm(c), owned(owns) {}
  MpiHandle(const MpiHandle&) = delete;
  MpiHandle& operator=(const MpiHandle&) = delete;
  ~MpiHandle();
};

class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(std::shared_ptr<const MpiHandle> handle,
                        std::int64_t piece_bytes = std::int64_t{1} << 30);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  const void* native() const override { return &handle_->comm; }

  std::shared_ptr<const Transport> split(int color, int key) const override;
  std::shared_ptr<const Transport> with_piece_limit(std::int64_t bytes) const override;

  void barrier() const override;
  bool barrier_unless(const std::function<bool()>& give_up) const override;
  void broadcast(std::span<std::byte> bytes, int root) const override;
  void all_reduce(std::span<std::byte> values, Element element, ReduceOp op) const override;
  std::vector<std::byte> all_gather(std::span<const std::byte> mine) const override;
  std::vector<std::byte> gather(std::span<const std::byte> mine, int root) const override;
  std::vector<std::byte> all_to_all(std::span<const std::byte> send,
                                    std::span<const std::int64_t> byte_counts) const override;

 private:
  std::vector<std::int64_t> sizes_of_all(std::int64_t mine) const;
  bool small_everywhere(std::int64_t bytes) const;
  void exchange_in_pieces(std::span<const std::byte> send,
                          std::span<const std::int64_t> send_counts, std::span<std::byte> receive,
                          std::span<const std::int64_t> receive_counts) const;

  std::shared_ptr<const MpiHandle> handle_;
  std::int64_t piece_bytes_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace puma::dist::detail
