// SPDX-License-Identifier: Apache-2.0
// Payloads depend on the rank, so that uneven and empty parts come free; every root has its turn;
// tiny pieces make many of them.
#include "dist/comm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "dist/error.hpp"

namespace puma::dist {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

// Distinct values that name the rank and the place.
std::vector<std::int32_t> payload(int rank, std::int64_t n, int salt = 0) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 1'000'000 * salt + 10'000 * rank + static_cast<std::int32_t>(i);
  }
  return out;
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

template <class T>
std::span<const T> view(const std::vector<T>& v) {
  return v;
}

class CommPieces : public testing::TestWithParam<std::int64_t> {
 protected:
  const Comm comm_ = Comm::world().with_piece_limit(GetParam());
  const int rank_ = comm_.rank();
  const int size_ = comm_.size();
};

TEST_P(CommPieces, BroadcastGivesEveryRankTheRootsSpan) {
  for (int root = 0; root < size_; ++root) {
    auto values = payload(rank_, 33);
    comm_.broadcast(std::span(values), root);
    EXPECT_EQ(values, payload(root, 33)) << "root " << root;
  }
}

TEST_P(CommPieces, BroadcastBringsItsLengthAlong) {
  for (int root = 0; root < size_; ++root) {
    EXPECT_EQ(comm_.broadcast(payload(rank_, 3 * rank_), root), payload(root, 3 * root));
    const std::string mine(static_cast<std::size_t>(5 * rank_), static_cast<char>('a' + rank_));
    const std::string theirs(static_cast<std::size_t>(5 * root), static_cast<char>('a' + root));
    EXPECT_EQ(comm_.broadcast(mine, root), theirs);
  }
}

TEST_P(CommPieces, AllReduceWorksElementWise) {
  const std::int64_t n = size_, last = n - 1;
  const std::int64_t big = std::int64_t{1} << 40;  // does not fit an int
  std::vector<std::int64_t> sums(17), least(17), most(17);
  for (std::int64_t i = 0; i < 17; ++i) {
    const auto at = static_cast<std::size_t>(i);
    sums[at] = big * i + rank_;
    least[at] = most[at] = -big * rank_ + i;
  }
  comm_.all_reduce(std::span(sums), ReduceOp::sum);
  comm_.all_reduce(std::span(least), ReduceOp::min);
  comm_.all_reduce(std::span(most), ReduceOp::max);
  for (std::int64_t i = 0; i < 17; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(sums[at], n * big * i + n * last / 2);
    EXPECT_EQ(least[at], -big * last + i);
    EXPECT_EQ(most[at], i);
  }
}

TEST_P(CommPieces, AllReduceComparesUnsignedAndReal) {
  std::vector<std::uint64_t> keys{~std::uint64_t{0} - static_cast<std::uint64_t>(rank_),
                                  static_cast<std::uint64_t>(rank_)};
  comm_.all_reduce(std::span(keys), ReduceOp::max);
  EXPECT_THAT(keys, ElementsAre(~std::uint64_t{0}, static_cast<std::uint64_t>(size_ - 1)));

  std::vector<double> values{0.5 * rank_, -0.25 * rank_, 3.0};
  comm_.all_reduce(std::span(values), ReduceOp::min);
  EXPECT_THAT(values, ElementsAre(0.0, -0.25 * (size_ - 1), 3.0));
}

TEST_P(CommPieces, AllGatherTakesUnevenAndEmptyParts) {
  std::vector<std::int32_t> expected;
  for (int r = 0; r < size_; ++r) append(expected, payload(r, 3 * r));
  const auto mine = payload(rank_, 3 * rank_);
  EXPECT_EQ(comm_.all_gather(view(mine)), expected);
}

TEST_P(CommPieces, AllGatherWhereOnlyTheFirstHasSomething) {
  const auto mine = payload(rank_, rank_ == 0 ? 50 : 0);
  EXPECT_EQ(comm_.all_gather(view(mine)), payload(0, 50));
}

TEST_P(CommPieces, AllGatherOfNothingIsNothing) {
  EXPECT_THAT(comm_.all_gather(std::span<const double>()), IsEmpty());
}

TEST_P(CommPieces, GatherFillsOnlyTheRoot) {
  std::vector<std::int32_t> expected;
  for (int r = 0; r < size_; ++r) append(expected, payload(r, 2 * (size_ - r) + 1));
  const auto mine = payload(rank_, 2 * (size_ - rank_) + 1);
  for (int root = 0; root < size_; ++root) {
    const auto got = comm_.gather(view(mine), root);
    if (rank_ == root) {
      EXPECT_EQ(got, expected) << "root " << root;
    } else {
      EXPECT_THAT(got, IsEmpty());
    }
  }
}

TEST_P(CommPieces, StringsKeepTheirBorders) {
  const auto text = [](int r) {
    return std::string(static_cast<std::size_t>((r + 1) % 3 * 4), 'x');
  };
  std::vector<std::string> expected;
  for (int r = 0; r < size_; ++r) expected.push_back(text(r));
  EXPECT_EQ(comm_.all_gather_strings(text(rank_)), expected);
}

// Rank s sends this many to rank d: zero for some pairs, and not symmetric.
std::int64_t parcel(int s, int d) {
  return (2 * s + 3 * d) % 5;
}

TEST_P(CommPieces, AllToAllDeliversEveryParcel) {
  std::vector<std::int32_t> send, expected;
  std::vector<std::int64_t> counts;
  for (int other = 0; other < size_; ++other) {
    counts.push_back(parcel(rank_, other));
    append(send, payload(rank_, parcel(rank_, other), other));
    append(expected, payload(other, parcel(other, rank_), rank_));
  }
  EXPECT_EQ(comm_.all_to_all(view(send), view(counts)), expected);
}

TEST_P(CommPieces, AllToAllWhenAllSendToOne) {
  const int target = size_ - 1;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(size_), 0);
  counts.back() = rank_ + 1;
  std::vector<std::int32_t> expected;
  for (int r = 0; r < size_; ++r) append(expected, payload(r, r + 1));
  const auto send = payload(rank_, rank_ + 1);
  const auto got = comm_.all_to_all(view(send), view(counts));
  EXPECT_EQ(got, rank_ == target ? expected : std::vector<std::int32_t>{});
}

INSTANTIATE_TEST_SUITE_P(Bytes, CommPieces, testing::Values(1, 7, 64, std::int64_t{1} << 30));

TEST(Comm, WorldNumbersItsRanks) {
  const Comm world = Comm::world();
  const std::int64_t me = world.rank();
  std::vector<std::int64_t> expected(static_cast<std::size_t>(world.size()));
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(world.all_gather(std::span(&me, 1)), expected);
  EXPECT_EQ(world.is_root(), me == 0);
  EXPECT_EQ(world.uses_mpi(), world.native() != nullptr);
}

TEST(Comm, OneDissenterMakesAllOfFalse) {
  const Comm world = Comm::world();
  EXPECT_TRUE(world.all_of(true));
  EXPECT_FALSE(world.all_of(world.rank() != world.size() - 1));
}

TEST(Comm, SplitOrdersByKey) {
  const Comm world = Comm::world();
  const int color = world.rank() % 2;
  const Comm part = world.split(color, -world.rank());
  const std::int64_t me = world.rank();
  std::vector<std::int64_t> expected;
  for (int r = world.size() - 1; r >= 0; --r) {
    if (r % 2 == color) expected.push_back(r);
  }
  EXPECT_EQ(part.all_gather(std::span(&me, 1)), expected);
  EXPECT_EQ(part.size(), static_cast<int>(expected.size()));
}

TEST(Comm, SplitsOfSplitsOutliveTheirParents) {
  const Comm world = Comm::world();
  const Comm pair = [&] {
    const Comm half = world.split(world.rank() / 2, world.rank());
    return half.split(0, -half.rank());
  }();
  EXPECT_EQ(pair.all_reduce(1, ReduceOp::sum), pair.size());
  world.barrier();
}

TEST(Comm, BarrierUntilSaysWhetherAllCame) {
  const Comm world = Comm::world();
  EXPECT_TRUE(world.barrier_until(60));
  const Comm group = world.split(0, world.rank());
  const bool late = world.rank() == 0 && world.size() > 1;
  if (!late) {
    EXPECT_EQ(group.barrier_until(0.05), world.size() == 1);
  }
  world.barrier();
  if (late) {
    EXPECT_TRUE(group.barrier_until(60));  // the others wait already
  }
}

TEST(Comm, SumOfDoublesIsRefusedBecauseItDependsOnRanks) {
  double value = 1;
  EXPECT_THROW(Comm::world().all_reduce(std::span(&value, 1), ReduceOp::sum), Error);
}

TEST(Comm, CountsMustMatchTheParcels) {
  const Comm null;
  const std::vector<int> send{1, 2, 3};
  const std::vector<std::int64_t> short_by_one{2}, for_two_ranks{2, 1};
  EXPECT_THROW(null.all_to_all(view(send), view(short_by_one)), Error);
  EXPECT_THROW(null.all_to_all(view(send), view(for_two_ranks)), Error);
}

TEST(Comm, RootMustExist) {
  const Comm world = Comm::world();
  int value = 0;
  EXPECT_THROW(world.broadcast(std::span(&value, 1), world.size()), Error);
  EXPECT_THROW(world.broadcast(std::span(&value, 1), -1), Error);
}

TEST(NullComm, IsOneRankAndCollectivesAreCopies) {
  const Comm null;
  EXPECT_EQ(null.rank(), 0);
  EXPECT_EQ(null.size(), 1);
  EXPECT_TRUE(null.is_root());
  EXPECT_FALSE(null.uses_mpi());
  EXPECT_EQ(null.native(), nullptr);
  const std::vector<int> mine{4, 5, 6};
  const std::vector<std::int64_t> counts{3};
  EXPECT_EQ(null.broadcast(mine), mine);
  EXPECT_EQ(null.broadcast(std::string("text")), "text");
  EXPECT_EQ(null.all_gather(view(mine)), mine);
  EXPECT_EQ(null.gather(view(mine)), mine);
  EXPECT_EQ(null.all_to_all(view(mine), view(counts)), mine);
  EXPECT_THAT(null.all_gather_strings("me"), ElementsAre("me"));
  EXPECT_EQ(null.all_reduce(7, ReduceOp::sum), 7);
  EXPECT_TRUE(null.barrier_until(0));
  EXPECT_EQ(null.split(3, 9).size(), 1);
  null.barrier();
}

}  // namespace
}  // namespace puma::dist
