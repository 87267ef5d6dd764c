// SPDX-License-Identifier: Apache-2.0
#include "dist/hdf5_handles.hpp"

#include <utility>

#include "dist/error.hpp"

namespace puma::dist {

std::int64_t H5Shape::element_bytes() const {
  switch (type) {
    case H5Type::u8:
      return 1;
    case H5Type::u16:
      return 2;
    case H5Type::u32:
    case H5Type::f32:
      return 4;
    case H5Type::u64:
    case H5Type::i64:
    case H5Type::f64:
      return 8;
    case H5Type::text:
      return text_bytes;
  }
  return 0;
}

std::int64_t H5Shape::row_bytes() const {
  std::int64_t bytes = element_bytes();
  for (std::size_t i = 1; i < dims.size(); ++i) bytes *= dims[i];
  return bytes;
}

namespace detail {

namespace {

hid_t number_type(H5Type type) {
  switch (type) {
    case H5Type::u8:
      return H5T_STD_U8LE;
    case H5Type::u16:
      return H5T_STD_U16LE;
    case H5Type::u32:
      return H5T_STD_U32LE;
    case H5Type::u64:
      return H5T_STD_U64LE;
    case H5Type::i64:
      return H5T_STD_I64LE;
    case H5Type::f32:
      return H5T_IEEE_F32LE;
    case H5Type::f64:
      return H5T_IEEE_F64LE;
    case H5Type::text:
      break;
  }
  return H5I_INVALID_HID;
}

herr_t add_description(unsigned, const H5E_error2_t* error, void* text) {
  auto& words = *static_cast<std::string*>(text);
  const std::string more = error->desc ? error->desc : "";
  if (!more.empty() && words.find(more) == std::string::npos) {
    words += (words.empty() ? "" : "; ") + more;
  }
  return 0;
}

}  // namespace

H5Handle::H5Handle(H5Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}

H5Handle& H5Handle::operator=(H5Handle&& other) noexcept {
  if (this != &other) {
    close();
    id_ = std::exchange(other.id_, H5I_INVALID_HID);
    closer_ = other.closer_;
  }
  return *this;
}

H5Handle::~H5Handle() {
  close();
}

bool H5Handle::close() {
  const hid_t id = std::exchange(id_, H5I_INVALID_HID);
  return id < 0 || closer_(id) >= 0;
}

void start_hdf5() {
  static const bool started = [] {
    H5dont_atexit();
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return true;
  }();
  static_cast<void>(started);
}

std::string h5_error_text() {
  std::string words;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, add_description, &words);
  return words.empty() ? "HDF5 gives no reason" : words;
}

H5Handle h5_type(const H5Shape& shape) {
  if (shape.type != H5Type::text) return {H5Tcopy(number_type(shape.type)), H5Tclose};
  PUMA_EXPECT(shape.text_bytes >= 1);
  H5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  if (H5Tset_size(type.id(), static_cast<std::size_t>(shape.text_bytes)) < 0 ||
      H5Tset_strpad(type.id(), H5T_STR_NULLPAD) < 0 || H5Tset_cset(type.id(), H5T_CSET_UTF8) < 0) {
    fail_call("H5Tset_size", "a text type", h5_error_text());
  }
  return type;
}

std::optional<H5Shape> shape_of_type(hid_t type) {
  H5Shape shape;
  if (H5Tget_class(type) == H5T_STRING) {
    if (H5Tis_variable_str(type) != 0 || H5Tget_strpad(type) != H5T_STR_NULLPAD) return {};
    const std::size_t bytes = H5Tget_size(type);
    if (bytes == 0 || bytes > 0x7fffffff) return {};
    shape.type = H5Type::text;
    shape.text_bytes = static_cast<std::int64_t>(bytes);
    return shape;
  }
  for (const H5Type candidate :
       {H5Type::u8, H5Type::u16, H5Type::u32, H5Type::u64, H5Type::i64, H5Type::f32, H5Type::f64}) {
    if (H5Tequal(type, number_type(candidate)) > 0) {
      shape.type = candidate;
      return shape;
    }
  }
  return {};
}

H5Handle h5_space(const std::vector<std::int64_t>& dims) {
  const std::vector<hsize_t> extents(dims.begin(), dims.end());
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose};
}

H5Handle h5_access() {
  H5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  herr_t ok = H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
#if H5_VERSION_GE(1, 10, 7)
  if (ok >= 0) ok = H5Pset_file_locking(access.id(), false, true);
#endif
  if (ok < 0) fail_call("H5Pset_libver_bounds", "file access", h5_error_text());
  return access;
}

}  // namespace detail

}  // namespace puma::dist
