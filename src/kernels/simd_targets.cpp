// SPDX-License-Identifier: Apache-2.0
#include <hwy/targets.h>

#include <stdexcept>

#include "kernels/detail/scores_simd.hpp"

namespace puma::kernels::detail {

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

void use_simd_target(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  if (name.empty()) {
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    if (hwy::TargetName(target) != name) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  throw std::invalid_argument("no such instruction set here: " + name);
}

}  // namespace puma::kernels::detail
