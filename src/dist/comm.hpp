// SPDX-License-Identifier: Apache-2.0
// A group of ranks. The null communicator is one rank: collectives are copies and need no MPI, so
// that serial runs, MPI runs and tests are the same code. Counts are 64 bits wide; larger messages
// than MPI's int counts travel in pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace puma::dist {

enum class ReduceOp { sum, min, max };

class Comm {
 public:
  Comm();  // the null communicator
  // All ranks of this program. The null communicator unless an MpiGuard started MPI.
  static Comm world();
  // The ranks that give the same color, ordered by key. Collective.
  Comm split(int color, int key) const;
  // The same ranks, with messages cut into pieces of at most `bytes` (1 GiB otherwise). Lets tests
  // see many pieces; not collective.
  Comm with_piece_limit(std::int64_t bytes) const;

  int rank() const;
  int size() const;
  bool is_root() const { return rank() == 0; }
  bool uses_mpi() const;

  void barrier() const;

  // Every rank gets root's bytes. Collective; all ranks give spans of the same length.
  template <class T>
  void broadcast(std::span<T> values, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    broadcast_bytes(as_bytes(values), root);
  }
  // Lengths may differ: every rank gets root's value.
  std::string broadcast(std::string value, int root = 0) const;
  template <class T>
  std::vector<T> broadcast(std::vector<T> values, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::int64_t n = static_cast<std::int64_t>(values.size());
    broadcast(std::span(&n, 1), root);
    values.resize(static_cast<std::size_t>(n));
    broadcast(std::span(values), root);
    return values;
  }

  // Element-wise, result on every rank.
  void all_reduce(std::span<std::int64_t> values, ReduceOp op) const;
  void all_reduce(std::span<std::uint64_t> values, ReduceOp op) const;
  void all_reduce(std::span<double> values,
                  ReduceOp op) const;  // min and max only: a sum would depend on ranks
  std::int64_t all_reduce(std::int64_t value, ReduceOp op) const {
    all_reduce(std::span(&value, 1), op);
    return value;
  }
  bool all_of(bool mine) const { return all_reduce(std::int64_t{mine}, ReduceOp::min) != 0; }

  // The ranks' values one after another in rank order; lengths may differ and may be 0. On every
  // rank.
  template <class T>
  std::vector<T> all_gather(std::span<const T> mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return from_bytes<T>(all_gather_bytes(const_bytes(mine)));
  }
  // The same, on root alone; empty elsewhere.
  template <class T>
  std::vector<T> gather(std::span<const T> mine, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return from_bytes<T>(gather_bytes(const_bytes(mine), root));
  }
  // One string per rank, in rank order, on every rank.
  std::vector<std::string> all_gather_strings(const std::string& mine) const;
  // counts[r] elements of `send` (in rank order) go to rank r; returns what came, in rank order.
  template <class T>
  std::vector<T> all_to_all(std::span<const T> send, std::span<const std::int64_t> counts) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return from_bytes<T>(all_to_all_bytes(const_bytes(send), counts, sizeof(T)));
  }

  // Waits for the others until the deadline; false when somebody did not come (do not use the
  // communicator then).
  bool barrier_until(double timeout_s) const;
  // The same, until `give_up` says so; it is asked every few milliseconds. Both sleep while they
  // wait.
  bool barrier_unless(const std::function<bool()>& give_up) const;

  // Ends every rank of the program at once. The only safe end when others may wait in a collective
  // call.
  [[noreturn]] void abort(int exit_code) const;

  // The MPI_Comm behind it (a void* so that mpi.h stays inside dist); nullptr for the null
  // communicator.
  const void* native() const;

 private:
  struct Impl;
  explicit Comm(std::shared_ptr<Impl> impl);
  void broadcast_bytes(std::span<std::byte> bytes, int root) const;
  std::vector<std::byte> all_gather_bytes(std::span<const std::byte> mine) const;
  std::vector<std::byte> gather_bytes(std::span<const std::byte> mine, int root) const;
  std::vector<std::byte> all_to_all_bytes(std::span<const std::byte> send,
                                          std::span<const std::int64_t> counts,
                                          std::size_t element_bytes) const;
  template <class T>
  static std::span<std::byte> as_bytes(std::span<T> v) {
    return std::as_writable_bytes(v);
  }
  template <class T>
  static std::span<const std::byte> const_bytes(std::span<const T> v) {
    return std::as_bytes(v);
  }
  template <class T>
  static std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!bytes.empty()) __builtin_memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
  std::shared_ptr<Impl> impl_;
};

// Runs `local` on every rank (it must make no collective call), then agrees on the verdict: when it
// threw anywhere, every rank throws the error of the lowest failing rank. This is how bad input
// becomes one message instead of a hang. Collective.
void agree(const Comm& comm, const std::function<void()>& local);

}  // namespace puma::dist
