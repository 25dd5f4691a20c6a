#include "engine/ic3ia/seeds.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "engine/ic3ia/seeds_affine.h"

namespace lem {

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
      for (const Constant& constant : constants) add(variable, constant, found);
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
        note(terms_.arg(term, 0), terms_.arg(term, 1), Order::Unsigned);
        note(terms_.arg(term, 1), terms_.arg(term, 0), Order::Unsigned);
        return;
      case Op::BvSlt:
        note(terms_.arg(term, 0), terms_.arg(term, 1), Order::Signed);
        note(terms_.arg(term, 1), terms_.arg(term, 0), Order::Signed);
        return;
      default:
        return;
    }
  }

  /// `value` may be a choice between constants.
  void note(Term variable, Term value, Order order) {
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

  void add(Term variable, const Constant& constant, std::vector<Term>& found) const {
    auto [value, order] = constant;
    if (terms_.is_numeric(terms_.sort(variable))) {
      found.push_back(terms_.make_le(variable, value));
      found.push_back(terms_.make_ge(variable, value));
    } else if (order == Order::Signed) {
      found.push_back(terms_.make_bv_sle(variable, value));
      found.push_back(terms_.make_bv_sle(value, variable));
    } else {
      found.push_back(terms_.make_bv_ule(variable, value));
      found.push_back(terms_.make_bv_ule(value, variable));
    }
  }

  TermStore& terms_;
  Owner owner_;
  std::map<Term, std::set<Constant>> constants_;
};

/// x = y for states of one sort that may start equal; those that must come first.
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

}  // namespace

std::vector<Term> initial_predicates(TermSystem& system, const Problem& problem,
                                     const Ic3iaConfig& config, const Context& ctx) {
  TermStore& terms = system.terms();
  std::vector<Term> found;
  auto add_atoms = [&](Term formula) {
    std::vector<Term> atoms = atoms_of(terms, formula);
    found.insert(found.end(), atoms.begin(), atoms.end());
  };
  add_atoms(system.bad());
  add_atoms(system.init());
  if (config.hints)
    for (Term hint : problem.source.hints) add_atoms(hint);
  std::array formulas{system.init(), system.trans(), system.bad()};
  if (config.seed_bounds)
    for (Term bound : Bounds(system).of(formulas)) add_atoms(bound);
  if (config.seed_equalities)
    for (Term equality : equalities(system)) add_atoms(equality);
  if (config.seed_affine)
    for (Term relation : affine_relations(system, config.seed, ctx)) add_atoms(relation);
  return found;
}

}  // namespace lem
