// SPDX-License-Identifier: Apache-2.0
#include "data/safetensors_header.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "data/text_lines.hpp"
#include "dist/error.hpp"

namespace puma::data {
namespace {

// Where the parser stands: outside, among the tensors, in the metadata, in one tensor, in one of
// its two lists.
enum class Place { outside, top, metadata, tensor, shape, offsets };

class Events : public nlohmann::json_sax<nlohmann::json> {
 public:
  Events(const std::filesystem::path& file, SafetensorsHeader& header)
      : file_(file), header_(header) {}

  bool null() override { refuse("null"); }
  bool boolean(bool value) override { refuse(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { refuse(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { refuse(text); }
  bool binary(binary_t&) override { refuse("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ != Place::shape && place_ != Place::offsets) refuse(std::to_string(value));
    list_.push_back(value);
    if (list_.size() > 32) refuse("a list of more than 32 numbers");
    return true;
  }

  bool string(string_t& text) override {
    if (place_ == Place::metadata) {
      header_.metadata[key_] = std::move(text);
    } else if (place_ == Place::tensor && key_ == "dtype") {
      entry().dtype = std::move(text);
    } else {
      refuse(fmt::format("\"{}\"", printable(text)));
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::outside) {
      place_ = Place::top;
    } else if (place_ == Place::top) {
      place_ = key_ == "__metadata__" ? Place::metadata : Place::tensor;
      if (place_ == Place::tensor) name_ = key_;
    } else {
      refuse("an object");
    }
    return true;
  }

  bool key(string_t& text) override {
    const bool again = place_ == Place::top        ? !seen_.emplace(text, 0).second
                       : place_ == Place::metadata ? header_.metadata.count(text) != 0
                       : text == "dtype"           ? entry().dtype.has_value()
                       : text == "shape"           ? entry().shape.has_value()
                                                   : entry().offsets.has_value();
    key_ = text;
    if (again) fail(fmt::format("key '{}' is given twice", printable(text)), "each key once", "");
    if (place_ == Place::top && text != "__metadata__") header_.tensors[text];
    if (place_ == Place::tensor && text != "dtype" && text != "shape" && text != "data_offsets") {
      fail(fmt::format("tensor '{}' has an unknown key", printable(name_)),
           "dtype, shape, data_offsets", fmt::format("'{}'", printable(text)));
    }
    return true;
  }

  bool end_object() override {
    if (place_ == Place::tensor) {
      const SafetensorsEntry& done = entry();
      if (!done.dtype || !done.shape || !done.offsets || done.offsets->size() != 2) {
        fail(fmt::format("tensor '{}' is not described", printable(name_)),
             "dtype, shape and two data_offsets", "less");
      }
    }
    place_ = place_ == Place::top ? Place::outside : Place::top;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::tensor || (key_ != "shape" && key_ != "data_offsets")) refuse("a list");
    place_ = key_ == "shape" ? Place::shape : Place::offsets;
    list_.clear();
    return true;
  }

  bool end_array() override {
    (place_ == Place::shape ? entry().shape : entry().offsets) = list_;
    place_ = Place::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) override {
    fail("the header is not valid JSON", "one JSON object in UTF-8",
         fmt::format("at byte {} of it: {}", position, printable(error.what())));
  }

 private:
  SafetensorsEntry& entry() { return header_.tensors[name_]; }

  [[noreturn]] void fail(const std::string& problem, const std::string& expected,
                         const std::string& found) const {
    dist::fail_input({file_.string(), problem, expected, found,
                      "The file is damaged, or is no safetensors file."});
  }

  [[noreturn]] void refuse(const std::string& found) const {
    switch (place_) {
      case Place::outside:
        fail("the header is no object", "a JSON object", found);
      case Place::top:
        fail(fmt::format("'{}' is no tensor", printable(key_)), "an object", found);
      case Place::metadata:
        fail(fmt::format("metadata '{}' is no text", printable(key_)), "a text", found);
      case Place::tensor:
        fail(fmt::format("'{}' of tensor '{}' is of the wrong kind", key_, printable(name_)),
             key_ == "dtype" ? "a text" : "a list of whole numbers", found);
      case Place::shape:
      case Place::offsets:
        break;
    }
    fail(fmt::format("'{}' of tensor '{}' is of the wrong kind", key_, printable(name_)),
         "whole numbers of at least 0", found);
  }

  const std::filesystem::path& file_;
  SafetensorsHeader& header_;
  Place place_ = Place::outside;
  std::string key_, name_;
  std::map<std::string, int> seen_;
  std::vector<std::uint64_t> list_;
};

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view json,
                                           const std::filesystem::path& file) {
  SafetensorsHeader header;
  Events events(file, header);
  nlohmann::json::sax_parse(json.begin(), json.end(), &events);
  return header;
}

}  // namespace puma::data
