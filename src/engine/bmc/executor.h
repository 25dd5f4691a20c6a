// Commands executed on symbolic states: every variable has a term over what was read from outside.
// Terms fold as they are made, so what a program determines is a value; where paths meet, values
// that differ are chosen by the condition that parted them [Clarke04, Kuznetsov12].
// Tests: tests/unit/engine/bmc/program_search_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/bmc/arrays.h"
#include "engine/bmc/paths.h"
#include "engine/bmc/persistent_vector.h"
#include "model/cfa.h"

namespace lem::engine {

struct SymbolicState {
  PersistentVector<Term> scalars;     // by variable
  PersistentVector<ArrayRef> arrays;  // likewise
  PathId path = PathId::Root;
};

class Executor {
 public:
  /// Makes a variable for a value from outside, or for a choice.
  using Fresh = std::function<Term(Sort)>;

  Executor(const Cfa& cfa, Arrays& arrays, Fresh fresh);

  /// Every value is possible.
  SymbolicState initial() const;
  /// Paths of another unwinding; those before are no more.
  void restart() { paths_.clear(); }

  /// False: nothing executes the command from there, and the state is of no use.
  bool execute(const Command& command, SymbolicState& state);
  /// Makes the paths exclude each other, by a choice from outside where conditions do not show it.
  ///   require: they come from `start`
  void separate(PathId start, std::span<SymbolicState*> ends);
  /// One of them; later ones are looked at first.  require: at least one; separated
  SymbolicState meet(std::span<const SymbolicState> ends);

  Paths& paths() { return paths_; }
  std::uint64_t decisions() const { return decisions_; }  // conditions that were left open so far

  /// Whether arrays are resolved here; else they are terms like the others.
  bool resolves_arrays() const { return resolves_; }
  bool is_array(std::uint32_t variable) const { return is_array_[variable]; }

 private:
  struct Value {
    Term term{};
    ArrayRef array{};
  };
  bool assume(Term condition, SymbolicState& state);
  bool choose(const Command& command, SymbolicState& state);
  SymbolicState meet(const SymbolicState& one, const SymbolicState& other);
  Value evaluate(Term term, const SymbolicState& state);
  Value apply(Term term, const SymbolicState& state);
  const Value& known(Term term) const { return memo_[term.id()].value; }
  std::uint32_t slot(Term variable) const { return slots_[variable.id()]; }

  const Cfa& cfa_;
  TermStore& terms_;
  Arrays& arrays_;
  Fresh fresh_;
  Paths paths_;
  bool resolves_;
  std::vector<bool> is_array_;        // by variable
  std::vector<std::uint32_t> slots_;  // by id of a variable
  std::uint64_t decisions_ = 0;

  struct Memo {
    std::uint64_t when = 0;
    Value value;
  };
  std::vector<Memo> memo_;  // by id of a term of the commands
  std::uint64_t now_ = 0;
  std::vector<Term> stack_;
};

/// Whether every array has scalar elements and none is compared as a whole.
bool arrays_are_simple(const Cfa& cfa);

}  // namespace lem::engine
