// What TreeIC3 asks: whether a step leads from a node's lemmas into a cube (formula 4.1 of
// [Lange18]: no !c in the premise). One solver for each step, kept for the whole search: its guards
// are asserted, lemmas and literals of cubes are switched on by assumptions, each asserted once.
//
// Answers are remembered as facts "these lemmas before the step exclude this cube after it", which
// hold at every node: a tree visits the same step with the same lemmas again and again.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/context.h"
#include "engine/parts/cfa/literals.h"
#include "engine/parts/cfa/steps.h"
#include "engine/parts/query/asker.h"
#include "engine/parts/query/queries.h"
#include "engine/treeic3/lemmas.h"
#include "smt/smt_solver.h"

namespace lem::engine {

class StepQueries {
 public:
  StepQueries(CfaSteps& steps, CfaLiterals& literals, Lemmas& lemmas, const Context& ctx);

  struct Core {
    std::vector<LemmaId> before;
    std::vector<Lit> cube;
  };
  struct Reply {
    smt::Answer answer;
    Core core;  // after Unsat: what was needed
    bool blocked() const { return answer == smt::Answer::Unsat; }
  };
  /// Lemmas of `before` & step & cube'.
  smt::Answer ask(const NodeLemmas& before, StepId step, std::span<const Lit> cube);
  /// The same with the core.
  Reply ask_why(const NodeLemmas& before, StepId step, std::span<const Lit> cube);
  /// Whether a fact settles that the lemma holds after the step.
  bool known(const NodeLemmas& before, StepId step, LemmaId after) const;
  /// Adds the fact that these lemmas before the step suffice for the one after it.
  void record(StepId step, LemmaId after, std::vector<LemmaId> before);

  /// After Sat of ask() about the step: of its model.
  Term value(StepId step, Term term) { return askers_[index(step)].solver->value(term); }
  smt::Projector* projector(StepId step) { return askers_[index(step)].solver->projector(); }
  /// Time that ask() has taken.
  double seconds() const { return queries_.seconds(); }

 private:
  using Fact = std::vector<LemmaId>;  // what suffices before the step
  Asker& asker(StepId step);
  void assert_lemma(Asker& asker, LemmaId id);
  void assert_literal(Asker& asker, StepId step, Lit lit);
  Term label(LemmaId id) { return labels_.in_order(index(id)); }

  CfaSteps& steps_;
  CfaLiterals& literals_;
  Lemmas& lemmas_;
  const Context& ctx_;
  TermStore& terms_;
  std::vector<Asker> askers_;                          // by step, opened when needed
  std::vector<std::vector<std::vector<Fact>>> facts_;  // by step and lemma after it
  Labels labels_;                                      // by lemma
  Queries queries_;
};

}  // namespace lem::engine
