// Random guarded commands over three 2-bit variables, with their execution.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "model/command.h"
#include "term/traverse.h"

namespace lem::test {

/// Random commands over three 2-bit variables, and what they do, state by state [Lange18
/// Definition 2.18].
class RandomCommands {
 public:
  using State = std::array<std::uint64_t, 3>;

  explicit RandomCommands(std::uint32_t seed) : random_(seed) {
    for (const char* name : {"a", "b", "c"}) {
      variables.push_back(t.variable(name, t.bv_sort(2)));
      next.push_back(t.variable(std::string(name) + "'", t.bv_sort(2)));
    }
  }

  Command command(int depth) {
    switch (depth == 0 ? below(3) : below(5)) {
      case 0:
        return Command::assign(any_variable(), value());
      case 1:
        return Command::assume(guard());
      case 2:
        return Command::havoc(any_variable());
      case 3:
        return Command::sequence(parts(depth));
      default:
        return Command::choice(parts(depth));
    }
  }
  Term guard() {
    Term left = value();
    return below(2) == 0 ? t.make_eq(left, value()) : t.make(Op::BvUlt, {left, value()});
  }

  std::set<State> execute(const Command& command, const State& from) {
    switch (command.kind()) {
      case Command::Kind::Assign: {
        State to = from;
        to[index_of(command.variable())] = number(command.value(), from);
        return {to};
      }
      case Command::Kind::Assume:
        return holds(command.guard(), from) ? std::set<State>{from} : std::set<State>{};
      case Command::Kind::Havoc: {
        std::set<State> all;
        for (std::uint64_t v = 0; v < 4; ++v) {
          State to = from;
          to[index_of(command.variable())] = v;
          all.insert(to);
        }
        return all;
      }
      case Command::Kind::Sequence: {
        std::set<State> here{from};
        for (const Command& part : command.parts()) {
          std::set<State> there;
          for (const State& state : here) there.merge(execute(part, state));
          here = std::move(there);
        }
        return here;
      }
      case Command::Kind::Choice: {
        std::set<State> all;
        for (const Command& part : command.parts()) all.merge(execute(part, from));
        return all;
      }
    }
    return {};
  }

  TermMap values(const State& state) {
    TermMap map;
    for (std::size_t i = 0; i < 3; ++i) map[variables[i]] = t.bv(state[i], 2);
    return map;
  }
  bool holds(Term formula, const State& state) {
    return t.is_true(evaluate(t, formula, values(state)));
  }
  /// Whether some values of the fresh variables make it true.
  bool possible(const Existential& formula, TermMap map, std::size_t from = 0) {
    if (from == formula.fresh.size()) return t.is_true(evaluate(t, formula.formula, map));
    for (std::uint64_t v = 0; v < 4; ++v) {
      map[formula.fresh[from]] = t.bv(v, 2);
      if (possible(formula, map, from + 1)) return true;
    }
    return false;
  }
  static std::vector<State> all_states() {
    std::vector<State> all;
    for (std::uint64_t i = 0; i < 64; ++i) all.push_back({i & 3, i >> 2 & 3, i >> 4});
    return all;
  }

  TermStore t;
  std::vector<Term> variables, next;

  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  Term any_variable() { return variables[below(3)]; }
  Term value() {
    switch (below(4)) {
      case 0:
        return t.bv(below(4), 2);
      case 1:
        return t.make(Op::BvAdd, {any_variable(), t.bv(1 + below(3), 2)});
      default:
        return any_variable();
    }
  }
  std::vector<Command> parts(int depth) {
    std::vector<Command> made;
    for (std::size_t n = 2 + below(2); n > 0; --n) made.push_back(command(depth - 1));
    return made;
  }
  std::size_t index_of(Term variable) const {
    return static_cast<std::size_t>(std::find(variables.begin(), variables.end(), variable) -
                                    variables.begin());
  }
  std::uint64_t number(Term term, const State& state) {
    return t.integer_value(evaluate(t, term, values(state))).get_ui();
  }

  std::mt19937 random_;
};

}  // namespace lem::test
