// SPDX-License-Identifier: Apache-2.0
// Element types of safetensors that fill whole bytes.
#pragma once

#include <string_view>

namespace puma::data {

// Bytes per element; 0 for a type that this program does not know.
int safetensors_element_bytes(std::string_view dtype);

}  // namespace puma::data
