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
#include "frontend/c/c.h"
#include "model/c_source.h"

namespace lem::c {

class Failures {
 public:
  Failures(CfaBuilder& builder, const std::string& path, COptions::Errors errors)
      : builder_(builder), path_(path), errors_(errors) {}

  /// The error location of a call that reports a failure.
  LocationId at_report(const llvm::CallBase& call);
  /// The error location of a check at an instruction.
  LocationId at_check(CRule rule, const llvm::Instruction& at);
  LocationId at_check(CRule rule, const SourcePos& at);

  /// All, by place; none when there is one error for all. Names are unique.
  std::vector<CProperty> properties() &&;
  /// Of the first, or of all.
  LocationId first();

 private:
  using Key = std::tuple<CRule, std::string, std::uint32_t, std::uint32_t>;
  LocationId find(CProperty property);
  SourcePos stated_at(const llvm::CallBase& call) const;
  const ctext::CText* text_of(const std::string& file);
  std::string asserted(const llvm::CallBase& call, const SourcePos& at);

  CfaBuilder& builder_;
  const std::string& path_;
  COptions::Errors errors_;
  std::map<Key, LocationId> known_;
  std::vector<CProperty> found_;
  std::optional<LocationId> first_;
  std::map<std::string, std::unique_ptr<ctext::CText>> texts_;  // null: cannot be read
};

}  // namespace lem::c
