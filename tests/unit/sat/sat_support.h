// What the SAT tests share: random clauses that are the same on every machine, and CaDiCaL, fresh
// for each question, as the judge of answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "sat/cadical.h"
#include "sat/sat_solver.h"

namespace lem::sat::test {

using Clause = std::vector<Lit>;
using Cnf = std::vector<Clause>;

inline Lit pos(Var var) {
  return {var, false};
}
inline Lit neg(Var var) {
  return {var, true};
}

/// Seeded; only the engine's raw output is used, because library distributions differ.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((engine_() >> 16) % bound);
  }
  std::uint32_t between(std::uint32_t low, std::uint32_t high) {
    return low + below(high - low + 1);
  }
  bool percent(std::uint32_t chance) { return below(100) < chance; }
  /// A literal of a variable below `vars`.
  Lit lit(Var vars) { return Lit::from_code(below(2 * vars)); }
  /// Literals of distinct variables below `vars`, if there are enough of them.
  Clause distinct(Var vars, std::uint32_t size) {
    Clause clause;
    while (clause.size() < std::min(size, vars)) {
      Lit next = lit(vars);
      bool fresh = std::ranges::none_of(clause, [&](Lit l) { return l.var() == next.var(); });
      if (fresh) clause.push_back(next);
    }
    return clause;
  }
  /// Any literals: repeated and complementary ones may occur.
  Clause any(Var vars, std::uint32_t size) {
    Clause clause(size);
    for (Lit& l : clause) l = lit(vars);
    return clause;
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

inline void add_vars(SatSolver& solver, Var count) {
  for (Var i = 0; i < count; ++i) solver.new_var();
}

inline bool satisfied(const Clause& clause, const std::function<bool(Lit)>& holds) {
  return std::ranges::any_of(clause, holds);
}

inline std::unique_ptr<SatSolver> make_judge(Var vars, const Cnf& clauses) {
  std::unique_ptr<SatSolver> judge = make_cadical();
  add_vars(*judge, vars);
  for (const Clause& clause : clauses) judge->add_clause(clause);
  return judge;
}

/// The verdict of a fresh CaDiCaL on the clauses under the assumptions.
inline bool satisfiable(Var vars, const Cnf& clauses, std::span<const Lit> assumptions) {
  return make_judge(vars, clauses)->solve(assumptions) == SatResult::Sat;
}

/// The assumptions that the solver blames for its last answer, Unsat.
inline Clause core(const SatSolver& solver, std::span<const Lit> assumptions) {
  Clause failed;
  std::ranges::copy_if(assumptions, std::back_inserter(failed),
                       [&](Lit lit) { return solver.failed(lit); });
  return failed;
}

/// `pigeons` in `holes`, each pigeon somewhere and no two in one hole; variable = pigeon * holes +
/// hole. Exponentially hard for resolution when there is one pigeon too many.
inline Cnf pigeonhole(Var pigeons, Var holes) {
  Cnf cnf;
  for (Var pigeon = 0; pigeon < pigeons; ++pigeon) {
    Clause somewhere;
    for (Var hole = 0; hole < holes; ++hole) {
      somewhere.push_back(pos(pigeon * holes + hole));
      for (Var other = 0; other < pigeon; ++other) {
        cnf.push_back({neg(pigeon * holes + hole), neg(other * holes + hole)});
      }
    }
    cnf.push_back(somewhere);
  }
  return cnf;
}

/// Checked builds are several times slower and run this share of the random traces.
constexpr std::uint64_t traces(std::uint64_t full) {
#ifdef LEM_CHECKED_BUILD
  return full / 5;
#else
  return full;
#endif
}

}  // namespace lem::sat::test
