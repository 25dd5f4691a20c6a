// The induction of a proof about a control-flow automaton: lemmas at locations, and the paths from
// one location with a claim to the next. Tests: tests/unit/explain/lemmas_test.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include "explain/lemmas.h"
#include "explain/oracle.h"
#include "model/evidence/cfa.h"
#include "model/symbolic_run.h"

namespace lem::explain {

struct LocationLemma {
  LocationId at{};
  Term holds;
};

/// Conjuncts of the claims, by location; none of the initial and the error location.
std::vector<LocationLemma> lemmas_of(const Cfa& cfa, const LocationInvariants& claim);
/// The claim with these lemmas only, at the same locations.
LocationInvariants claim_of(const Cfa& cfa, const LocationInvariants& claim,
                            std::span<const LocationLemma> lemmas);

class CfaInduction final : public Induction {
 public:
  /// Executes all paths. Check complete() before use.
  ///   require: the claim was accepted and unwinds no loop; the automaton outlives this
  CfaInduction(const Cfa& cfa, const LocationInvariants& claim, std::vector<LocationLemma> lemmas,
               const std::stop_token& stop);

  /// False if the execution was stopped.
  bool complete() const { return complete_; }
  std::size_t size() const override { return lemmas_.size(); }
  Support support(std::span<const std::size_t> kept, std::size_t goal) override;

 private:
  using State = SymbolicRun::State;
  struct Arrivals {
    LocationId at{};
    std::vector<State> states;
  };
  /// The end of some paths: where they start, where they end, and what then is the case.
  struct Path {
    std::size_t start;
    LocationId to{};
    State end;
  };

  void order_open_locations();
  void execute_from(LocationId start);
  void leave(LocationId here, const State& state);
  State meet(const std::vector<State>& ends);
  Support along(const Path& path, std::span<const std::size_t> kept, Term goal);

  const Cfa& cfa_;
  TermStore& terms_;
  const LocationInvariants& claim_;
  std::vector<LocationLemma> lemmas_;
  std::stop_token stop_;
  bool complete_ = true;
  std::vector<std::uint32_t> order_;  // by location without a claim: higher than its successors
  std::map<std::uint32_t, Arrivals, std::greater<>> arrived_;  // by order, the next one first
  std::set<Term> read_;                                        // variables that matter
  std::vector<Term> fresh_;
  SymbolicRun symbolic_;
  std::vector<Path> paths_;
  std::vector<std::unique_ptr<Implication>> starts_;  // by start: the lemmas there
};

}  // namespace lem::explain
