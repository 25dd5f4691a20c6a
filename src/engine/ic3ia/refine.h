// Simulation of abstract counterexamples and refinement [Cimatti14 3.3, with the erratum: the
// simulated path ends in Bad].
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/ic3ia/options.h"
#include "engine/ic3ia/predicates.h"
#include "engine/parts/query/back_off.h"
#include "engine/parts/query/divergence.h"
#include "engine/parts/terms/path_parts.h"
#include "engine/parts/terms/system.h"
#include "smt/interpolate/interpolator.h"
#include "smt/smt_solver.h"

namespace lem::engine {

/// A concrete counterexample, or predicates that rule the abstract one out; neither if all sources
/// failed.
struct Refinement {
  std::optional<TermTrace> trace;
  std::vector<Term> predicates;
};

class Refiner {
 public:
  /// Borrows all three.
  Refiner(TermSystem& system, const Ic3iaConfig& config, const Context& ctx);

  /// `path`: cubes s_0 .. s_k of formulas over X, s_k implies Bad.
  Refinement refine(const std::vector<std::vector<Term>>& path, const Predicates& known);

 private:
  /// The disjuncts of Trans that lead from one cube to the next, as few as can be.
  std::vector<Term> step_between(const std::vector<Term>& from, const std::vector<Term>& to);
  enum class Try : std::uint8_t { First, Promising, All };
  std::vector<Term> ask_sources(const std::vector<std::vector<Term>>& path, const PathParts& parts,
                                const Predicates& known, Try which);
  Term shape_of(Term atom) const;
  bool only_new_constants(const std::vector<Term>& predicates) const;
  std::vector<Term> under(const std::vector<Term>& from, const std::vector<Term>& to,
                          const std::vector<Term>& step);
  enum class Cubes : std::uint8_t { All, Control };
  PathParts parts_of(const std::vector<std::vector<Term>>& path, Cubes cubes = Cubes::All);
  PathAnswer simulate(PathParts parts);
  std::vector<Term> predicates_of(const smt::Sequence& sequence, const Predicates& known) const;
  /// The new predicates that exclude the path together with those of the cubes; nullopt if all of
  /// them do not.
  std::optional<std::vector<Term>> needed(const std::vector<std::vector<Term>>& path,
                                          const Predicates& known, std::vector<Term> fresh);

  TermSystem& system_;
  TermStore& terms_;
  const Ic3iaConfig& config_;
  const Context& ctx_;
  TermUnroller concrete_;
  TermUnroller abstract_;  // position 2h: X^h, position 2h + 1: its twin in the same abstract state
  std::unique_ptr<smt::SmtSolver> simulator_;
  // Commands: the disjuncts of Trans, each under a selector; empty if there is only one.
  std::vector<Term> commands_, selectors_;
  Term disjunction_;
  std::unique_ptr<smt::SmtSolver> chooser_;
  std::uint32_t patience_;  // milliseconds for a source; grows when all fail
  std::vector<std::unique_ptr<smt::Interpolator>> sources_;
  static constexpr std::uint32_t kGrace = 1, kMostFailures = 5;
  std::vector<BackOff> reputations_;  // of each source
  BackOff commands_first_{kGrace, kMostFailures}, second_opinions_{0, kMostFailures};
  static constexpr std::uint32_t kMany = 4;
  Divergence<Term> sums_{kMany};  // of predicates
};

}  // namespace lem::engine
