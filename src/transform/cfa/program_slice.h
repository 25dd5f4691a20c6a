// A program with nothing but what some of its properties depend on: branches that decide about
// nothing relevant are passed by, other assignments and guards do nothing. It has every run of the
// original, and more where a loop that is passed by does not end or another assertion fails: a
// proof carries over, a run need not. Tests: tests/unit/run/program_slice_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "transform/cfa/dependence.h"

namespace lem::transform {

class ProgramSlice {
 public:
  /// Borrows the problem.   require: a program; at least one member
  ProgramSlice(const Problem& problem, const Dependence& dependence,
               std::vector<std::size_t> members);

  /// One property: no member fails.
  const Problem& problem() const { return slice_; }
  /// Variables that are left.
  std::size_t size() const { return slice_.cfa().variables().size(); }
  /// For the original; nothing if the claims do not suffice.
  std::optional<LocationInvariants> certificate(const LocationInvariants& claim) const;

 private:
  Problem made(const Dependence& dependence);
  Command reduced(const Command& command, bool guards) const;
  bool every_loop_has_a_claim(const LocationInvariants& claim) const;
  void pass_by(const Dependence& dependence, LocationId branch, LocationId meeting);

  const Problem& original_;
  std::vector<std::size_t> members_;
  Dependence::Relevant relevant_;
  std::vector<std::vector<LocationId>> passed_;  // by location: branches that pass it by
  std::vector<bool> hidden_;                     // by location: it lies behind other errors alone
  Problem slice_;
};

}  // namespace lem::transform
