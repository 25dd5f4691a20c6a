// The values of instructions: terms within a chain, variables beyond it.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

#include "frontend/c/automaton.h"
#include "frontend/c/chains.h"
#include "frontend/c/encoding.h"

namespace lem::c {

/// An assignment that is part of a simultaneous one.
struct Write {
  Term variable, value;
};

class Values {
 public:
  Values(const Chains& chains, Automaton& automaton)
      : chains_(chains), automaton_(automaton), t_(automaton.terms()) {}

  /// A new chain begins: the terms of the last one are not used again.
  void begin() { open_.clear(); }

  /// The term of a value that was defined; no term for others.
  Term of(const llvm::Value& value) const { return values_.lookup(&value); }
  std::optional<Pointer> pointer(const llvm::Value& value) const;
  /// Gives the instruction its value: the term, or a variable if another chain uses it.
  void define(const llvm::Instruction& instruction, Term term);
  void define(const llvm::Instruction& instruction, const Pointer& pointer);
  /// Gives the value a term that holds in all chains: a variable or a constant.
  void set(const llvm::Value& value, Term term) { values_[&value] = term; }
  void set(const llvm::Value& value, const Pointer& pointer);

  /// Assigns all at once. What the chain uses later with the values from before is saved first.
  void write(const std::vector<Write>& writes, const llvm::Instruction& writer);
  void havoc(Term variable, const llvm::Instruction& writer);
  /// Saves the terms that read this variable and are used behind the writer.
  void keep_before_write(Term variable, const llvm::Instruction& writer);
  /// The commands of a simultaneous assignment: what is written by one and read by a later one is
  /// saved first.
  std::vector<Command> at_once(const std::vector<Write>& writes);

 private:
  using Terms = llvm::DenseMap<const llvm::Value*, Term>;
  void define(const llvm::Instruction& instruction, Term term, Terms& among);

  const Chains& chains_;
  Automaton& automaton_;
  TermStore& t_;
  Terms values_;                                // of pointers, the object
  Terms indices_;                               // of pointers
  std::vector<const llvm::Instruction*> open_;  // of this chain, with terms that may be used again
};

}  // namespace lem::c
