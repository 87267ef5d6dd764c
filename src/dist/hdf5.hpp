// SPDX-License-Identifier: Apache-2.0
// HDF5 files: collective writing over ranks, and reading by mapping. Handles are move-only and
// closed once; every HDF5 call is checked and its error stack kept in the message. All HDF5 calls
// come from the thread that made the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dist/comm.hpp"
#include "dist/partition.hpp"

namespace puma::dist {

enum class H5Type { u8, u16, u32, u64, i64, f32, f64, text };  // text: fixed length, null padded

struct H5Shape {
  H5Type type = H5Type::u8;
  std::int64_t text_bytes = 0;     // length of a text element, else 0
  std::vector<std::int64_t> dims;  // row-major; dims[0] are rows
  std::int64_t element_bytes() const;
  std::int64_t row_bytes() const;
};

// Writes one file, to a temporary name that commit() publishes. Without commit (an exception)
// nothing appears. Every member is collective over the communicator. No object times are stored, so
// equal content is equal bytes.
class H5Writer {
 public:
  // transfer_bytes: the most that one rank moves per round; smaller only in tests.
  H5Writer(const Comm& comm, std::filesystem::path target,
           std::int64_t transfer_bytes = std::int64_t{1} << 30);
  H5Writer(H5Writer&&) noexcept;
  H5Writer& operator=(H5Writer&&) noexcept;
  ~H5Writer();

  void attribute(const std::string& name, const std::string& value);
  void attribute(const std::string& name, std::int64_t value);

  // A contiguous data set, of which this rank writes rows `mine` (ranges of all ranks must tile [0,
  // dims[0]); an empty range is fine). Transfers are cut so that no rank moves more than 1 GiB at a
  // time, in equally many rounds on every rank; collective I/O is asked for and its having happened
  // is checked.
  void dataset(const std::string& name, const H5Shape& shape, RowRange mine,
               std::span<const std::byte> rows);

  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Reads one file, untrusted: wrong magic, truncation, missing names and odd shapes are input errors
// that name the file.
class H5Reader {
 public:
  explicit H5Reader(std::filesystem::path file);
  H5Reader(H5Reader&&) noexcept;
  H5Reader& operator=(H5Reader&&) noexcept;
  ~H5Reader();

  const std::filesystem::path& file() const;
  bool has_attribute(const std::string& name) const;
  std::string text_attribute(const std::string& name) const;
  std::int64_t int_attribute(const std::string& name) const;

  bool has_dataset(const std::string& name) const;
  std::vector<std::string> dataset_names() const;
  H5Shape shape(const std::string& name) const;
  // Where the contiguous data set lies in the file, inside the file's bounds; else an input error.
  std::uint64_t offset(const std::string& name) const;
  // Rows [range) through H5Dread, raw bytes.
  std::vector<std::byte> read(const std::string& name, RowRange range) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// True when the file starts with the HDF5 signature.
bool is_hdf5(const std::filesystem::path& file);

}  // namespace puma::dist
