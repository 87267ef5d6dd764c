// SPDX-License-Identifier: Apache-2.0
// How a job works through a study's tasks: what is done is skipped, what is claimed elsewhere is
// left alone, a failing task is recorded and the next one is claimed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dist/context.hpp"
#include "dist/error.hpp"
#include "dist/manifest.hpp"
#include "study/store.hpp"
#include "study/task.hpp"

namespace puma::study {

enum class Sharing {
  one_rank,   // every rank claims tasks of its own (train, evaluate): `work` gets a context whose
              // comm is the null communicator
  all_ranks,  // the ranks work together on one task after another (import, encode, score,
              // aggregate): the root claims for all
};

struct TaskLoopOptions {
  TaskKind kind;
  Sharing sharing = Sharing::one_rank;
  std::vector<std::string> only;  // task ids (or unambiguous prefixes); empty: all of the kind
  std::int64_t max_fails = -1;    // stop claiming after so many failures; -1: never
};

// `work` writes its outputs into store.folder(task) and fills the manifest (add_output for each).
// Errors it throws are recorded as the task's failure; in all_ranks mode it must throw on all ranks
// alike (dist::agree) or not at all; any other exception there ends the job. Work that a stop
// signal interrupted throws Error(ExitCode::terminated): nothing is recorded, the next run goes on.
// An earlier failure is retried. Returns done, task_failed when any task of ours failed or could
// not start because a parent failed, incomplete when parents are missing or a stop was asked for.
// Waits for tasks that others hold. Collective.
dist::ExitCode run_tasks(
    const dist::Context& context, const TaskGraph& graph, Store& store,
    const TaskLoopOptions& options,
    const std::function<void(const dist::Context&, const Task&, dist::Manifest&)>& work);

}  // namespace puma::study
