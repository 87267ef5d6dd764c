// SPDX-License-Identifier: Apache-2.0
#include "model/memory_plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "dist/error.hpp"

namespace puma::model {

namespace {
// Arrays [rows of a step, dictionary] alive at the end of a forward pass: pre-activations, ReLU,
// code, AuxK's mask and code, and a gradient or two.
constexpr double kActivations = 8;
constexpr double kFloat = 4;
}  // namespace

double planned_bytes(const config::Recipe& recipe, const TrainingSize& size) {
  const double d = static_cast<double>(size.dim), D = static_cast<double>(size.dictionary);
  const double parameters = 2 * D * d + D + d;
  const double vectors_a_query =
      2.0 + (recipe.stage3_steps > 0 ? static_cast<double>(recipe.negatives) : 0.0);
  const double step_rows = vectors_a_query * static_cast<double>(recipe.batch);
  return kFloat *
         (static_cast<double>(size.rows) * d + 4 * parameters + kActivations * step_rows * D);
}

void check_planned_bytes(const config::Recipe& recipe, const TrainingSize& size,
                         const dist::Device& device) {
  const double planned = planned_bytes(recipe, size);
  const double memory = device.cuda ? static_cast<double>(device.memory_bytes)
                                    : static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                                          static_cast<double>(sysconf(_SC_PAGESIZE));
  if (memory <= 0 || planned <= memory) return;
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  throw dist::Error(dist::ExitCode::task_failed,
                    fmt::format("the training needs {:.1f} GiB, {} has {:.1f} GiB", planned / gib,
                                device.cuda ? device.name : "this machine", memory / gib),
                    fmt::format("d={}, D={}, {} cached rows, batch {}", size.dim, size.dictionary,
                                size.rows, recipe.batch),
                    "Use a smaller expansion or batch, or a device with more memory.");
}

}  // namespace puma::model
