#include "transform/horn/rewriting.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "smt/solvers.h"
#include "term/eliminate.h"
#include "term/traverse.h"

namespace lem::transform {

namespace {

/// Turns a derivation of the new system into one of the system before, premises first. What the new
/// clauses do not mention any more, eliminated variables and dropped arguments, a solver finds.
class Regrounding {
 public:
  Regrounding(const HornSystem& before, const HornRewriting& rewriting)
      : before_(before), rewriting_(rewriting), terms_(*before.terms) {
    solver_ = smt::Solvers().make(terms_, smt::Workload::Stream);
  }

  std::optional<Derivation> run(const Derivation& derivation) {
    for (const Derivation::Step& step : derivation.steps)
      if (!add(step)) return {};
    return std::move(result_);
  }

 private:
  /// A clause of the tree over variables of its own.
  struct Copy {
    std::vector<Term> variables;  // as variables_of(clause)
    HornClause clause;
  };

  Copy copy_of(std::size_t index) {
    Copy copy{{}, before_.clauses[index]};
    TermMap map;
    for (Term variable : variables_of(before_, copy.clause)) {
      copy.variables.push_back(terms_.fresh("v", terms_.sort(variable)));
      map[variable] = copy.variables.back();
    }
    Substitution renaming(terms_, std::move(map));
    copy.clause.constraint = renaming.apply(copy.clause.constraint);
    for (HornAtom& atom : copy.clause.body)
      for (Term& arg : atom.args) arg = renaming.apply(arg);
    if (copy.clause.head)
      for (Term& arg : copy.clause.head->args) arg = renaming.apply(arg);
    return copy;
  }

  void equate(std::span<const Term> a, std::span<const Term> b) {
    assert(a.size() == b.size() && "tuples of one predicate");
    for (std::size_t i = 0; i < a.size(); ++i) solver_->add(terms_.make_eq(a[i], b[i]));
  }

  /// The kept arguments of the head have the values of the new derivation.
  void fix_head(const Derivation::Step& step, const HornAtom& head) {
    const HornClause& after = rewriting_.after.clauses[step.clause];
    std::vector<Term> variables = variables_of(rewriting_.after, after);
    TermMap values;
    for (std::size_t i = 0; i < variables.size(); ++i) values[variables[i]] = step.values[i];
    const std::vector<std::size_t>& kept = rewriting_.args[head.predicate];
    for (std::size_t i = 0; i < kept.size(); ++i)
      solver_->add(
          terms_.make_eq(head.args[kept[i]], evaluate(terms_, after.head->args[i], values)));
  }

  bool add(const Derivation::Step& step) {
    const ClauseTree& tree = rewriting_.trees[step.clause];
    std::vector<Copy> copies;
    for (const ClauseTree::Node& node : tree.nodes) copies.push_back(copy_of(node.clause));
    smt::Scope scope(*solver_);
    for (std::size_t n = 0; n < copies.size(); ++n) {
      const HornClause& clause = copies[n].clause;
      solver_->add(clause.constraint);
      for (std::size_t j = 0; j < clause.body.size(); ++j) {
        auto [is_node, index] = tree.nodes[n].premises[j];
        if (is_node)
          equate(clause.body[j].args, copies[index].clause.head->args);
        else
          equate(clause.body[j].args, tuples_[place_[step.premises[index]]]);
      }
    }
    if (copies.front().clause.head) fix_head(step, *copies.front().clause.head);
    if (solver_->solve() != smt::Answer::Sat) return false;
    emit(step, tree, copies);
    return true;
  }

  /// Premises stand after what they are premises of, so the last node comes first.
  void emit(const Derivation::Step& step, const ClauseTree& tree, const std::vector<Copy>& copies) {
    std::vector<std::size_t> made(copies.size());
    for (std::size_t n = copies.size(); n-- > 0;) {
      Derivation::Step back{tree.nodes[n].clause, {}, {}};
      TermMap values;
      for (Term variable : copies[n].variables) {
        back.values.push_back(solver_->value(variable));
        values[variable] = back.values.back();
      }
      for (auto [is_node, index] : tree.nodes[n].premises)
        back.premises.push_back(is_node ? made[index] : place_[step.premises[index]]);
      made[n] = result_.steps.size();
      result_.steps.push_back(std::move(back));
      std::vector<Term>& tuple = tuples_.emplace_back();
      if (const auto& head = copies[n].clause.head)
        for (Term arg : head->args) tuple.push_back(evaluate(terms_, arg, values));
    }
    place_.push_back(made[0]);
  }

  const HornSystem& before_;
  const HornRewriting& rewriting_;
  TermStore& terms_;
  std::unique_ptr<smt::SmtSolver> solver_;
  Derivation result_;
  std::vector<std::vector<Term>> tuples_;  // by step of the result
  std::vector<std::size_t> place_;         // in the result, of steps of the new derivation
};

class HornBack final : public BackTranslator {
 public:
  HornBack(HornSystem before, HornRewriting rewriting)
      : before_(std::move(before)), rewriting_(std::move(rewriting)) {}

  std::optional<Run> run(Run run) const override {
    const auto* derivation = std::get_if<Derivation>(&run);
    assert(derivation != nullptr && "a run of a Horn system is a derivation");
    std::optional<Derivation> back = Regrounding(before_, rewriting_).run(*derivation);
    if (!back) return {};
    return *std::move(back);
  }

  std::optional<Certificate> certificate(Certificate certificate) const override {
    const auto* claim = std::get_if<Interpretation>(&certificate);
    assert(claim != nullptr && "a proof about a Horn system is an interpretation");
    Interpretation back;
    for (PredicateId p = 0; p < before_.predicates.size(); ++p)
      back.of.push_back(meaning(*claim, p));
    for (bool more = true; more;) {
      more = false;
      for (PredicateId p = 0; p < before_.predicates.size(); ++p)
        more = (!back.of[p].formula && unfold(back, p)) || more;
    }
    return back;
  }

 private:
  PredicateMeaning meaning(const Interpretation& claim, PredicateId predicate) const {
    TermStore& terms = *before_.terms;
    PredicateMeaning result;
    for (Sort sort : before_.predicates[predicate].sorts)
      result.params.push_back(terms.fresh("x", sort));
    switch (rewriting_.fates[predicate]) {
      case Fate::False:
      case Fate::True:
        result.formula = terms.boolean(rewriting_.fates[predicate] == Fate::True);
        return result;
      case Fate::Inlined:
        return result;
      case Fate::Kept:
        break;
    }
    const PredicateMeaning& after = claim.of[rewriting_.numbers[predicate]];
    if (!after.formula) return result;  // a later pass inlined it
    TermMap map;
    const std::vector<std::size_t>& kept = rewriting_.args[predicate];
    for (std::size_t i = 0; i < kept.size(); ++i) map[after.params[i]] = result.params[kept[i]];
    result.formula = substitute(terms, after.formula, map);
    return result;
  }

  /// Gives an inlined predicate a formula where its clauses need no quantifier: what they depend on
  /// has formulas, and their other variables are defined by the arguments.
  bool unfold(Interpretation& claim, PredicateId predicate) const {
    TermStore& terms = *before_.terms;
    PredicateMeaning& own = claim.of[predicate];
    auto is_param = [&](Term variable) {
      return std::find(own.params.begin(), own.params.end(), variable) != own.params.end();
    };
    std::vector<Term> ways;
    for (const HornClause& clause : before_.clauses) {
      if (!clause.head || clause.head->predicate != predicate) continue;
      std::vector<Term> parts{clause.constraint};
      for (const HornAtom& atom : clause.body) {
        const PredicateMeaning& known = claim.of[atom.predicate];
        if (!known.formula) return false;
        TermMap map;
        for (std::size_t i = 0; i < known.params.size(); ++i) map[known.params[i]] = atom.args[i];
        parts.push_back(substitute(terms, known.formula, map));
      }
      for (std::size_t i = 0; i < own.params.size(); ++i)
        parts.push_back(terms.make_eq(own.params[i], clause.head->args[i]));
      Term way = terms.make_and(parts);
      std::vector<Term> outputs;
      eliminate_locals(
          terms, [&](Term variable) { return !is_param(variable); }, way, outputs);
      std::vector<Term> left = variables_of(terms, way);
      if (!std::all_of(left.begin(), left.end(), is_param)) return false;
      ways.push_back(way);
    }
    own.formula = terms.make_or(ways);
    return true;
  }

  HornSystem before_;
  HornRewriting rewriting_;
};

}  // namespace

HornRewriting unchanged(const HornSystem& system) {
  HornRewriting result{system, {}, {}, {}, {}};
  for (PredicateId p = 0; p < system.predicates.size(); ++p) {
    result.fates.push_back(Fate::Kept);
    result.numbers.push_back(p);
    std::vector<std::size_t>& args = result.args.emplace_back();
    for (std::size_t i = 0; i < system.predicates[p].sorts.size(); ++i) args.push_back(i);
  }
  for (std::size_t c = 0; c < system.clauses.size(); ++c) {
    ClauseTree::Node node{c, {}};
    for (std::size_t j = 0; j < system.clauses[c].body.size(); ++j)
      node.premises.push_back({false, j});
    result.trees.push_back({{std::move(node)}});
  }
  return result;
}

Transformed rewritten(const Problem& before, HornRewriting rewriting) {
  assert(rewriting.trees.size() == rewriting.after.clauses.size() && "every clause has its origin");
  Problem problem{rewriting.after, before.properties, before.source};
  return {std::move(problem), std::make_unique<HornBack>(before.horn(), std::move(rewriting))};
}

}  // namespace lem::transform
