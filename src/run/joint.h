// Several properties as one question: does any of them fail? One transformed model and one run of
// an engine then serve them all. A proof of the joint property proves each member; a run that
// violates it violates the members that fail at its last step, and is a run of the original. In an
// automaton the edges to the error location of a member lead to a common one. Tests:
// tests/unit/run/joint_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "run/question.h"

namespace lem::run {

/// An inductive invariant: one that holds after a step if it holds before, k = 1.
bool is_inductive(const Certificate& certificate);

/// A property that was proved, with an inductive certificate for it alone.
struct Proved {
  std::size_t property;
  const Certificate& certificate;
};

class Joint final : public Step {
 public:
  /// Disjunction: one property that fails where a member does. Several: the members, for an engine
  /// that takes several.
  enum class Form : std::uint8_t { Disjunction, Several };
  /// Borrows `problem` and the certificates. That properties of `proved` do not fail becomes a
  /// constraint.
  ///   require: at least one member; programs: nothing proved
  Joint(const Problem& problem, std::vector<std::size_t> members, std::vector<Proved> proved = {},
        Form form = Form::Disjunction);

  /// The same model with the disjunction of the members as its one property, or with each.
  const Problem& problem() const override { return joint_; }
  /// A proof about problem() proves what it speaks of for the original; a run violates the members
  /// that fail at its last step. nullopt if none does.
  std::optional<Found> back(Found found) const override;

 private:
  /// Whether problem() is the original with one property.
  bool is_plain() const { return members_.size() == 1 && proved_.empty(); }
  /// From one for problem() to one for the original: together with "no member fails" it is
  /// inductive there. It contains the certificates of what was proved before.
  void carry(InductiveInvariant& joint) const { carry_clauses(joint.clauses); }
  void carry(KInductive& joint) const { carry_clauses(joint.clauses); }
  void carry(TermInvariant& joint) const;
  void carry(LocationInvariants& joint) const;
  void carry(Interpretation& /*joint*/) const {}  // a Horn system has one property
  // Justice properties are not joined.
  void carry(LiveProof& /*joint*/) const {}
  void carry(TermLiveProof& /*joint*/) const {}
  void carry_clauses(std::vector<SignalClause>& clauses) const;
  /// The members that fail at the last step of a run of problem().
  std::vector<std::size_t> violated(const Run& run) const;
  /// Whether the property fails at the end of the run.
  std::function<bool(std::size_t)> at_end(const Trace& run) const;
  std::function<bool(std::size_t)> at_end(const TermTrace& run) const;
  std::function<bool(std::size_t)> at_end(const CfaTrace& run) const;
  std::function<bool(std::size_t)> at_end(const Derivation& run) const;
  void add_proved(std::vector<SignalClause>& clauses) const;

  const Problem& original_;
  std::vector<std::size_t> members_;
  std::vector<Proved> proved_;
  Form form_;
  Problem joint_;
};

}  // namespace lem::run
