// SPDX-License-Identifier: Apache-2.0
// The element types of dense caches: names, widths, and their exact values in float32.
#include <bit>

#include "data/dense_cache.hpp"

namespace puma::data {

std::size_t vector_element_bytes(VectorType type) {
  return type == VectorType::f32 ? 4 : 2;
}

std::string to_string(VectorType type) {
  switch (type) {
    case VectorType::f16:
      return "f16";
    case VectorType::bf16:
      return "bf16";
    case VectorType::f32:
      break;
  }
  return "f32";
}

std::string to_string(CacheRole role) {
  return role == CacheRole::queries ? "queries" : "candidates";
}

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1FU;
  const std::uint32_t fraction = bits & 0x3FFU;
  // Subnormal halves are normal floats: fraction * 2^-24, exactly.
  std::uint32_t magnitude = std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F);
  if (exponent != 0) magnitude = ((exponent + 112) << 23) | (fraction << 13);
  if (exponent == 31) magnitude = 0x7F800000U | (fraction << 13);
  return std::bit_cast<float>(sign | magnitude);
}

float bfloat_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace puma::data
