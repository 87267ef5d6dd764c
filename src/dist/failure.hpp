// SPDX-License-Identifier: Apache-2.0
// Failures as values: what crosses from one rank to the others, and what a job prints at its end.
#pragma once

#include <exception>

#include "dist/error.hpp"

namespace puma::dist {

// Any exception as an Error: those that are none become ExitCode::internal with their own words.
Error as_error(const std::exception_ptr& exception);

// What agree() throws: the same on all `ranks` ranks, so that one of them prints it and none waits
// for another.
class AgreedError : public Error {
 public:
  AgreedError(const Error& error, int rank, int ranks) : Error(error), rank_(rank), ranks_(ranks) {}
  int rank() const { return rank_; }    // where it happened, within the group that agreed
  int ranks() const { return ranks_; }  // how many know

 private:
  int rank_, ranks_;
};

}  // namespace puma::dist
