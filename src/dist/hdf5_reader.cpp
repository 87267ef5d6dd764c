// SPDX-License-Identifier: Apache-2.0
// The reader: each process opens the file by itself, read-only, and trusts nothing in it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "dist/error.hpp"
#include "dist/hdf5.hpp"
#include "dist/hdf5_handles.hpp"
#include "dist/hdf5_superblock.hpp"

namespace puma::dist {

namespace fs = std::filesystem;
using detail::h5_error_text;
using detail::H5Handle;

namespace {

herr_t add_name(hid_t, const char* name, const H5L_info_t* info, void* names) {
  if (info->type == H5L_TYPE_HARD)
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

struct H5Reader::Impl {
  fs::path path;
  std::uint64_t bytes;  // length of the file
  H5Handle file;

  explicit Impl(fs::path from);

  // A damaged file: what could not be done, with HDF5's reason.
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ExitCode::bad_input, fmt::format("{}: {}", path.string(), problem), h5_error_text(),
                "The file is damaged or foreign: copy or make it again.");
  }
  bool holds_dataset(const std::string& name) const;
  H5Handle open_dataset(const std::string& name) const;
  H5Handle open_attribute(const std::string& name, H5Handle& type) const;
  H5Shape shape(const std::string& name, const H5Handle& set) const;
  std::uint64_t offset(const std::string& name, const H5Handle& set, const H5Shape& shape) const;
};

H5Reader::Impl::Impl(fs::path from) : path(std::move(from)), bytes(detail::check_superblock(path)) {
  detail::start_hdf5();
  const H5Handle access = detail::h5_access();
  file = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose};
  if (!file.valid()) fail("HDF5 cannot open the file");
}

// Soft and external links do not count: they could lead into any other file.
bool H5Reader::Impl::holds_dataset(const std::string& name) const {
  if (name.empty() || H5Lexists(file.id(), name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5L_info_t link;
  if (H5Lget_info(file.id(), name.c_str(), &link, H5P_DEFAULT) < 0) return false;
  if (link.type != H5L_TYPE_HARD) return false;
  const H5Handle object(H5Oopen(file.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
  return object.valid() && H5Iget_type(object.id()) == H5I_DATASET;
}

H5Handle H5Reader::Impl::open_dataset(const std::string& name) const {
  if (!holds_dataset(name)) {
    fail_input({path.string(), "a data set is missing", fmt::format("data set '{}'", name), "none",
                "Is it a file of another kind? `puma inspect` tells."});
  }
  H5Handle set(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.valid()) fail(fmt::format("data set '{}' cannot be opened", name));
  return set;
}

H5Handle H5Reader::Impl::open_attribute(const std::string& name, H5Handle& type) const {
  if (H5Aexists(file.id(), name.c_str()) <= 0) {
    fail_input({path.string(), "an attribute is missing", fmt::format("attribute '{}'", name),
                "none", "Is it a file of another kind? `puma inspect` tells."});
  }
  H5Handle attribute(H5Aopen(file.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) fail(fmt::format("attribute '{}' cannot be opened", name));
  type = {H5Aget_type(attribute.id()), H5Tclose};
  const H5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  if (!type.valid() || H5Sget_simple_extent_npoints(space.id()) != 1) {
    fail_input({path.string(), fmt::format("attribute '{}' has another form", name), "one value",
                "none or several", ""});
  }
  return attribute;
}

H5Shape H5Reader::Impl::shape(const std::string& name, const H5Handle& set) const {
  const H5Handle type(H5Dget_type(set.id()), H5Tclose);
  if (!type.valid()) fail(fmt::format("data set '{}' has no type", name));
  std::optional<H5Shape> shape = detail::shape_of_type(type.id());
  if (!shape) {
    fail_input({path.string(), fmt::format("data set '{}' holds elements of an unknown type", name),
                "little-endian numbers or null-padded text of fixed length", "another type", ""});
  }
  const H5Handle space(H5Dget_space(set.id()), H5Sclose);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 1 || rank > H5S_MAX_RANK) {
    fail_input({path.string(), fmt::format("data set '{}' has an odd shape", name),
                "one dimension or more", fmt::format("{} dimensions", rank), ""});
  }
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr) < 0) {
    fail(fmt::format("the shape of data set '{}' cannot be read", name));
  }
  // Also without a single element, no product of dims may pass 2^63.
  std::int64_t product = shape->element_bytes();
  for (const hsize_t n : dims) {
    constexpr hsize_t most = std::numeric_limits<std::int64_t>::max();
    if (n > most || __builtin_mul_overflow(
                        product, static_cast<std::int64_t>(std::max<hsize_t>(n, 1)), &product)) {
      fail_input({path.string(), fmt::format("the shape of data set '{}' is impossible", name),
                  "less than 2^63 bytes", fmt::format("{}", fmt::join(dims, " x ")), ""});
    }
    shape->dims.push_back(static_cast<std::int64_t>(n));
  }
  return *shape;
}

std::uint64_t H5Reader::Impl::offset(const std::string& name, const H5Handle& set,
                                     const H5Shape& shape) const {
  const H5Handle properties(H5Dget_create_plist(set.id()), H5Pclose);
  if (!properties.valid()) fail(fmt::format("data set '{}' cannot be read", name));
  if (H5Pget_layout(properties.id()) != H5D_CONTIGUOUS ||
      H5Pget_external_count(properties.id()) != 0 || H5Pget_nfilters(properties.id()) != 0) {
    fail_input({path.string(), fmt::format("data set '{}' cannot be mapped", name),
                "one contiguous block inside this file", "chunks, filters or another file's bytes",
                "Let puma write the file."});
  }
  const auto length = static_cast<std::uint64_t>(shape.dims[0] * shape.row_bytes());
  if (length == 0) return 0;
  const haddr_t offset = H5Dget_offset(set.id());
  if (offset == HADDR_UNDEF || offset > bytes || length > bytes - offset) {
    fail_input(
        {path.string(), fmt::format("data set '{}' lies outside the file", name),
         fmt::format("{} bytes inside the file's {}", length, bytes),
         offset == HADDR_UNDEF ? "no place at all" : fmt::format("a start at byte {}", offset),
         "Copy or make it again."});
  }
  return offset;
}

H5Reader::H5Reader(fs::path file) : impl_(std::make_unique<Impl>(std::move(file))) {}
H5Reader::H5Reader(H5Reader&&) noexcept = default;
H5Reader& H5Reader::operator=(H5Reader&&) noexcept = default;
H5Reader::~H5Reader() = default;

const fs::path& H5Reader::file() const {
  return impl_->path;
}

bool H5Reader::has_attribute(const std::string& name) const {
  return H5Aexists(impl_->file.id(), name.c_str()) > 0;
}

std::string H5Reader::text_attribute(const std::string& name) const {
  H5Handle type;
  const H5Handle attribute = impl_->open_attribute(name, type);
  const std::optional<H5Shape> shape = detail::shape_of_type(type.id());
  if (!shape || shape->type != H5Type::text ||
      static_cast<std::uint64_t>(shape->text_bytes) > impl_->bytes) {
    fail_input({impl_->path.string(), fmt::format("attribute '{}' has another type", name),
                "null-padded text of fixed length", "something else", ""});
  }
  std::string text(static_cast<std::size_t>(shape->text_bytes), '\0');
  if (H5Aread(attribute.id(), type.id(), text.data()) < 0) {
    impl_->fail(fmt::format("attribute '{}' cannot be read", name));
  }
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

std::int64_t H5Reader::int_attribute(const std::string& name) const {
  H5Handle type;
  const H5Handle attribute = impl_->open_attribute(name, type);
  const std::optional<H5Shape> shape = detail::shape_of_type(type.id());
  if (!shape || shape->type != H5Type::i64) {
    fail_input({impl_->path.string(), fmt::format("attribute '{}' has another type", name),
                "a 64-bit integer", "something else", ""});
  }
  std::int64_t value = 0;
  if (H5Aread(attribute.id(), type.id(), &value) < 0) {
    impl_->fail(fmt::format("attribute '{}' cannot be read", name));
  }
  return value;
}

bool H5Reader::has_dataset(const std::string& name) const {
  return impl_->holds_dataset(name);
}

std::vector<std::string> H5Reader::dataset_names() const {
  std::vector<std::string> names;
  hsize_t position = 0;
  if (H5Literate(impl_->file.id(), H5_INDEX_NAME, H5_ITER_INC, &position, add_name, &names) < 0) {
    impl_->fail("the list of data sets cannot be read");
  }
  std::erase_if(names, [&](const std::string& name) { return !impl_->holds_dataset(name); });
  std::ranges::sort(names);
  return names;
}

H5Shape H5Reader::shape(const std::string& name) const {
  return impl_->shape(name, impl_->open_dataset(name));
}

std::uint64_t H5Reader::offset(const std::string& name) const {
  const H5Handle set = impl_->open_dataset(name);
  return impl_->offset(name, set, impl_->shape(name, set));
}

std::vector<std::byte> H5Reader::read(const std::string& name, RowRange range) const {
  const H5Handle set = impl_->open_dataset(name);
  const H5Shape shape = impl_->shape(name, set);
  impl_->offset(name, set, shape);  // before any memory is asked for: the rows must exist
  PUMA_EXPECT(range.begin >= 0 && range.begin <= range.end && range.end <= shape.dims[0]);
  std::vector<std::byte> rows(static_cast<std::size_t>(range.size() * shape.row_bytes()));
  if (rows.empty()) return rows;
  std::vector<std::int64_t> dims = shape.dims;
  dims[0] = range.size();
  std::vector<hsize_t> start(dims.size(), 0);
  start[0] = static_cast<hsize_t>(range.begin);
  const std::vector<hsize_t> count(dims.begin(), dims.end());
  const H5Handle type = detail::h5_type(shape);
  const H5Handle memory = detail::h5_space(dims);
  const H5Handle space(H5Dget_space(set.id()), H5Sclose);
  if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                          nullptr) < 0 ||
      H5Dread(set.id(), type.id(), memory.id(), space.id(), H5P_DEFAULT, rows.data()) < 0) {
    impl_->fail(fmt::format("data set '{}' cannot be read", name));
  }
  return rows;
}

}  // namespace puma::dist
