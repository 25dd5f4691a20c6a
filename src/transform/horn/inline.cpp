// Predicates that do not call themselves are resolved away as long as the clauses do not become
// more: what is left are loops and summaries. Callers that share a large procedure keep the call.
#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "term/eliminate.h"
#include "term/traverse.h"
#include "transform/horn/rewriting.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

// Beyond these, copies cost more than calls: body atoms of one clause, and subterms of all copies
// of a definition.
constexpr std::size_t kMostAtoms = 8;
constexpr std::size_t kMostSubterms = 4000;

/// The variables of a clause that its constraint defines are eliminated.
void simplify(TermStore& terms, HornClause& clause) {
  std::vector<Term> outputs;
  for (const HornAtom& atom : clause.body)
    outputs.insert(outputs.end(), atom.args.begin(), atom.args.end());
  if (clause.head)
    outputs.insert(outputs.end(), clause.head->args.begin(), clause.head->args.end());
  eliminate_locals(
      terms, [](Term) { return true; }, clause.constraint, outputs);
  auto next = outputs.begin();
  for (HornAtom& atom : clause.body)
    for (Term& arg : atom.args) arg = *next++;
  if (clause.head)
    for (Term& arg : clause.head->args) arg = *next++;
}

class Inliner {
 public:
  explicit Inliner(const HornSystem& system)
      : system_(system), terms_(*system.terms), result_(unchanged(system)) {}

  HornRewriting run(const Context& ctx) {
    for (std::size_t c = 0; c < result_.after.clauses.size(); ++c) {
      simplify(terms_, result_.after.clauses[c]);
      work_.push_back({std::move(result_.after.clauses[c]), std::move(result_.trees[c])});
    }
    drop_false();
    while (std::optional<PredicateId> predicate = next()) {
      if (ctx.stopped()) break;
      resolve_away(*predicate);
    }
    finish();
    return std::move(result_);
  }

 private:
  struct Work {
    HornClause clause;
    ClauseTree tree;
  };

  bool has_head(const Work& work, PredicateId predicate) const {
    return work.clause.head && work.clause.head->predicate == predicate;
  }
  static std::size_t calls(const Work& work, PredicateId predicate) {
    return static_cast<std::size_t>(std::ranges::count_if(
        work.clause.body, [&](const HornAtom& atom) { return atom.predicate == predicate; }));
  }
  void drop_false() {
    std::erase_if(work_, [&](const Work& work) { return terms_.is_false(work.clause.constraint); });
  }

  /// How many clauses are saved; nullopt if the predicate is to stay.
  std::optional<std::size_t> saved(PredicateId predicate) const {
    std::size_t definitions = 0;
    std::size_t uses = 0;
    std::size_t occurrences = 0;
    std::size_t after = 0;
    std::size_t atoms = 0;
    std::size_t subterms = 0;
    for (const Work& work : work_) {
      std::size_t here = calls(work, predicate);
      if (!has_head(work, predicate)) continue;
      if (here != 0) return {};
      ++definitions;
      atoms = std::max(atoms, work.clause.body.size());
      subterms += dag_size(terms_, work.clause.constraint);
    }
    for (const Work& work : work_) {
      std::size_t here = calls(work, predicate);
      if (here == 0) continue;
      ++uses;
      occurrences += here;
      std::size_t copies = 1;
      for (std::size_t i = 0; i < here && copies < 10'000; ++i) copies *= definitions;
      after += copies;
      if (occurrences > 1 && work.clause.body.size() + here * atoms > kMostAtoms + here) return {};
    }
    if (after > definitions + uses) return {};
    if (occurrences > 1 && subterms * occurrences > kMostSubterms) return {};
    return definitions + uses - after + 1;
  }

  /// Whether the clauses as they were would define the predicate by itself, through others that are
  /// inlined: a loop that no derivation goes around may have disappeared since.
  bool closes_a_cycle(PredicateId predicate) const {
    std::vector<bool> seen(system_.predicates.size(), false);
    std::vector<PredicateId> work{predicate};
    while (!work.empty()) {
      PredicateId head = work.back();
      work.pop_back();
      for (const HornClause& clause : system_.clauses) {
        if (!clause.head || clause.head->predicate != head) continue;
        for (const HornAtom& atom : clause.body) {
          if (atom.predicate == predicate) return true;
          if (result_.fates[atom.predicate] != Fate::Inlined || seen[atom.predicate]) continue;
          seen[atom.predicate] = true;
          work.push_back(atom.predicate);
        }
      }
    }
    return false;
  }

  std::optional<PredicateId> next() const {
    std::optional<PredicateId> best;
    std::size_t most = 0;
    for (PredicateId p = 0; p < system_.predicates.size(); ++p) {
      if (result_.fates[p] != Fate::Kept || closes_a_cycle(p)) continue;
      std::optional<std::size_t> gain = saved(p);
      if (!gain || *gain <= most) continue;
      most = *gain;
      best = p;
    }
    return best;
  }

  void resolve_away(PredicateId predicate) {
    std::vector<Work> definitions;
    std::vector<Work> others;
    for (Work& work : work_)
      (has_head(work, predicate) ? definitions : others).push_back(std::move(work));
    work_.clear();
    std::reverse(others.begin(), others.end());
    while (!others.empty()) {
      Work use = std::move(others.back());
      others.pop_back();
      auto atom = std::ranges::find_if(
          use.clause.body, [&](const HornAtom& one) { return one.predicate == predicate; });
      if (atom == use.clause.body.end()) {
        work_.push_back(std::move(use));
        continue;
      }
      auto index = static_cast<std::size_t>(atom - use.clause.body.begin());
      for (std::size_t d = definitions.size(); d-- > 0;)
        others.push_back(resolve(use, index, definitions[d]));
    }
    drop_false();
    result_.fates[predicate] = Fate::Inlined;
  }

  Work resolve(const Work& use, std::size_t atom, const Work& definition) {
    TermMap map;
    HornSystem view{system_.terms, {}, {}};
    for (Term variable : variables_of(view, definition.clause))
      map[variable] = terms_.fresh("v", terms_.sort(variable));
    Substitution renaming(terms_, std::move(map));
    Work result = use;
    result.clause.body.erase(result.clause.body.begin() + static_cast<std::ptrdiff_t>(atom));
    std::vector<Term> parts{use.clause.constraint, renaming.apply(definition.clause.constraint)};
    for (std::size_t i = 0; i < use.clause.body[atom].args.size(); ++i)
      parts.push_back(terms_.make_eq(use.clause.body[atom].args[i],
                                     renaming.apply(definition.clause.head->args[i])));
    result.clause.constraint = terms_.make_and(parts);
    for (HornAtom call : definition.clause.body) {
      for (Term& arg : call.args) arg = renaming.apply(arg);
      result.clause.body.push_back(std::move(call));
    }
    simplify(terms_, result.clause);
    graft(result.tree, atom, use.clause.body.size(), definition.tree);
    return result;
  }

  /// The definition's tree takes the place of an atom; its own atoms come last.
  static void graft(ClauseTree& tree, std::size_t atom, std::size_t atoms,
                    const ClauseTree& definition) {
    std::size_t offset = tree.nodes.size();
    for (ClauseTree::Node& node : tree.nodes)
      for (ClauseTree::Premise& premise : node.premises) {
        if (premise.is_node) continue;
        if (premise.index == atom)
          premise = {true, offset};
        else if (premise.index > atom)
          --premise.index;
      }
    for (ClauseTree::Node node : definition.nodes) {
      for (ClauseTree::Premise& premise : node.premises)
        premise.index += premise.is_node ? offset : atoms - 1;
      tree.nodes.push_back(std::move(node));
    }
  }

  void finish() {
    HornSystem& after = result_.after;
    after.predicates.clear();
    for (PredicateId p = 0; p < system_.predicates.size(); ++p) {
      result_.numbers[p] = after.predicates.size();
      if (result_.fates[p] == Fate::Kept) after.predicates.push_back(system_.predicates[p]);
    }
    after.clauses.clear();
    result_.trees.clear();
    for (Work& work : work_) {
      for (HornAtom& atom : work.clause.body) atom.predicate = result_.numbers[atom.predicate];
      if (work.clause.head)
        work.clause.head->predicate = result_.numbers[work.clause.head->predicate];
      after.clauses.push_back(std::move(work.clause));
      result_.trees.push_back(std::move(work.tree));
    }
  }

  const HornSystem& system_;
  TermStore& terms_;
  HornRewriting result_;
  std::vector<Work> work_;
};

}  // namespace

Transformed apply_horn_inline(const Problem& problem, const Context& ctx) {
  return rewritten(problem, Inliner(problem.horn()).run(ctx));
}

}  // namespace lem::transform
