// SPDX-License-Identifier: Apache-2.0
#include "dist/failure.hpp"

#include <new>

namespace puma::dist {

Error as_error(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(
        ExitCode::task_failed, "the memory is not enough", "an allocation failed",
        "Use more ranks on more nodes, fewer ranks per node, or a machine with more memory.");
  } catch (const std::exception& error) {
    return Error(ExitCode::internal, "unexpected failure", error.what(), "Please report it.");
  } catch (...) {
    return Error(ExitCode::internal, "unexpected failure", "an exception of an unknown type",
                 "Please report it.");
  }
}

}  // namespace puma::dist
