#include "engine/bmc/executor.h"

#include <algorithm>
#include <cassert>

#include "base/assert.h"
#include "term/traverse.h"

namespace lem::engine {

static void collect(const Command& command, std::vector<Term>& terms) {
  if (command.kind() == Command::Kind::Assign || command.kind() == Command::Kind::Assume)
    terms.push_back(command.value());
  for (const Command& part : command.parts()) collect(part, terms);
}

bool arrays_are_simple(const Cfa& cfa) {
  const TermStore& terms = cfa.terms();
  auto nested = [&](Sort sort) {
    return terms.kind(sort) == SortKind::Array &&
           terms.kind(terms.element_sort(sort)) == SortKind::Array;
  };
  for (Term variable : cfa.variables())
    if (nested(terms.sort(variable))) return false;
  std::vector<Term> roots;
  for (const CfaEdge& edge : cfa.edges()) collect(edge.command, roots);
  bool simple = true;
  for_each_subterm(terms, roots, [&](Term term) {
    bool compared = terms.op(term) == Op::Eq && terms.kind(terms.arg(term, 0)) == SortKind::Array;
    simple = simple && !compared && !nested(terms.sort(term));
  });
  return simple;
}

Executor::Executor(const Cfa& cfa, Arrays& arrays, Fresh fresh)
    : cfa_(cfa),
      terms_(cfa.terms()),
      arrays_(arrays),
      fresh_(std::move(fresh)),
      paths_(terms_),
      resolves_(arrays_are_simple(cfa)),
      slots_(terms_.size()),
      memo_(terms_.size()) {
  for (std::uint32_t i = 0; i < cfa.variables().size(); ++i) {
    Term variable = cfa.variables()[i];
    slots_[variable.id()] = i;
    is_array_.push_back(resolves_ && terms_.kind(variable) == SortKind::Array);
  }
}

SymbolicState Executor::initial() const {
  SymbolicState state;
  for (std::uint32_t i = 0; i < cfa_.variables().size(); ++i) {
    if (is_array_[i])
      state.arrays.set(i, arrays_.unknown(cfa_.variables()[i]));
    else
      state.scalars.set(i, cfa_.variables()[i]);
  }
  return state;
}

bool Executor::execute(const Command& command, SymbolicState& state) {
  switch (command.kind()) {
    case Command::Kind::Assign: {
      Value value = evaluate(command.value(), state);
      std::uint32_t variable = slot(command.variable());
      if (is_array_[variable])
        state.arrays.set(variable, value.array);
      else
        state.scalars.set(variable, value.term);
      return true;
    }
    case Command::Kind::Assume:
      return assume(evaluate(command.guard(), state).term, state);
    case Command::Kind::Havoc: {
      std::uint32_t variable = slot(command.variable());
      Term any = fresh_(terms_.sort(command.variable()));
      if (is_array_[variable])
        state.arrays.set(variable, arrays_.unknown(any));
      else
        state.scalars.set(variable, any);
      return true;
    }
    case Command::Kind::Sequence:
      return std::all_of(command.parts().begin(), command.parts().end(),
                         [&](const Command& part) { return execute(part, state); });
    case Command::Kind::Choice:
      return choose(command, state);
  }
  unreachable();
}

bool Executor::assume(Term condition, SymbolicState& state) {
  if (terms_.is_value(condition)) return terms_.is_true(condition);
  ++decisions_;
  state.path = paths_.extend(state.path, condition);
  return !terms_.is_false(paths_.formula(state.path));
}

bool Executor::choose(const Command& command, SymbolicState& state) {
  std::vector<SymbolicState> ends;
  for (const Command& part : command.parts()) {
    SymbolicState end = state;
    if (execute(part, end)) ends.push_back(std::move(end));
  }
  if (ends.empty()) return false;
  std::vector<SymbolicState*> open;
  for (SymbolicState& end : ends) open.push_back(&end);
  separate(state.path, open);
  state = meet(ends);
  return true;
}

void Executor::separate(PathId start, std::span<SymbolicState*> ends) {
  constexpr std::size_t kMany = 40;
  if (ends.size() < 2) return;
  std::vector<std::vector<Term>> conditions;
  for (const SymbolicState* end : ends) conditions.push_back(paths_.since(start, end->path));
  bool apart = ends.size() <= kMany;
  for (std::size_t i = 0; apart && i < ends.size(); ++i)
    for (std::size_t j = 0; apart && j < i; ++j)
      apart = paths_.exclude(conditions[i], conditions[j]);
  if (apart) return;
  ++decisions_;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    Term taken = fresh_(terms_.bool_sort());
    ends[i]->path = paths_.insert(start, taken, ends[i]->path);
    // What is left goes on from there: the others share one path so far.
    PathId passed = paths_.extend(start, terms_.make_not(taken));
    for (std::size_t j = i + 1; j < ends.size(); ++j) {
      PathId path = passed;
      for (Term each : conditions[j]) path = paths_.extend(path, each);
      ends[j]->path = path;
    }
    start = passed;
  }
}

SymbolicState Executor::meet(std::span<const SymbolicState> ends) {
  SymbolicState met = ends.back();
  for (std::size_t i = ends.size() - 1; i-- > 0;) met = meet(ends[i], met);
  return met;
}

SymbolicState Executor::meet(const SymbolicState& one, const SymbolicState& other) {
  auto [path, first] = paths_.join(one.path, other.path);
  SymbolicState met;
  met.path = path;
  met.scalars = PersistentVector<Term>::merge(
      one.scalars, other.scalars,
      [&](std::size_t, Term a, Term b) { return terms_.make_ite(first, a, b); });
  met.arrays = PersistentVector<ArrayRef>::merge(
      one.arrays, other.arrays, [&](std::size_t, const ArrayRef& a, const ArrayRef& b) {
        return arrays_.choose(first, a, b);
      });
  return met;
}

Executor::Value Executor::evaluate(Term root, const SymbolicState& state) {
  if (terms_.is_value(root) && !(resolves_ && terms_.kind(root) == SortKind::Array)) return {root};
  ++now_;
  stack_.assign(1, root);
  while (!stack_.empty()) {
    Term term = stack_.back();
    Memo& memo = memo_[term.id()];
    if (memo.when == now_) {
      stack_.pop_back();
      continue;
    }
    std::size_t depth = stack_.size();
    for (Term arg : terms_.args(term))
      if (memo_[arg.id()].when != now_) stack_.push_back(arg);
    if (stack_.size() > depth) continue;
    stack_.pop_back();
    memo.value = apply(term, state);
    memo.when = now_;
  }
  return memo_[root.id()].value;
}

Executor::Value Executor::apply(Term term, const SymbolicState& state) {
  std::span<const Term> args = terms_.args(term);
  bool array = resolves_ && terms_.kind(term) == SortKind::Array;
  switch (terms_.op(term)) {
    case Op::Variable: {
      std::uint32_t variable = slot(term);
      if (is_array_[variable]) return {{}, state.arrays[variable]};
      return {state.scalars[variable]};
    }
    case Op::ConstArray:
      if (array) return {{}, arrays_.constant(terms_.sort(term), known(args[0]).term)};
      return {terms_.make_const_array(terms_.sort(term), known(args[0]).term)};
    case Op::Select:
      if (!resolves_) break;
      return {arrays_.read(known(args[0]).array, known(args[1]).term)};
    case Op::Store:
      if (!array) break;
      return {{}, arrays_.write(known(args[0]).array, known(args[1]).term, known(args[2]).term)};
    case Op::Ite:
      if (!array) break;
      return {{}, arrays_.choose(known(args[0]).term, known(args[1]).array, known(args[2]).array)};
    default:
      break;
  }
  if (terms_.is_value(term)) return {term};
  std::vector<Term> made;
  made.reserve(args.size());
  bool same = true;
  for (Term arg : args) {
    made.push_back(known(arg).term);
    same = same && made.back() == arg;
  }
  if (same) return {term};
  return {terms_.make(terms_.op(term), made, terms_.param(term, 0), terms_.param(term, 1))};
}

}  // namespace lem::engine
