// Random small transition systems: functional states, states without update, relations between
// steps, initial values that depend on other states, inputs in every place, small arrays, numbers.
#pragma once

#include <string>
#include <vector>

#include "model/problem.h"
#include "support/random_aig.h"
#include "term/term_store.h"

namespace lem::test {

/// Confined: every number is constrained to -2 .. 2, so that explicit search ends.
enum class RandomNumbers { None, ConfinedInt, Int, Real };

struct RandomSystemParams {
  std::uint32_t states = 3;
  std::uint32_t inputs = 2;
  std::uint32_t max_width = 2;
  std::uint32_t depth = 3;
  bool relations = false;                       // init and trans relations, states without update
  bool arrays = false;                          // an array state and an array input of two elements
  RandomNumbers numbers = RandomNumbers::None;  // instead of bit-vectors
  std::uint32_t properties = 1;
};

class RandomSystem {
 public:
  RandomSystem(std::uint64_t seed, RandomSystemParams params)
      : random_(seed), params_(params), store_(std::make_shared<TermStore>()), terms_(*store_) {}

  Problem make() {
    TransitionSystemBuilder builder(store_);
    for (std::uint32_t i = 0; i < params_.states; ++i)
      states_.push_back(builder.add_state("s" + std::to_string(i), random_sort()));
    Sort memory = terms_.array_sort(terms_.bv_sort(1), terms_.bv_sort(1));
    if (params_.arrays) states_.push_back(builder.add_state("memory", memory));
    leaves_ = states_;
    for (Term state : states_)
      if (chance(4, 5)) builder.set_init(state, initial(state));
    if (params_.relations && chance(1, 2)) builder.add_init(formula(2));
    for (std::uint32_t i = 0; i < params_.inputs; ++i)
      leaves_.push_back(builder.add_input("i" + std::to_string(i), random_sort()));
    if (params_.arrays && chance(1, 2)) leaves_.push_back(builder.add_input("table", memory));
    for (Term state : states_)
      if (!params_.relations || chance(3, 4)) builder.set_update(state, update(state));
    if (chance(1, 3)) builder.add_constraint(either(2, 2));
    if (params_.numbers == RandomNumbers::ConfinedInt) confine(builder);
    std::vector<Term> bad;
    for (std::uint32_t i = 0; i < params_.properties; ++i) {
      Term first = formula(params_.depth);
      bad.push_back(terms_.make_and(first, formula(2)));
    }
    if (params_.relations) {
      auto frozen = std::move(builder).freeze();
      assert(frozen.ok() && "random systems are well formed");
      builder = with_relation(*frozen);
    }
    auto system = std::move(builder).freeze();
    assert(system.ok() && "random systems are well formed");
    Problem problem;
    problem.model = std::move(*system);
    for (std::size_t i = 0; i < bad.size(); ++i) {
      std::string name = "b" + std::to_string(i);
      problem.properties.push_back({name, bad[i], name});
    }
    problem.source.format = "random";
    return problem;
  }

 private:
  bool chance(std::uint32_t hits, std::uint32_t of) { return random_.below(of) < hits; }
  std::uint32_t below(std::size_t n) { return random_.below(static_cast<std::uint32_t>(n)); }
  bool has_numbers() const { return params_.numbers != RandomNumbers::None; }
  Sort number_sort() const {
    return params_.numbers == RandomNumbers::Real ? terms_.real_sort() : terms_.int_sort();
  }
  void confine(TransitionSystemBuilder& builder) {
    for (Term leaf : leaves_) {
      if (!terms_.is_numeric(terms_.sort(leaf))) continue;
      builder.add_constraint(terms_.make_le(terms_.integer(-2), leaf));
      builder.add_constraint(terms_.make_le(leaf, terms_.integer(2)));
    }
  }
  Sort random_sort() {
    if (chance(1, 4)) return terms_.bool_sort();
    if (has_numbers()) return number_sort();
    return terms_.bv_sort(1 + below(params_.max_width));
  }
  Term value(Sort sort) {
    if (terms_.kind(sort) == SortKind::Bool) return terms_.boolean(chance(1, 2));
    if (terms_.kind(sort) == SortKind::Array)
      return terms_.make_const_array(sort, value(terms_.element_sort(sort)));
    if (has_numbers()) return number();
    return terms_.bv(below(std::size_t{1} << terms_.width(sort)), terms_.width(sort));
  }
  Term number() {
    mpq_class value(static_cast<int>(below(5)) - 2);
    if (params_.numbers == RandomNumbers::Real && chance(1, 3)) value /= 2;
    return terms_.number(value, number_sort());
  }
  Term initial(Term state) {
    if (chance(3, 4)) return value(terms_.sort(state));
    std::vector<Term> keep = leaves_;
    std::erase(leaves_, state);
    Term result = term(terms_.sort(state), 1);
    leaves_ = keep;
    return result;
  }
  Term update(Term state) {
    if (chance(1, 8)) return state;
    if (chance(1, 8)) return leaf(terms_.sort(state));
    return term(terms_.sort(state), params_.depth);
  }

  Term leaf(Sort sort) {
    std::vector<Term> fitting;
    for (Term each : leaves_)
      if (terms_.sort(each) == sort) fitting.push_back(each);
    if (fitting.empty() || chance(1, 4)) return value(sort);
    return fitting[below(fitting.size())];
  }
  Term term(Sort sort, std::uint32_t depth) {
    if (terms_.kind(sort) == SortKind::Bool) return formula(depth);
    if (depth == 0) return leaf(sort);
    if (chance(1, 4)) {
      Term condition = formula(depth - 1);
      Term then_part = term(sort, depth - 1);
      return terms_.make_ite(condition, then_part, term(sort, depth - 1));
    }
    if (terms_.kind(sort) == SortKind::Array) {
      if (chance(1, 3)) return leaf(sort);
      Term array = term(sort, depth - 1);
      Term index = term(terms_.index_sort(sort), depth - 1);
      return terms_.make_store(array, index, term(terms_.element_sort(sort), depth - 1));
    }
    if (has_numbers()) return sum(depth);
    if (params_.arrays && terms_.width(sort) == 1 && chance(1, 2)) {
      Term array = term(terms_.array_sort(sort, sort), depth - 1);
      return terms_.make_select(array, term(sort, depth - 1));
    }
    static constexpr Op kOps[] = {Op::BvAnd, Op::BvOr,   Op::BvXor,  Op::BvAdd,
                                  Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvShl};
    Term a = term(sort, depth - 1);
    if (chance(1, 8)) return terms_.make(Op::BvNot, {a});
    return terms_.make(kOps[below(std::size(kOps))], {a, term(sort, depth - 1)});
  }
  Term sum(std::uint32_t depth) {
    Term a = term(number_sort(), depth - 1);
    if (chance(1, 4)) return terms_.make_mul(number(), a);
    if (params_.numbers != RandomNumbers::Real && chance(1, 4))
      return terms_.make(chance(1, 2) ? Op::IntMod : Op::IntDiv, {a, terms_.integer(2 + below(2))});
    Term b = term(number_sort(), depth - 1);
    return chance(1, 2) ? terms_.make_add(a, b) : terms_.make_sub(a, b);
  }
  Term comparison(std::uint32_t depth) {
    Term a = term(number_sort(), depth);
    Term b = term(number_sort(), depth);
    if (chance(1, 3)) return terms_.make_eq(a, b);
    return chance(1, 2) ? terms_.make_le(a, b) : terms_.make_lt(a, b);
  }
  Term either(std::uint32_t depth, std::uint32_t other_depth) {
    Term first = formula(depth);
    return terms_.make_or(first, formula(other_depth));
  }
  Term formula(std::uint32_t depth) {
    if (depth == 0) return leaf(terms_.bool_sort());
    if (chance(1, 3)) {
      Term a = formula(depth - 1);
      Term b = formula(depth - 1);
      if (chance(1, 3)) a = terms_.make_not(a);
      return chance(1, 2) ? terms_.make_and(a, b) : terms_.make_or(a, b);
    }
    if (has_numbers()) return comparison(depth - 1);
    bool arrays = params_.arrays && chance(1, 5);
    Sort sort = arrays ? terms_.array_sort(terms_.bv_sort(1), terms_.bv_sort(1))
                       : terms_.bv_sort(1 + below(params_.max_width));
    Term a = term(sort, depth - 1);
    Term b = term(sort, depth - 1);
    static constexpr Op kOps[] = {Op::Eq, Op::Eq, Op::BvUlt, Op::BvSlt};
    return terms_.make(arrays ? Op::Eq : kOps[below(std::size(kOps))], {a, b});
  }

  /// The system with conjuncts over next values: definitions, partly through other next values,
  /// and a relation that may have no successor.
  TransitionSystemBuilder with_relation(const TransitionSystem& system) {
    TransitionSystemBuilder builder(store_);
    for (const StateVar& state : system.states()) {
      builder.add_state(state.current, state.next);
      if (state.init) builder.set_init(state.current, state.init);
    }
    for (Term input : system.inputs()) builder.add_input(input);
    builder.add_init(system.init_relation());
    builder.add_constraint(system.constraint());
    for (const StateVar& state : system.states()) {
      if (state.update && chance(1, 2))
        builder.set_update(state.current, state.update);
      else if (state.update)
        builder.add_trans(terms_.make_eq(state.next, state.update));
    }
    if (!chance(1, 2)) return builder;
    for (const StateVar& state : system.states()) leaves_.push_back(state.next);
    builder.add_trans(either(2, 1));
    return builder;
  }

  Random random_;
  RandomSystemParams params_;
  std::shared_ptr<TermStore> store_;
  TermStore& terms_;
  std::vector<Term> states_;
  std::vector<Term> leaves_;  // variables that may occur in the term being made
};

inline Problem random_system(std::uint64_t seed, RandomSystemParams params = {}) {
  return RandomSystem(seed, params).make();
}

}  // namespace lem::test
