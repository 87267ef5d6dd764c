// SPDX-License-Identifier: Apache-2.0
#include "study/task_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "dist/claim.hpp"
#include "dist/failure.hpp"
#include "dist/files.hpp"
#include "dist/log.hpp"
#include "dist/signals.hpp"
#include "study/task_board.hpp"

namespace puma::study {

using dist::ExitCode;
using dist::LogLevel;
using State = TaskBoard::State;

namespace {

constexpr auto kPoll = std::chrono::milliseconds(500);

enum Next : std::int64_t { finished = -1, wait = -2 };  // else the number of a claimed task

// One process's side of the work: claims, and what is written beside the outputs.
class Worker {
 public:
  Worker(Store& store, TaskBoard& board, std::int64_t max_fails)
      : store_(store), board_(board), max_fails_(max_fails) {}

  // Claims the first task that is ready.
  std::int64_t next() {
    if (dist::stop_requested()) return finished;
    const bool enough =
        max_fails_ >= 0 && board_.count(State::failed) >= std::max<std::int64_t>(1, max_fails_);
    bool somebody_works = false;
    for (std::size_t i = 0; i < board_.size(); ++i) {
      const State state = board_.state(i);
      somebody_works = somebody_works || state == State::held;
      if (state != State::ready || enough) continue;
      claim_ = dist::Claim::try_acquire(store_.claim_file(board_.task(i).id));
      somebody_works = somebody_works || !claim_;
      // Between the look and the claim another process may have finished or failed it.
      if (claim_ && board_.unclaimed_state(i) == State::ready) return begin(i);
      claim_.reset();
    }
    return somebody_works ? wait : finished;
  }

  void succeed(const Task& task, const dist::Manifest& manifest, const dist::Comm& comm) {
    nlohmann::json record = manifest.finish(comm);
    for (const auto& output : record["outputs"]) {
      if (!output.contains("bytes")) {
        throw dist::Error(ExitCode::internal, fmt::format("'{}' ended without its output {}",
                                                          task.label, output.value("path", "")));
      }
    }
    if (record["outputs"].empty()) {
      throw dist::Error(ExitCode::internal,
                        fmt::format("'{}' ended without any output", task.label));
    }
    store_.record_done(task, std::move(record));
    close(task, "done", LogLevel::info, "");
  }

  void fail(const Task& task, const dist::Error& error) {
    if (error.code() == ExitCode::terminated || error.code() == ExitCode::interrupted) {
      close(task, "stopped", LogLevel::info, "");
      return;
    }
    store_.record_failure(task, error.what(), static_cast<int>(error.code()));
    close(task, "failed", LogLevel::error, std::string(": ") + error.what());
  }

 private:
  std::int64_t begin(std::size_t i) {
    const Task& task = board_.task(i);
    const auto folder = store_.folder(task);
    std::filesystem::create_directories(folder);
    dist::remove_stale_temporaries(folder);
    store_.ledger(task, "started");
    dist::log_local(LogLevel::info,
                    fmt::format("started {} ({})", task.label, task.id.substr(0, 8)));
    return static_cast<std::int64_t>(i);
  }

  void close(const Task& task, const std::string& event, LogLevel level, const std::string& why) {
    store_.ledger(task, event);
    dist::log_local(level,
                    fmt::format("{} {} ({}){}", event, task.label, task.id.substr(0, 8), why));
    claim_.reset();
  }

  Store& store_;
  TaskBoard& board_;
  std::int64_t max_fails_;
  std::optional<dist::Claim> claim_;
};

using Work = std::function<void(const dist::Context&, const Task&, dist::Manifest&)>;

// Every rank for itself. Nobody waits in a collective call: that would burn a core; they look at
// the files.
void run_alone(const dist::Context& context, TaskBoard& board, Worker& worker, const Work& work) {
  dist::Context own = context;
  own.comm = dist::Comm();
  while (true) {
    const std::int64_t next = worker.next();
    if (next == finished) return;
    if (next == wait) {
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    const Task& task = board.task(static_cast<std::size_t>(next));
    dist::Manifest manifest(task.label);
    try {
      work(own, task, manifest);
      worker.succeed(task, manifest, own.comm);
    } catch (...) {
      worker.fail(task, dist::as_error(std::current_exception()));
    }
  }
}

// True when it is an error that every rank has seen: the communicator is still in step.
bool shared_by_all(const std::exception_ptr& exception, const dist::Comm& comm) {
  if (comm.size() == 1) return true;
  try {
    std::rethrow_exception(exception);
  } catch (const dist::AgreedError& error) {
    return error.ranks() == comm.size();
  } catch (...) {
    return false;
  }
}

void run_together(const dist::Context& context, TaskBoard& board, Worker& worker,
                  const Work& work) {
  const dist::Comm& comm = context.comm;
  while (true) {
    std::int64_t next = finished;
    const bool stop = !comm.all_of(!dist::stop_requested());
    dist::agree(comm, [&] {
      if (comm.is_root() && !stop) next = worker.next();
    });
    comm.broadcast(std::span(&next, 1));
    if (next == finished) return;
    if (next == wait) {
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    const Task& task = board.task(static_cast<std::size_t>(next));
    dist::Manifest manifest(task.label);
    std::optional<dist::Error> error;
    try {
      work(context, task, manifest);
      dist::agree(comm, [&] {
        if (comm.is_root()) worker.succeed(task, manifest, comm);
      });
    } catch (...) {
      const auto exception = std::current_exception();
      if (!shared_by_all(exception, comm)) throw;
      error = dist::as_error(exception);
    }
    if (error) {
      dist::agree(comm, [&] {
        if (comm.is_root()) worker.fail(task, *error);
      });
    }
  }
}

ExitCode verdict(TaskBoard& board) {
  std::int64_t unfinished = 0, failed = 0;
  for (std::size_t i = 0; i < board.size(); ++i) {
    const State state = board.state(i);
    if (state == State::failed || state == State::blocked) ++failed;
    if (state != State::done) ++unfinished;
  }
  if (failed > 0) return ExitCode::task_failed;
  return unfinished > 0 ? ExitCode::incomplete : ExitCode::done;
}

}  // namespace

ExitCode run_tasks(const dist::Context& context, const TaskGraph& graph, Store& store,
                   const TaskLoopOptions& options, const Work& work) {
  const dist::Comm& comm = context.comm;
  std::optional<TaskBoard> board;
  dist::agree(comm, [&] { board.emplace(graph, store, options.kind, options.only); });
  // Every board has seen the earlier failures before anybody can add one.
  comm.barrier();
  Worker worker(store, *board, options.max_fails);
  if (options.sharing == Sharing::one_rank) {
    run_alone(context, *board, worker, work);
    comm.barrier();
  } else {
    run_together(context, *board, worker, work);
  }
  std::int64_t code = 0;
  dist::agree(comm, [&] {
    if (comm.is_root()) code = static_cast<std::int64_t>(verdict(*board));
  });
  comm.broadcast(std::span(&code, 1));
  return static_cast<ExitCode>(code);
}

}  // namespace puma::study
