// What is to be proved. Every property has a location of its own that is its error; a check that
// fails ends no run for the other properties. Tests: tests/unit/frontend/st/properties_test.cpp.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "frontend/st/translate/automaton.h"
#include "frontend/st/translate/context.h"

namespace lem::st {

class Properties {
 public:
  explicit Properties(Context& context) : context_(context) {}
  /// One property for each name and place: inlined code checks the same one again.
  ///   ensure: its name differs from those of all others
  StProperty& add(const std::string& name, StProperty::Kind kind, const SourcePos& at,
                  const std::string& text);
  /// The error is reached from here where the condition does not hold; runs go on.
  void prove(LocationId error, Term condition);
  /// A check of --check in code of the user, where its kind is asked for.
  void check(StProperty::Kind kind, const SourcePos& at, const std::string& what, Term holds);
  void no_overflow(const Type& type, const SourcePos& at, Term holds) {
    check(StProperty::Kind::Overflow, at, "no overflow of " + type.name, holds);
  }
  void not_zero(const SourcePos& at, Term holds) {
    check(StProperty::Kind::Division, at, "the divisor is not zero", holds);
  }
  std::deque<StProperty>& all() { return all_; }

 private:
  Context& context_;
  Automaton& cfa_ = context_.automaton;
  std::deque<StProperty> all_;
  std::map<std::string, std::size_t> by_key_;
};

}  // namespace lem::st
