// SPDX-License-Identifier: Apache-2.0
// The collective writer. After every HDF5 call the ranks agree on how it went, so that a full disk
// on one rank is one message on all of them instead of a hang.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "dist/checksum.hpp"
#include "dist/error.hpp"
#include "dist/file_descriptor.hpp"
#include "dist/files.hpp"
#include "dist/hdf5.hpp"
#include "dist/hdf5_handles.hpp"
#include "dist/hdf5_properties.hpp"

namespace puma::dist {

namespace fs = std::filesystem;
using detail::h5_error_text;
using detail::H5Handle;

namespace {

// How long a writer that is thrown away waits for the others to throw theirs away, too.
constexpr double abandon_timeout_s = 5;

// HDF5 keeps attributes in object headers, whose messages end at 64 KB.
constexpr std::size_t most_attribute_bytes = 60000;

}  // namespace

struct H5Writer::Impl {
  Comm comm;
  fs::path target;
  fs::path temporary;
  std::int64_t transfer_bytes;
  H5Handle file;
  bool committed = false;

  Impl(const Comm& ranks, fs::path to, std::int64_t most_bytes);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl();

  void require(bool ok, std::string_view call, const std::string& object) const;
  void require_equal(const std::string& description) const;
  void require_tiles(const std::string& name, std::int64_t rows, RowRange mine) const;
  void write_attribute(const std::string& name, const H5Shape& element, const void* value);
  void write_rows(const std::string& name, const H5Shape& shape, const H5Handle& set,
                  const H5Handle& type, RowRange mine, std::span<const std::byte> rows) const;
};

H5Writer::Impl::Impl(const Comm& ranks, fs::path to, std::int64_t most_bytes)
    : comm(ranks), target(std::move(to)), transfer_bytes(most_bytes) {
  PUMA_EXPECT(transfer_bytes >= 1);
  detail::start_hdf5();
  // Root's name: it holds a host and a process, which differ between ranks.
  temporary = comm.broadcast(comm.is_root() ? temporary_name(target).string() : std::string());
  agree(comm, [&] {
    if (!comm.is_root()) return;
    // Tried with plain system calls first, since their words are the clearest.
    std::error_code failed;
    if (target.has_parent_path()) fs::create_directories(target.parent_path(), failed);
    if (failed) fail_call("mkdir", target.parent_path().string(), failed.message());
    const FileDescriptor fd(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (fd.get() < 0) fail_errno("open", target.string());
  });
  const H5Handle root = detail::h5_root_properties();
  const H5Handle access = detail::h5_write_access(comm);
  file = {H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, root.id(), access.id()), H5Fclose};
  try {
    require(file.valid(), "H5Fcreate", target.string());
  } catch (...) {
    if (comm.size() > 1) file.release();  // it may be open on some ranks only
    throw;
  }
}

H5Writer::Impl::~Impl() {
  if (file.valid() && comm.size() > 1) {
    // H5Fclose is collective. Thrown away on all ranks, the file is closed; on some, it stays open
    // until the job's end, which run_job brings about.
    bool all_here = false;
    try {
      all_here = comm.barrier_until(abandon_timeout_s);
    } catch (...) {
    }
    if (!all_here) file.release();
  }
  file.close();
  if (!committed && comm.is_root()) ::unlink(temporary.c_str());
}

// All ranks throw what the lowest failing rank has to say.
void H5Writer::Impl::require(bool ok, std::string_view call, const std::string& object) const {
  const std::string words = ok ? "" : h5_error_text();
  agree(comm, [&] {
    if (!ok) fail_call(call, object, words);
  });
}

// Metadata calls must be the same everywhere, else HDF5 writes a broken file or hangs.
void H5Writer::Impl::require_equal(const std::string& description) const {
  const Digest mine = checksum(description);
  Digest first = mine;
  comm.broadcast(std::span(&first, 1));
  agree(comm, [&] { PUMA_EXPECT(mine == first); });
}

void H5Writer::Impl::require_tiles(const std::string& name, std::int64_t rows,
                                   RowRange mine) const {
  const auto all = comm.all_gather(std::span<const RowRange>(&mine, 1));
  std::int64_t next = 0;
  for (const RowRange& range : all) {
    if (range.size() == 0) continue;
    PUMA_EXPECT(range.begin == next && range.size() > 0);
    next = range.end;
  }
  if (next != rows) {
    throw Error(ExitCode::internal, fmt::format("data set '{}' is not written wholly", name),
                fmt::format("the ranks bring {} of {} rows", next, rows));
  }
}

void H5Writer::Impl::write_attribute(const std::string& name, const H5Shape& element,
                                     const void* value) {
  const std::string object = fmt::format("{}: attribute {}", target.string(), name);
  const H5Handle type = detail::h5_type(element);
  const H5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Handle attribute(
      H5Acreate2(file.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  require(attribute.valid(), "H5Acreate", object);
  require(H5Awrite(attribute.id(), type.id(), value) >= 0, "H5Awrite", object);
  require(attribute.close(), "H5Aclose", object);
}

void H5Writer::Impl::write_rows(const std::string& name, const H5Shape& shape, const H5Handle& set,
                                const H5Handle& type, RowRange mine,
                                std::span<const std::byte> rows) const {
  const std::int64_t row_bytes = shape.row_bytes();
  const std::int64_t rows_per_round = std::max<std::int64_t>(1, transfer_bytes / row_bytes);
  const std::int64_t my_rounds = (mine.size() + rows_per_round - 1) / rows_per_round;
  const std::int64_t rounds = comm.all_reduce(my_rounds, ReduceOp::max);
  const H5Handle transfer = detail::h5_transfer_properties(comm);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t first = std::min(round * rows_per_round, mine.size());
    const std::int64_t count = std::min(rows_per_round, mine.size() - first);
    std::vector<std::int64_t> dims = shape.dims;
    dims[0] = count;
    const H5Handle memory = detail::h5_space(dims);
    const H5Handle space(H5Dget_space(set.id()), H5Sclose);
    herr_t ok = 0;
    if (count == 0) {  // takes part all the same: the call is collective
      ok = std::min(H5Sselect_none(memory.id()), H5Sselect_none(space.id()));
    } else {
      std::vector<hsize_t> start(dims.size(), 0), extent(dims.begin(), dims.end());
      start[0] = static_cast<hsize_t>(mine.begin + first);
      ok = H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(),
                               nullptr);
    }
    require(ok >= 0, "H5Sselect_hyperslab", name);
    ok = H5Dwrite(set.id(), type.id(), memory.id(), space.id(), transfer.id(),
                  rows.data() + first * row_bytes);
    require(ok >= 0, "H5Dwrite", name);
    const std::string cause = detail::why_not_collective(comm, transfer);
    agree(comm, [&] {
      if (!cause.empty()) fail_call("H5Dwrite", name, cause);
    });
  }
}

H5Writer::H5Writer(const Comm& comm, fs::path target, std::int64_t transfer_bytes)
    : impl_(std::make_unique<Impl>(comm, std::move(target), transfer_bytes)) {}
H5Writer::H5Writer(H5Writer&&) noexcept = default;
H5Writer& H5Writer::operator=(H5Writer&&) noexcept = default;
H5Writer::~H5Writer() = default;

void H5Writer::attribute(const std::string& name, const std::string& value) {
  impl_->require_equal(fmt::format("text attribute {}\n{}", name, value));
  if (value.size() > most_attribute_bytes) {
    throw Error(ExitCode::internal, fmt::format("attribute '{}' is too long for HDF5", name),
                fmt::format("{} bytes, at most {}", value.size(), most_attribute_bytes),
                "Write it as a data set.");
  }
  // A text of no bytes does not exist in HDF5; one null byte reads back as empty.
  const std::string bytes = value.empty() ? std::string(1, '\0') : value;
  const H5Shape element{H5Type::text, static_cast<std::int64_t>(bytes.size()), {}};
  impl_->write_attribute(name, element, bytes.data());
}

void H5Writer::attribute(const std::string& name, std::int64_t value) {
  impl_->require_equal(fmt::format("number attribute {}\n{}", name, value));
  impl_->write_attribute(name, {H5Type::i64, 0, {}}, &value);
}

void H5Writer::dataset(const std::string& name, const H5Shape& shape, RowRange mine,
                       std::span<const std::byte> rows) {
  impl_->require_equal(fmt::format("data set {} {} {} {}", name, static_cast<int>(shape.type),
                                   shape.text_bytes, fmt::join(shape.dims, "x")));
  PUMA_EXPECT(!shape.dims.empty() &&
              std::ranges::all_of(shape.dims, [](auto n) { return n >= 0; }));
  impl_->require_tiles(name, shape.dims[0], mine);
  agree(impl_->comm, [&] {
    PUMA_EXPECT(rows.size() == static_cast<std::size_t>(mine.size() * shape.row_bytes()));
  });
  const std::string object = fmt::format("{}: data set {}", impl_->target.string(), name);
  const H5Handle type = detail::h5_type(shape);
  const H5Handle space = detail::h5_space(shape.dims);
  const H5Handle properties = detail::h5_dataset_properties();
  H5Handle set(H5Dcreate2(impl_->file.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                          properties.id(), H5P_DEFAULT),
               H5Dclose);
  impl_->require(set.valid(), "H5Dcreate", object);
  if (shape.dims[0] > 0 && shape.row_bytes() > 0) {
    impl_->write_rows(object, shape, set, type, mine, rows);
  }
  impl_->require(set.close(), "H5Dclose", object);
}

void H5Writer::commit() {
  const std::string object = impl_->target.string();
  // Through MPI_File_sync on every rank: root's fsync alone would not reach what other nodes hold
  // back.
  impl_->require(H5Fflush(impl_->file.id(), H5F_SCOPE_GLOBAL) >= 0, "H5Fflush", object);
  impl_->require(impl_->file.close(), "H5Fclose", object);
  agree(impl_->comm, [&] {
    if (impl_->comm.is_root()) publish(impl_->temporary, impl_->target);
  });
  impl_->committed = true;
}

}  // namespace puma::dist
