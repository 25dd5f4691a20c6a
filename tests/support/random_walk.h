// A random run of an automaton, edge by edge, on values.
#pragma once

#include <random>
#include <unordered_map>
#include <vector>

#include "model/evidence/cfa.h"
#include "term/traverse.h"

namespace lem::test {

class RandomWalk {
 public:
  RandomWalk(const Cfa& cfa, std::uint32_t seed) : cfa_(cfa), terms_(cfa.terms()), random_(seed) {
    for (Term variable : cfa.variables()) {
      index_[variable] = values_.size();
      values_.push_back(any(terms_.sort(variable)));
    }
  }

  /// Until `last` has been reached `times` times, or the run is stuck or long.
  CfaTrace run(LocationId last, std::size_t times) {
    CfaTrace trace;
    trace.values.push_back(values_);
    LocationId at = cfa_.initial();
    for (std::size_t tries = 0; tries < 20'000 && times > 0; ++tries) {
      std::span<const EdgeId> out = cfa_.out(at);
      if (out.empty()) break;
      EdgeId edge = out[random_() % out.size()];
      std::vector<Term> before = values_;
      bool dead = cfa_.out(cfa_[edge].to).empty();
      if (dead || !execute(cfa_[edge].command)) {
        values_ = before;
        continue;
      }
      at = cfa_[edge].to;
      trace.edges.push_back(edge);
      trace.values.push_back(values_);
      if (at == last) --times;
    }
    return trace;
  }

 private:
  Term any(Sort sort) {
    switch (terms_.kind(sort)) {
      case SortKind::Bool:
        return terms_.boolean(random_() % 2 == 0);
      case SortKind::BitVec: {
        mpz_class number = static_cast<unsigned long>(random_());
        if (random_() % 2 == 0) number %= 8;  // small ones meet each other
        if (terms_.width(sort) > 32)
          number = (number << 32) + static_cast<unsigned long>(random_());
        return terms_.bv(number, terms_.width(sort));
      }
      case SortKind::Float:
        return terms_.number(mpq_class(static_cast<long>(random_() % 2001) - 1000, 4), sort);
      default:
        return terms_.default_value(sort);
    }
  }

  Term value_of(Term term) {
    TermMap map;
    for (Term variable : variables_of(terms_, term)) map[variable] = values_[index_[variable]];
    return evaluate(terms_, term, map);
  }

  bool execute(const Command& command) {
    switch (command.kind()) {
      case Command::Kind::Assign:
        values_[index_[command.variable()]] = value_of(command.value());
        return true;
      case Command::Kind::Assume:
        return terms_.is_true(value_of(command.guard()));
      case Command::Kind::Havoc:
        values_[index_[command.variable()]] = any(terms_.sort(command.variable()));
        return true;
      case Command::Kind::Sequence:
        for (const Command& part : command.parts())
          if (!execute(part)) return false;
        return true;
      case Command::Kind::Choice:
        return execute(command.parts()[random_() % command.parts().size()]);
    }
    return false;
  }

  const Cfa& cfa_;
  TermStore& terms_;
  std::mt19937 random_;
  std::unordered_map<Term, std::size_t> index_;
  std::vector<Term> values_;
};

}  // namespace lem::test
