// The automaton while it is made: variables, locations, and edges with their places in the source.
// Commands are collected until an edge takes them; one edge has the commands of one source line.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/c/c.h"
#include "frontend/c/frames.h"

namespace lem::c {

class Automaton {
 public:
  /// Control is at the location "start".
  Automaton(const llvm::Function& main, const std::string& path);
  TermStore& terms() const { return builder_.terms(); }

  // Variables

  /// A variable of the program. Its name becomes unique: main::x, main::x@2.
  Term declare(CVariable variable, Sort sort, const CDeclaration& declaration);
  /// A variable without a name; bits as CVariable has them.
  Term internal(Sort sort, std::uint32_t bits = 0);
  /// A new variable with any value, from this instruction on.
  Term any(Sort sort, const llvm::Instruction& at);

  // Locations

  LocationId exit() const { return exit_; }
  LocationId error() const { return error_; }
  LocationId add_location(const std::string& name, std::uint32_t line = 0) {
    return builder_.add_location(name, line);
  }
  /// Of the block that begins a chain.
  LocationId location(const llvm::BasicBlock& head);
  /// From now on control is at the start of this block.
  ///   require: nothing is pending
  void begin(const llvm::BasicBlock& head);
  /// From now on commands are made of this instruction.
  void at(const llvm::Instruction& instruction) { current_ = &instruction; }

  // Edges

  /// Adds a command to those that are pending; those of another line get an edge first.
  void emit(Command command, const llvm::Instruction& at);
  /// At the start of the program, which is on no line.
  void emit_first(Command command) { emit_on(std::move(command), 0); }
  /// What is pending gets an edge, and control is at its end.
  void flush();
  /// flush(), if what is pending is of another line.
  void flush_before(std::uint32_t line);
  /// An edge from where control is, without what is pending.
  void edge(LocationId to, std::vector<Command> commands, std::uint32_t line);
  /// An edge with what is pending and these commands behind it; what is pending stays. The line is
  /// that of what is pending, if it has one.
  void branch(LocationId to, const std::vector<Command>& more, std::uint32_t line);
  /// The last edge from here: it takes what is pending.
  void end(LocationId to, std::uint32_t line);
  /// Forgets what is pending.
  void drop() { pending_.clear(); }
  /// The last edge has read an input into this variable.
  void add_input(Term variable, const std::string& function, CSign sign, SourcePos at);

  /// ensure: CProgram::cfa, variables, inputs, marks; the rest is left as it is
  Result<CProgram> finish() &&;

 private:
  void emit_on(Command command, std::uint32_t line);
  CMark mark() const { return current_ == nullptr ? CMark{} : frames_.mark(*current_); }

  const std::string& path_;
  CfaBuilder builder_;
  Frames frames_;
  std::vector<CVariable> variables_;
  std::map<std::string, std::uint32_t> names_;  // how often they were wanted
  std::vector<CInput> inputs_;
  llvm::DenseMap<const llvm::BasicBlock*, LocationId> locations_;
  CMarks marks_;
  LocationId exit_{}, error_{}, at_{};  // at_: where control is
  std::vector<Command> pending_;
  std::vector<CMark> pending_marks_;
  std::uint32_t line_ = 0;                      // of what is pending; 0: none
  const llvm::Instruction* current_ = nullptr;  // what commands are made of
  EdgeId last_edge_{};
};

}  // namespace lem::c
