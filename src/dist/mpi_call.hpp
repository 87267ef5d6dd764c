// SPDX-License-Identifier: Apache-2.0
// Every MPI call is checked: PUMA_MPI(MPI_Barrier(comm)) throws with the call's name and MPI's own
// words.
#pragma once

#include <mpi.h>

#include "dist/error.hpp"

namespace puma::dist::detail {

inline void check_mpi(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(status, words, &length) != MPI_SUCCESS) length = 0;
  const std::string_view whole(call);
  fail_call(whole.substr(0, whole.find('(')), "",
            std::string_view(words, static_cast<std::size_t>(length)));
}

}  // namespace puma::dist::detail

#define PUMA_MPI(call) ::puma::dist::detail::check_mpi(call, #call)
