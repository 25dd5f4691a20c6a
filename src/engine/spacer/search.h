// The state of one run of spacer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/common/outcome.h"
#include "engine/parts/terms/inequalities.h"
#include "engine/spacer/options.h"
#include "engine/spacer/predicate_solver.h"
#include "model/verdict.h"
#include "smt/interpolate/interpolator.h"

namespace lem::engine {

class SpacerSearch {
 public:
  SpacerSearch(const HornSystem& system, const Context& ctx);
  Verdict run();

 private:
  /// Of an obligation: tuples of the predicate that must be shown underivable within its level.
  struct Tuples {
    PredicateId predicate{};
    std::vector<Term> cube{};    // over params
    std::size_t facts_seen = 0;  // one more than the facts there were when it was last derived
  };

  Outcome reach_query();
  bool query_blocked() const;
  Outcome discharge(ObligationId id, Level level);
  std::optional<FactId> derive(ObligationId id);
  FactId add_fact(Fact fact);
  Outcome split(ObligationId id, Level level);
  bool put_on_facts(PredicateSolver::Asked& asked, const CallRule& rule, PredicateId predicate);
  std::optional<std::size_t> open_premise(const std::vector<bool>& on_facts) const;
  Verdict derivation();

  // lemmas.cpp
  Outcome block(ObligationId id, Level level);
  std::vector<std::vector<Term>> generalize(PredicateId predicate, Level level,
                                            std::vector<Term> core);
  Term successors(PredicateId predicate, Level level) const;
  std::vector<std::vector<Term>> interpolant(PredicateId predicate, Level level,
                                             const std::vector<Term>& core);
  std::vector<Term> drop(PredicateId predicate, Level level, std::vector<Term> cube);
  Level add_lemma(PredicateId predicate, Level level, std::vector<Term> cube);
  void publish(PredicateId predicate, const CallLemma& lemma);
  bool push_up(PredicateId predicate, CallLemma& lemma);
  std::optional<Level> propagate();
  Term may_summary(PredicateId predicate, Level level) const;
  Interpretation interpretation(Level level) const;
  std::vector<Term> cube_of(std::span<const Term> literals) const;
  BitOrders compared_orders() const;

  smt::Answer ask(PredicateId predicate, PredicateSolver::Asked asked);
  PredicateSolver& solver(PredicateId predicate) { return *solvers_[predicate]; }
  bool stopped() const { return ctx_.stopped() || gave_up_; }
  std::string progress() const;

  const Context& ctx_;
  SpacerConfig config_;
  CallRules rules_;
  TermStore& terms_;
  Summaries summaries_;
  LevelLiterals levels_;
  std::vector<std::unique_ptr<PredicateSolver>> solvers_;  // by predicate
  std::unique_ptr<smt::Interpolator> interpolator_;
  BitOrders orders_;
  ObligationQueue<Tuples> obligations_;
  Level top_{0};
  bool gave_up_ = false;  // a solver gave no model that can be written down
  Counter& queries_;
  Counter& lemma_count_;
  Counter& fact_count_;
  Counter& interpolants_;
};

}  // namespace lem::engine
