#include "engine/parts/terms/seeds/sources.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "engine/parts/terms/inequalities.h"

namespace lem::engine {

namespace {

constexpr std::size_t kMaxConstants = 6;  // for each variable
constexpr std::size_t kMaxBounds = 120;   // predicates
constexpr std::size_t kMaxEqualities = 50;

/// The current copy of a state or next variable; no term for others.
using Owner = std::map<Term, Term>;
Owner owners(const TermSystem& system) {
  Owner owner;
  for (std::size_t i = 0; i < system.current().size(); ++i)
    owner[system.current()[i]] = owner[system.next()[i]] = system.current()[i];
  return owner;
}

/// x <= c, x >= c for constants that the model compares with x or assigns to it.
class Bounds {
 public:
  explicit Bounds(const TermSystem& system) : terms_(system.terms()), owner_(owners(system)) {}

  std::vector<Term> of(std::span<const Term> formulas) {
    for_each_subterm(terms_, formulas, [&](Term term) { look_at(term); });
    std::vector<Term> found;
    for (const auto& [variable, constants] : constants_)
      for (const Constant& constant : constants)
        for (Term side : sides(variable, constant)) found.push_back(side);
    if (found.size() > kMaxBounds) found.resize(kMaxBounds);
    return found;
  }

 private:
  enum class Order : std::uint8_t { Unsigned, Signed };
  using Constant = std::pair<Term, Order>;

  void look_at(Term term) {
    switch (terms_.op(term)) {
      case Op::Eq:
      case Op::Le:
      case Op::Lt:
      case Op::BvUlt:
        record(terms_.arg(term, 0), terms_.arg(term, 1), Order::Unsigned);
        record(terms_.arg(term, 1), terms_.arg(term, 0), Order::Unsigned);
        return;
      case Op::BvSlt:
        record(terms_.arg(term, 0), terms_.arg(term, 1), Order::Signed);
        record(terms_.arg(term, 1), terms_.arg(term, 0), Order::Signed);
        return;
      default:
        return;
    }
  }

  /// `value` may be a choice between constants.
  void record(Term variable, Term value, Order order) {
    auto owner = owner_.find(variable);
    bool ordered =
        terms_.is_numeric(terms_.sort(variable)) || terms_.kind(variable) == SortKind::BitVec;
    if (owner == owner_.end() || !ordered) return;
    std::vector<Term> stack{value};
    while (!stack.empty()) {
      Term top = stack.back();
      stack.pop_back();
      if (terms_.op(top) == Op::Ite) {
        stack.push_back(terms_.arg(top, 1));
        stack.push_back(terms_.arg(top, 2));
      }
      std::set<Constant>& constants = constants_[owner->second];
      if (terms_.is_value(top) && constants.size() < kMaxConstants) constants.insert({top, order});
    }
  }

  std::vector<Term> sides(Term variable, const Constant& constant) const {
    auto [value, order] = constant;
    if (terms_.is_numeric(terms_.sort(variable)))
      return {terms_.make_le(variable, value), terms_.make_ge(variable, value)};
    if (order == Order::Signed)
      return {terms_.make_bv_sle(variable, value), terms_.make_bv_sle(value, variable)};
    return {terms_.make_bv_ule(variable, value), terms_.make_bv_ule(value, variable)};
  }

  TermStore& terms_;
  Owner owner_;
  std::map<Term, std::set<Constant>> constants_;
};

}  // namespace

std::vector<Term> bounds(const TermSystem& system) {
  std::array formulas{system.init(), system.trans(), system.bad()};
  return Bounds(system).of(formulas);
}

std::vector<Term> equalities(const TermSystem& system) {
  TermStore& terms = system.terms();
  std::map<Term, Term> start;  // by variable, where Init says what it is
  for (Term part : conjuncts(terms, system.init())) {
    if (terms.op(part) != Op::Eq) continue;
    for (std::size_t side : {0U, 1U})
      if (terms.is_value(terms.arg(part, 1 - side)))
        start[terms.arg(part, side)] = terms.arg(part, 1 - side);
  }
  auto start_of = [&](Term variable) {
    auto at = start.find(variable);
    return at == start.end() ? Term() : at->second;
  };
  std::vector<Term> certain, possible;
  std::span<const Term> states = system.current();
  for (std::size_t i = 0; i < states.size(); ++i)
    for (std::size_t j = i + 1; j < states.size(); ++j) {
      SortKind kind = terms.kind(states[i]);
      if (terms.sort(states[i]) != terms.sort(states[j]) || kind == SortKind::Bool) continue;
      Term a = start_of(states[i]);
      Term b = start_of(states[j]);
      if (a && b && a != b) continue;
      (a && b ? certain : possible).push_back(terms.make_eq(states[i], states[j]));
    }
  certain.insert(certain.end(), possible.begin(), possible.end());
  if (certain.size() > kMaxEqualities) certain.resize(kMaxEqualities);
  return certain;
}

std::vector<Term> conditions(const TermSystem& system, std::size_t limit) {
  std::vector<Term> found;
  for (Term atom : atoms_of(system.terms(), system.trans()))
    if (found.size() < limit && system.is_over_states(atom)) found.push_back(atom);
  return found;
}

std::vector<Term> pairs(const TermSystem& system, std::size_t limit) {
  std::vector<Term> found;
  BitOrders orders = compared_orders(system);
  std::span<const Term> states = system.current();
  for (std::size_t i = 0; i < states.size(); ++i)
    for (std::size_t j = i + 1; j < states.size(); ++j) {
      if (system.terms().sort(states[i]) != system.terms().sort(states[j])) continue;
      for (auto [x, y] : {std::pair(states[i], states[j]), std::pair(states[j], states[i])})
        for (Term less : less_than(system.terms(), x, y, orders)) found.push_back(less);
    }
  if (found.size() > limit) found.resize(limit);
  return found;
}

}  // namespace lem::engine
