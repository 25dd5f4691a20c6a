// The queries about one predicate, to one incremental solver: its rules, each under a tag; lemmas
// at every position of their bodies, under the level that they hold for; facts at every position,
// under a literal that asks for them there. Tests: tests/unit/engine/spacer/spacer_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/context.h"
#include "engine/spacer/summaries.h"
#include "smt/solvers.h"

namespace lem::engine {

/// Literals that switch the lemmas of a level on, in bodies and for the head: the same for all
/// predicates.
class LevelLiterals {
 public:
  explicit LevelLiterals(TermStore& terms) : terms_(terms) {}
  Term in_body(Level level) { return literal(body_, level); }
  Term at_head(Level level) { return literal(head_, level); }

 private:
  Term literal(std::vector<Term>& list, Level level) {
    while (list.size() <= index(level)) list.push_back(terms_.fresh("level", terms_.bool_sort()));
    return list[index(level)];
  }
  TermStore& terms_;
  std::vector<Term> body_;
  std::vector<Term> head_;
};

class PredicateSolver {
 public:
  PredicateSolver(const CallRules& rules, PredicateId predicate, const Summaries& summaries,
                  LevelLiterals& levels, const Context& ctx);

  /// What the next query is about: tuples of the cube that a rule derives.
  struct Asked {
    std::span<const Term> cube;
    /// Bodies have the lemmas of the level below, heads those of this level. None: bodies have
    /// facts at every position.
    std::optional<Level> level{};
    Level top{};                        // levels in use
    std::optional<std::size_t> rule{};  // this rule alone
    std::vector<bool> on_facts{};       // positions of that rule which have facts
    std::optional<Term> assumed{};      // a lemma of the predicate, in its own bodies
  };
  smt::Answer ask(const Asked& asked);
  /// After Unsat: the part of the cube that was needed.
  std::vector<Term> core() const;
  /// After Sat: a rule that the model uses.
  std::size_t rule() const;
  Term value(Term term) const { return solver_->value(term); }
  /// After Sat: literals over other variables than these that imply the formula for some values of
  /// them, and hold in the model. nullopt if the model cannot be written down.
  std::optional<std::vector<Term>> project(Term formula, std::span<const Term> eliminate);
  /// After Sat: a fact that holds of an atom's arguments in the model.
  std::optional<FactId> fact_at(const HornAtom& atom) const;

  void add_lemma(PredicateId of, const CallLemma& lemma);
  void add_fact(PredicateId of, Term fact);

 private:
  struct Position {
    Term use;   // asks for facts here
    Term rest;  // "none of the facts so far"
  };
  struct Tagged {
    Term tag;  // the rule is used
    std::vector<Position> positions;
  };

  void rebuild();
  Term label(Term literal);
  void assume_levels(const Asked& asked);
  void assume_facts(const Asked& asked);

  const CallRules& rules_;
  PredicateId predicate_;
  const Summaries& summaries_;
  LevelLiterals& levels_;
  TermStore& terms_;
  smt::Solvers solvers_;
  std::unique_ptr<smt::SmtSolver> solver_;
  std::vector<Tagged> tagged_;  // by rule
  std::unordered_map<Term, Term> labels_;
  std::unordered_map<Term, Term> literal_of_;  // by label
  std::vector<Term> assumptions_;
  std::size_t added_ = 0;  // formulas since the solver was made
};

}  // namespace lem::engine
