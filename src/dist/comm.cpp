// SPDX-License-Identifier: Apache-2.0
#include "dist/comm.hpp"

#include <chrono>
#include <numeric>

#include "dist/error.hpp"
#include "dist/mpi_runtime.hpp"
#include "dist/transport.hpp"

namespace puma::dist {

struct Comm::Impl {
  std::shared_ptr<const detail::Transport> transport;
};

Comm::Comm() : impl_(std::make_shared<Impl>(Impl{detail::null_transport()})) {}
Comm::Comm(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Comm Comm::world() {
  auto mpi = detail::mpi_world();
  return mpi ? Comm(std::make_shared<Impl>(Impl{std::move(mpi)})) : Comm();
}

Comm Comm::split(int color, int key) const {
  PUMA_EXPECT(color >= 0);
  return Comm(std::make_shared<Impl>(Impl{impl_->transport->split(color, key)}));
}

Comm Comm::with_piece_limit(std::int64_t bytes) const {
  PUMA_EXPECT(bytes >= 1);
  return Comm(std::make_shared<Impl>(Impl{impl_->transport->with_piece_limit(bytes)}));
}

int Comm::rank() const {
  return impl_->transport->rank();
}
int Comm::size() const {
  return impl_->transport->size();
}
bool Comm::uses_mpi() const {
  return native() != nullptr;
}
const void* Comm::native() const {
  return impl_->transport->native();
}

void Comm::barrier() const {
  impl_->transport->barrier();
}

bool Comm::barrier_unless(const std::function<bool()>& give_up) const {
  return impl_->transport->barrier_unless(give_up);
}

bool Comm::barrier_until(double timeout_s) const {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  return barrier_unless(
      [&] { return std::chrono::duration<double>(Clock::now() - start).count() >= timeout_s; });
}

void Comm::abort(int exit_code) const {
  detail::end_all_ranks(exit_code);
}

std::string Comm::broadcast(std::string value, int root) const {
  std::int64_t n = static_cast<std::int64_t>(value.size());
  broadcast(std::span(&n, 1), root);
  value.resize(static_cast<std::size_t>(n));
  broadcast(std::span(value), root);
  return value;
}

void Comm::all_reduce(std::span<std::int64_t> values, ReduceOp op) const {
  impl_->transport->all_reduce(std::as_writable_bytes(values), detail::Element::i64, op);
}

void Comm::all_reduce(std::span<std::uint64_t> values, ReduceOp op) const {
  impl_->transport->all_reduce(std::as_writable_bytes(values), detail::Element::u64, op);
}

void Comm::all_reduce(std::span<double> values, ReduceOp op) const {
  PUMA_EXPECT(op != ReduceOp::sum);
  impl_->transport->all_reduce(std::as_writable_bytes(values), detail::Element::f64, op);
}

std::vector<std::string> Comm::all_gather_strings(const std::string& mine) const {
  const std::int64_t length = static_cast<std::int64_t>(mine.size());
  const auto lengths = all_gather(std::span(&length, 1));
  const auto text = all_gather(std::span(mine.data(), mine.size()));
  std::vector<std::string> out;
  out.reserve(lengths.size());
  const char* next = text.data();
  for (const std::int64_t n : lengths) {
    out.emplace_back(next, static_cast<std::size_t>(n));
    next += n;
  }
  return out;
}

void Comm::broadcast_bytes(std::span<std::byte> bytes, int root) const {
  PUMA_EXPECT(root >= 0 && root < size());
  impl_->transport->broadcast(bytes, root);
}

std::vector<std::byte> Comm::all_gather_bytes(std::span<const std::byte> mine) const {
  return impl_->transport->all_gather(mine);
}

std::vector<std::byte> Comm::gather_bytes(std::span<const std::byte> mine, int root) const {
  PUMA_EXPECT(root >= 0 && root < size());
  return impl_->transport->gather(mine, root);
}

std::vector<std::byte> Comm::all_to_all_bytes(std::span<const std::byte> send,
                                              std::span<const std::int64_t> counts,
                                              std::size_t element_bytes) const {
  PUMA_EXPECT(std::ssize(counts) == size());
  std::vector<std::int64_t> byte_counts(counts.begin(), counts.end());
  for (std::int64_t& n : byte_counts) {
    PUMA_EXPECT(n >= 0);
    n *= static_cast<std::int64_t>(element_bytes);
  }
  PUMA_EXPECT(std::accumulate(byte_counts.begin(), byte_counts.end(), std::int64_t{0}) ==
              std::ssize(send));
  return impl_->transport->all_to_all(send, byte_counts);
}

}  // namespace puma::dist
