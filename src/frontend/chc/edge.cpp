#include "frontend/chc/edge.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "term/eliminate.h"
#include "term/traverse.h"

namespace lem::chc {

namespace {

using TermSet = std::unordered_set<Term>;

TermSet set_of(std::span<const Term> terms) {
  return {terms.begin(), terms.end()};
}

/// `b` with its locals called as those of `a` with the same sort, as far as there are.
Assignment share_locals(TermStore& terms, const Frame& frame, const Assignment& a,
                        const Assignment& b) {
  std::map<Sort, std::vector<Term>> pool;
  for (Term local : locals_of(terms, frame, a)) pool[terms.sort(local)].push_back(local);
  std::map<Sort, std::size_t> used;
  std::vector<Term> own = locals_of(terms, frame, b);
  TermMap map;
  for (Term local : own) {
    std::vector<Term>& candidates = pool[terms.sort(local)];
    std::size_t& next = used[terms.sort(local)];
    if (next == candidates.size()) candidates.push_back(terms.fresh("v", terms.sort(local)));
    map[local] = candidates[next++];
  }
  Substitution substitution(terms, map);
  Assignment result{substitution.apply(b.guard), {}};
  for (Term value : b.next) result.next.push_back(substitution.apply(value));
  return result;
}

/// The guards of two assignments taken apart.
struct Split {
  std::vector<Term> common;
  std::vector<Term> only_a;
  std::vector<Term> only_b;
};

Split split(TermStore& terms, Term a, Term b) {
  std::vector<Term> parts_a = conjuncts(terms, a);
  std::vector<Term> parts_b = conjuncts(terms, b);
  TermSet in_a = set_of(parts_a);
  TermSet in_b = set_of(parts_b);
  Split result;
  for (Term part : parts_a) (in_b.contains(part) ? result.common : result.only_a).push_back(part);
  for (Term part : parts_b)
    if (!in_a.contains(part)) result.only_b.push_back(part);
  return result;
}

bool mentions(const TermStore& terms, Term term, const TermSet& variables) {
  return std::ranges::any_of(variables_of(terms, term),
                             [&](Term variable) { return variables.contains(variable); });
}

/// Negations of a term: programs negate x = c also as x < c or x > c.
std::vector<Term> denials(TermStore& terms, Term part) {
  std::vector<Term> result{terms.make_not(part)};
  if (terms.op(part) == Op::Eq && terms.is_numeric(terms.sort(terms.arg(part, 0)))) {
    Term a = terms.arg(part, 0);
    Term b = terms.arg(part, 1);
    result.push_back(terms.make_or(terms.make_lt(a, b), terms.make_gt(a, b)));
  }
  return result;
}

/// A conjunct of one side whose negation is on the other side.
struct Decision {
  Term condition{};  // none if there is no such
  Term in_a{};       // the conjuncts it stands for
  Term in_b{};
};

Decision deciding(TermStore& terms, const Frame& frame, const Split& split) {
  TermSet posts = set_of(frame.posts);
  TermSet in_a = set_of(split.only_a);
  TermSet in_b = set_of(split.only_b);
  for (Term part : split.only_a)
    for (Term denial : denials(terms, part))
      if (in_b.contains(denial) && !mentions(terms, part, posts)) return {part, part, denial};
  for (Term part : split.only_b)
    for (Term denial : denials(terms, part))
      if (in_a.contains(denial) && !mentions(terms, part, posts))
        return {terms.make_not(part), denial, part};
  return {};
}

/// A place that may get any value gets that of a local: it need not become relational.
void name_havoc(TermStore& terms, const Frame& frame, Assignment& step) {
  if (frame.relational) return;
  TermSet told = set_of(variables_of(terms, step.guard));
  for (std::size_t j = 0; j < step.next.size(); ++j)
    if (step.next[j] == frame.posts[j] && !told.contains(frame.posts[j]))
      step.next[j] = terms.fresh("v", terms.sort(step.next[j]));
}

/// Brings both to one form place by place; true if some place has two values.
bool align(TermStore& terms, const Frame& frame, Assignment& a, Assignment& b) {
  bool choice = false;
  for (std::size_t j = 0; j < a.next.size(); ++j) {
    if (a.next[j] == b.next[j]) continue;
    Term post = frame.posts[j];
    if (!frame.relational && a.next[j] != post && b.next[j] != post) {
      choice = true;
      continue;
    }
    for (Assignment* side : {&a, &b}) {
      side->guard = terms.make_and(side->guard, terms.make_eq(post, side->next[j]));
      side->next[j] = post;
    }
  }
  return choice;
}

}  // namespace

std::vector<Term> locals_of(const TermStore& terms, const Frame& frame,
                            const Assignment& assignment) {
  TermSet fixed = set_of(frame.params);
  fixed.insert(frame.posts.begin(), frame.posts.end());
  std::vector<Term> roots = assignment.next;
  roots.push_back(assignment.guard);
  std::vector<Term> locals = variables_of(terms, roots);
  std::erase_if(locals, [&](Term variable) { return fixed.contains(variable); });
  return locals;
}

Assignment merge(TermStore& t, const Frame& frame, const Assignment& first,
                 const Assignment& second) {
  assert(first.next.size() == second.next.size() && "assignments to the same places are merged");
  Assignment a = first;
  Assignment b = second;
  name_havoc(t, frame, a);
  name_havoc(t, frame, b);
  b = share_locals(t, frame, a, b);
  bool choice = align(t, frame, a, b);
  Split parts = split(t, a.guard, b.guard);
  Decision decision = deciding(t, frame, parts);
  if (!decision.condition && choice) decision.condition = t.fresh("choice", t.bool_sort());
  std::erase(parts.only_a, decision.in_a);
  std::erase(parts.only_b, decision.in_b);
  Term only_a = t.make_and(parts.only_a);
  Term only_b = t.make_and(parts.only_b);
  parts.common.push_back(decision.condition ? t.make_ite(decision.condition, only_a, only_b)
                                            : t.make_or(only_a, only_b));
  Assignment result{t.make_and(parts.common), {}};
  for (std::size_t j = 0; j < a.next.size(); ++j)
    result.next.push_back(
        a.next[j] == b.next[j] ? a.next[j] : t.make_ite(decision.condition, a.next[j], b.next[j]));
  return result;
}

Assignment merge_all(TermStore& terms, const Frame& frame, std::vector<Assignment> list) {
  assert(!list.empty() && "there is something to merge");
  while (list.size() > 1) {
    std::size_t best_a = 0;
    std::size_t best_b = 1;
    std::pair<bool, std::size_t> best{false, 0};
    for (std::size_t a = 0; a < list.size(); ++a) {
      for (std::size_t b = a + 1; b < list.size(); ++b) {
        Split parts = split(terms, list[a].guard, list[b].guard);
        std::pair score{static_cast<bool>(deciding(terms, frame, parts).condition),
                        parts.common.size() + 1};
        if (score <= best) continue;
        best = score;
        best_a = a;
        best_b = b;
      }
    }
    list[best_a] = merge(terms, frame, list[best_a], list[best_b]);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(best_b));
  }
  return std::move(list.front());
}

EdgeMaker::EdgeMaker(TermStore& terms, std::span<const Predicate> predicates) : t_(terms) {
  for (const Predicate& predicate : predicates) {
    Frame frame;
    for (Sort sort : predicate.sorts) {
      frame.params.push_back(t_.fresh("p", sort));
      frame.posts.push_back(t_.fresh("p'", sort));
    }
    frames_.push_back(std::move(frame));
  }
}

Frame EdgeMaker::frame(std::optional<PredicateId> from, std::optional<PredicateId> to) const {
  Frame frame;
  if (from) frame.params = frames_[*from].params;
  if (to) frame.posts = frames_[*to].posts;
  frame.relational = !from;
  return frame;
}

Edge EdgeMaker::from_clause(const Clause& clause) {
  assert(clause.body.size() <= 1 && "edges are linear");
  std::optional<PredicateId> from;
  std::optional<PredicateId> to;
  std::vector<Term> guard{clause.constraint};
  TermMap map;
  if (!clause.body.empty()) {
    from = clause.body[0].predicate;
    const std::vector<Term>& args = clause.body[0].args;
    for (std::size_t i = 0; i < args.size(); ++i) {
      Term param = frames_[*from].params[i];
      if (!t_.is_variable(args[i]) || !map.try_emplace(args[i], param).second)
        guard.push_back(t_.make_eq(param, args[i]));
    }
  }
  Substitution substitution(t_, map);
  Assignment step{substitution.apply(t_.make_and(guard)), {}};
  if (clause.head) {
    to = clause.head->predicate;
    for (Term arg : clause.head->args) step.next.push_back(substitution.apply(arg));
  }
  return finish(from, to, std::move(step));
}

Assignment EdgeMaker::opened(const Edge& edge) {
  Frame params_only = frame(edge.from, std::nullopt);
  TermMap map;
  for (Term variable : locals_of(t_, params_only, edge.step))
    map[variable] = t_.fresh("v", t_.sort(variable));
  Substitution substitution(t_, map);
  Assignment copy{substitution.apply(edge.step.guard), {}};
  for (Term value : edge.step.next) copy.next.push_back(substitution.apply(value));
  return copy;
}

Edge EdgeMaker::compose(const Edge& in, const Edge& out) {
  assert(in.to && in.to == out.from && "edges meet in a predicate");
  Assignment first = opened(in);
  Assignment second = opened(out);
  TermMap map;
  const std::vector<Term>& params = frames_[*in.to].params;
  for (std::size_t i = 0; i < params.size(); ++i) map[params[i]] = first.next[i];
  Substitution substitution(t_, map);
  Assignment step{t_.make_and(first.guard, substitution.apply(second.guard)), {}};
  for (Term value : second.next) step.next.push_back(substitution.apply(value));
  return finish(in.from, out.to, std::move(step));
}

Edge EdgeMaker::merged(const Edge& a, const Edge& b) {
  assert(a.from == b.from && a.to == b.to && "parallel edges are merged");
  return {a.from, a.to, merge(t_, frame(a.from, a.to), a.step, b.step)};
}

/// Eliminates what is defined; a place whose value is then a local that nothing else uses is
/// defined by the guard, as is one of several places with the same local in a fact.
Edge EdgeMaker::finish(std::optional<PredicateId> from, std::optional<PredicateId> to,
                       Assignment step) {
  TermSet params = set_of(frame(from, to).params);
  eliminate_locals(
      t_, [&](Term variable) { return !params.contains(variable); }, step.guard, step.next);
  std::map<Term, std::size_t> uses;  // by how many places
  for (Term value : step.next)
    for (Term variable : variables_of(t_, value)) ++uses[variable];
  TermMap map;
  for (std::size_t j = 0; j < step.next.size(); ++j)
    if (Term value = step.next[j];
        t_.is_variable(value) && !params.contains(value) && (uses[value] == 1 || !from))
      map.try_emplace(value, frames_[*to].posts[j]);
  Substitution substitution(t_, map);
  step.guard = substitution.apply(step.guard);
  for (Term& value : step.next) value = substitution.apply(value);
  return {from, to, std::move(step)};
}

}  // namespace lem::chc
