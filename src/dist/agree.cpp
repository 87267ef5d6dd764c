// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <optional>

#include "dist/comm.hpp"
#include "dist/failure.hpp"

namespace puma::dist {
namespace {

std::optional<Error> failure_of(const std::function<void()>& local) {
  try {
    local();
    return std::nullopt;
  } catch (...) {
    return as_error(std::current_exception());
  }
}

}  // namespace

void agree(const Comm& comm, const std::function<void()>& local) {
  const std::optional<Error> mine = failure_of(local);
  const std::int64_t nobody = comm.size();
  const std::int64_t first = comm.all_reduce(mine ? comm.rank() : nobody, ReduceOp::min);
  if (first == nobody) return;

  const int root = static_cast<int>(first);
  auto code = static_cast<std::int64_t>(mine ? mine->code() : ExitCode::internal);
  comm.broadcast(std::span(&code, 1), root);
  const auto told = [&](const std::string& part) { return comm.broadcast(part, root); };
  const std::string problem = told(mine ? mine->problem() : "");
  const std::string why = told(mine ? mine->why() : "");
  const std::string suggestion = told(mine ? mine->suggestion() : "");
  throw AgreedError(Error(static_cast<ExitCode>(code), problem, why, suggestion), root,
                    comm.size());
}

}  // namespace puma::dist
