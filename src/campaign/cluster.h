// Slurm's commands: sbatch, squeue, scancel, sinfo. No state of its own.
// Tests: tests/cli/slurm_test.py.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace lem::campaign {

/// An array of tasks, each a call of `command` with `first` + its index as the last argument.
struct Submission {
  std::string name;
  std::vector<std::string> command;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::string log;  // of what the tasks print
  int cores = 1;
  std::uint64_t memory_mb = 0;  // 0: the partition's default
  std::string minutes{};        // limit of time; empty: the partition's default
  std::vector<std::string> arguments{};
};

/// A task in the queue that is not at its end.
struct Task {
  std::string name;         // of the submission
  std::int64_t number = 0;  // of the array
  std::int64_t index = 0;   // in it
  bool held = false;        // it waits for an administrator
};

class Slurm {
 public:
  /// An error that says what is missing: commands, the controller, the partition.
  static Result<Slurm> find(const std::string& partition);

  /// Cores of the partition.
  int cores() const { return cores_; }
  /// Tasks that an array may have.
  std::int64_t most_tasks() const { return most_tasks_; }

  /// The number of the array.
  Result<std::int64_t> submit(const Submission& submission) const;
  /// This user's tasks whose names begin like that.
  Result<std::vector<Task>> tasks(const std::string& prefix) const;
  /// Arrays, or single tasks as NUMBER_INDEX.
  Status cancel(std::span<const std::string> what) const;

 private:
  Slurm() = default;
  std::string partition_;
  int cores_ = 1;
  std::int64_t most_tasks_ = 1000;
};

/// In quotes for a shell.
std::string quoted(const std::string& word);

}  // namespace lem::campaign
