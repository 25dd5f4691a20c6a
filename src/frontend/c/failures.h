// Where a program may fail, each place with an error location and a name of its own: assertions
// by their text and line, calls of reach_error outside of assertions all together, undefined
// behaviour by rule, line and expression. Copies of a place that inlining makes are one.
#pragma once

#include <llvm/IR/Instructions.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "ctext/text.h"
#include "frontend/c/automaton.h"
#include "frontend/c/c.h"
#include "model/c_source.h"

namespace lem::c {

class Failures {
 public:
  Failures(Automaton& automaton, const std::string& path, const COptions& options)
      : automaton_(automaton), path_(path), options_(options) {}

  /// The error location of a call that reports a failure.
  LocationId at_report(const llvm::CallBase& call);
  /// The error location of a check at an instruction.
  LocationId at_check(CRule rule, const SourcePos& at);
  /// An edge to a failure, if the rule is one that is checked and the condition holds. The run goes
  /// on beside it; in an assumption the condition must not hold.
  void check(CRule rule, const llvm::Instruction& at, Term wrong) { check(rule, at, at, wrong); }
  /// `stated`: what the property is about, where that is another place than that of the check.
  void check(CRule rule, const llvm::Instruction& at, const llvm::Instruction& stated, Term wrong);

  /// All, by place; none when there is one error for all. Names are unique.
  std::vector<CProperty> properties() &&;

 private:
  using Key = std::tuple<CRule, std::string, std::uint32_t, std::uint32_t>;
  LocationId find(CProperty property);
  const ctext::CText* text_of(const std::string& file);
  std::string asserted(const llvm::CallBase& call, const SourcePos& at);

  bool together() const { return options_.errors == COptions::Errors::Together; }

  Automaton& automaton_;
  const std::string& path_;
  const COptions& options_;
  std::map<Key, LocationId> known_;
  std::vector<CProperty> found_;
  std::map<std::string, std::unique_ptr<ctext::CText>> texts_;  // null: cannot be read
};

}  // namespace lem::c
