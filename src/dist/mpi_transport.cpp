// SPDX-License-Identifier: Apache-2.0
#include "dist/mpi_transport.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <thread>

#include "dist/mpi_call.hpp"
#include "dist/mpi_layout.hpp"

namespace puma::dist::detail {
namespace {

MPI_Op mpi_op(ReduceOp op) {
  return op == ReduceOp::sum ? MPI_SUM : op == ReduceOp::min ? MPI_MIN : MPI_MAX;
}

MPI_Datatype mpi_type(Element element) {
  return element == Element::i64   ? MPI_INT64_T
         : element == Element::u64 ? MPI_UINT64_T
                                   : MPI_DOUBLE;
}

}  // namespace

// MPI_Comm_free is collective by the standard: while an exception unwinds, the others may be
// elsewhere, and after MPI_Finalize it is forbidden. Open MPI crashes when a pending barrier's
// communicator is freed. In all these cases the communicator dies with the process.
MpiHandle::~MpiHandle() {
  int finalized = 0;
  if (!owned || abandoned || std::uncaught_exceptions() > 0) return;
  if (MPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
  MPI_Comm_free(&comm);
}

MpiTransport::MpiTransport(std::shared_ptr<const MpiHandle> handle, std::int64_t piece_bytes)
    : handle_(std::move(handle)), piece_bytes_(piece_bytes) {
  PUMA_EXPECT(piece_bytes >= 1 && piece_bytes <= std::numeric_limits<int>::max());
  PUMA_MPI(MPI_Comm_rank(handle_->comm, &rank_));
  PUMA_MPI(MPI_Comm_size(handle_->comm, &size_));
}

std::shared_ptr<const Transport> MpiTransport::split(int color, int key) const {
  MPI_Comm part = MPI_COMM_NULL;
  PUMA_MPI(MPI_Comm_split(handle_->comm, color, key, &part));
  auto handle = std::make_shared<const MpiHandle>(part, true);
  PUMA_MPI(MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN));
  return std::make_shared<const MpiTransport>(std::move(handle), piece_bytes_);
}

std::shared_ptr<const Transport> MpiTransport::with_piece_limit(std::int64_t bytes) const {
  return std::make_shared<const MpiTransport>(handle_, bytes);
}

void MpiTransport::barrier() const {
  PUMA_MPI(MPI_Barrier(handle_->comm));
}

bool MpiTransport::barrier_unless(const std::function<bool()>& give_up) const {
  using std::chrono::microseconds;
  MPI_Request request = MPI_REQUEST_NULL;
  PUMA_MPI(MPI_Ibarrier(handle_->comm, &request));
  // Starts quick for ranks that come together, ends slow so that a long wait leaves the core to
  // those who still work.
  microseconds pause{50};
  while (true) {
    int done = 0;
    PUMA_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return true;
    if (give_up()) {
      handle_->abandoned = true;
      return false;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, microseconds{20000});
  }
}

void MpiTransport::broadcast(std::span<std::byte> bytes, int root) const {
  for (const Piece piece : pieces(std::ssize(bytes), piece_bytes_)) {
    PUMA_MPI(MPI_Bcast(bytes.data() + piece.begin, piece.count, MPI_BYTE, root, handle_->comm));
  }
}

void MpiTransport::all_reduce(std::span<std::byte> values, Element element, ReduceOp op) const {
  constexpr std::int64_t width = 8;  // of every Element
  const std::int64_t limit = std::max<std::int64_t>(1, piece_bytes_ / width);
  for (const Piece piece : pieces(std::ssize(values) / width, limit)) {
    PUMA_MPI(MPI_Allreduce(MPI_IN_PLACE, values.data() + piece.begin * width, piece.count,
                           mpi_type(element), mpi_op(op), handle_->comm));
  }
}

std::vector<std::int64_t> MpiTransport::sizes_of_all(std::int64_t mine) const {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(size_));
  PUMA_MPI(MPI_Allgather(&mine, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, handle_->comm));
  return sizes;
}

bool MpiTransport::small_everywhere(std::int64_t bytes) const {
  PUMA_MPI(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_MAX, handle_->comm));
  return bytes <= piece_bytes_;
}

std::vector<std::byte> MpiTransport::all_gather(std::span<const std::byte> mine) const {
  const ByteLayout layout(sizes_of_all(std::ssize(mine)));
  std::vector<std::byte> all(static_cast<std::size_t>(layout.total()));
  if (layout.total() <= piece_bytes_) {
    const auto counts = layout.int_counts();
    const auto offsets = layout.int_offsets();
    PUMA_MPI(MPI_Allgatherv(mine.data(), counts[static_cast<std::size_t>(rank_)], MPI_BYTE,
                            all.data(), counts.data(), offsets.data(), MPI_BYTE, handle_->comm));
    return all;
  }
  std::copy(mine.begin(), mine.end(), layout.part(std::span(all), rank_).begin());
  for (int r = 0; r < size_; ++r) broadcast(layout.part(std::span(all), r), r);
  return all;
}

std::vector<std::byte> MpiTransport::gather(std::span<const std::byte> mine, int root) const {
  const ByteLayout layout(sizes_of_all(std::ssize(mine)));
  std::vector<std::byte> all(static_cast<std::size_t>(rank_ == root ? layout.total() : 0));
  if (layout.total() <= piece_bytes_) {
    const auto counts = layout.int_counts();
    const auto offsets = layout.int_offsets();
    PUMA_MPI(MPI_Gatherv(mine.data(), counts[static_cast<std::size_t>(rank_)], MPI_BYTE, all.data(),
                         counts.data(), offsets.data(), MPI_BYTE, root, handle_->comm));
    return all;
  }
  std::vector<std::int64_t> to(static_cast<std::size_t>(size_), 0);
  to[static_cast<std::size_t>(root)] = std::ssize(mine);
  std::vector<std::int64_t> from(static_cast<std::size_t>(size_), 0);
  if (rank_ == root) from = layout.counts();
  exchange_in_pieces(mine, to, all, from);
  return all;
}

std::vector<std::byte> MpiTransport::all_to_all(std::span<const std::byte> send,
                                                std::span<const std::int64_t> byte_counts) const {
  const ByteLayout out({byte_counts.begin(), byte_counts.end()});
  std::vector<std::int64_t> incoming(static_cast<std::size_t>(size_));
  PUMA_MPI(MPI_Alltoall(out.counts().data(), 1, MPI_INT64_T, incoming.data(), 1, MPI_INT64_T,
                        handle_->comm));
  const ByteLayout in(std::move(incoming));
  std::vector<std::byte> received(static_cast<std::size_t>(in.total()));
  if (!small_everywhere(std::max(in.total(), out.total()))) {
    exchange_in_pieces(send, out.counts(), received, in.counts());
    return received;
  }
  const auto send_counts = out.int_counts(), send_offsets = out.int_offsets();
  const auto receive_counts = in.int_counts(), receive_offsets = in.int_offsets();
  PUMA_MPI(MPI_Alltoallv(send.data(), send_counts.data(), send_offsets.data(), MPI_BYTE,
                         received.data(), receive_counts.data(), receive_offsets.data(), MPI_BYTE,
                         handle_->comm));
  return received;
}

// Point to point, one partner distance after another, so that no rank is everybody's target at
// once. Both sides of a pair know its size, hence the number of pieces; MPI keeps the order of
// messages between two ranks.
void MpiTransport::exchange_in_pieces(std::span<const std::byte> send,
                                      std::span<const std::int64_t> send_counts,
                                      std::span<std::byte> receive,
                                      std::span<const std::int64_t> receive_counts) const {
  const ByteLayout out({send_counts.begin(), send_counts.end()});
  const ByteLayout in({receive_counts.begin(), receive_counts.end()});
  constexpr int tag = 1;
  for (int step = 0; step < size_; ++step) {
    const int to = (rank_ + step) % size_;
    const int from = (rank_ - step + size_) % size_;
    const std::span<const std::byte> outgoing = out.part(send, to);
    const std::span<std::byte> incoming = in.part(receive, from);
    if (step == 0) {
      std::copy(outgoing.begin(), outgoing.end(), incoming.begin());
      continue;
    }
    std::vector<MPI_Request> requests;
    for (const Piece piece : pieces(std::ssize(incoming), piece_bytes_)) {
      PUMA_MPI(MPI_Irecv(incoming.data() + piece.begin, piece.count, MPI_BYTE, from, tag,
                         handle_->comm, &requests.emplace_back(MPI_REQUEST_NULL)));
    }
    for (const Piece piece : pieces(std::ssize(outgoing), piece_bytes_)) {
      PUMA_MPI(MPI_Isend(outgoing.data() + piece.begin, piece.count, MPI_BYTE, to, tag,
                         handle_->comm, &requests.emplace_back(MPI_REQUEST_NULL)));
    }
    PUMA_MPI(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  }
}

}  // namespace puma::dist::detail
