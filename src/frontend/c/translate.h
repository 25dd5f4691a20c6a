// From one prepared function to the automaton. Chains of basic blocks become edges, one for each
// source line; what is computed and used within a chain is a term, what lives longer a variable.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "frontend/c/arithmetic.h"
#include "frontend/c/c.h"
#include "frontend/c/cells.h"

namespace lem::c {

class Translator {
 public:
  Translator(const llvm::Function& main, const std::string& path, const COptions& options);
  Result<CProgram> run();

 private:
  enum class Flow : std::uint8_t { On, Ended };  // whether control comes to the next instruction

  // translate.cpp: chains, edges and variables
  void find_chains();
  void find_last_uses();
  Status chain(const llvm::BasicBlock& head);
  Status initial_values();
  void emit(Command command, std::uint32_t line);
  void flush();
  void edge(LocationId to, std::vector<Command> commands, std::uint32_t line);
  Status leave(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Term guard);
  Result<std::vector<Command>> moves(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  Status terminator(const llvm::Instruction& last);
  LocationId location(const llvm::BasicBlock& head);
  Term variable_of(CellId cell);
  Term declare(CVariable variable, Sort sort);
  Term internal(Sort sort, std::uint32_t bits);
  Term phi_variable(const llvm::PHINode& phi);

  // instructions.cpp: what is in a block
  Result<Flow> instruction(const llvm::Instruction& instruction);
  Result<Flow> call(const llvm::CallBase& call);
  Status nondet(const llvm::CallBase& call, const llvm::Function& callee);
  Status fresh(const llvm::CallBase& call);
  Status store(const llvm::StoreInst& store);
  Result<Term> compute(const llvm::Instruction& instruction);
  Result<Term> binary(const llvm::BinaryOperator& op);
  Result<Term> division(const llvm::BinaryOperator& op, Term a, Term b);
  Result<Term> compare(const llvm::ICmpInst& compare);
  Result<Term> cast(const llvm::CastInst& cast);
  Result<Term> value(const llvm::Value& value, const llvm::Instruction& user,
                     CSign sign = CSign::Signed);
  void define(const llvm::Instruction& instruction, Term term);
  void keep_before_write(Term written, const llvm::Instruction& writer);
  bool overwritten_unread(CellId cell, const llvm::Instruction& from) const;
  CSign sign_of(const llvm::Value& value) const;
  Error refuse(const llvm::Instruction& at, const std::string& construct) const;

  const llvm::Function& main_;
  const std::string& path_;
  CfaBuilder builder_;
  TermStore& t_;
  Arithmetic arithmetic_;
  Cells cells_;

  std::vector<const llvm::BasicBlock*> heads_;   // of chains, in the order they are found
  std::vector<const llvm::BasicBlock*> blocks_;  // that can be reached, chain by chain
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> head_of_;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> order_;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> last_use_;  // kBeyond: other chains

  std::vector<Term> cell_variables_;  // no term: not needed yet
  std::vector<CVariable> variables_;
  std::map<std::string, std::uint32_t> names_;  // how often they were wanted
  std::vector<CInput> inputs_;
  llvm::DenseMap<const llvm::BasicBlock*, LocationId> locations_;
  llvm::DenseMap<const llvm::Value*, Term> values_;
  std::vector<const llvm::Instruction*> open_;  // terms of this chain that may be used again

  LocationId exit_{}, error_{}, at_{};
  std::vector<Command> pending_;
  std::uint32_t line_ = 0;
  EdgeId last_edge_{};
};

}  // namespace lem::c
