// The two paths of k-induction for many properties at once: one from the initial states, one from
// anywhere, both as long as asked for. One unrolling serves every property.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>

#include "model/problem.h"
#include "model/verdict.h"
#include "smt/smt_solver.h"

namespace lem::run {

/// Properties are numbers of the problem's.
using Properties = std::span<const std::size_t>;

class Paths {
 public:
  virtual ~Paths() = default;

  /// One step more on both paths; the first call gives step 0.
  virtual void extend() = 0;

  // Unknown: the question took too long, or the run is stopped.

  // The path from the initial states.
  /// Whether one of them fails at the last step.
  virtual smt::Answer some_fails(Properties among) = 0;
  /// After Sat: whether this one does, and the run.
  virtual bool fails(std::size_t property) = 0;
  virtual Run run() = 0;
  /// From now on: none of them fails at the last step.   require: some_fails() said Unsat
  virtual void none_fails(Properties among) = 0;

  // The path from anywhere.
  /// Whether one of `among` may fail at the last step when none of `good` fails at the steps
  /// before.
  virtual smt::Answer some_fails_after_good(Properties good, Properties among) = 0;
  /// After Sat: whether this one does.
  virtual bool fails_after_good(std::size_t property) = 0;
  /// From now on none of them fails at any step.   require: they are invariants
  virtual void never_fail(Properties invariants) = 0;
};

/// Paths on which these properties of the problem can be asked about; of the model they have its
/// cone alone. Borrows the problem. Each question may take so long.   require: bits or terms
std::unique_ptr<Paths> make_paths(const Problem& problem, Properties properties,
                                  std::chrono::milliseconds limit, const std::stop_token& stop);

}  // namespace lem::run
