// The entry block between the controller's inputs and its clock: which variables have which role,
// what they are at the start, and what the environment sets in every cycle. Owns the variables of
// the entry block. Tests: tests/unit/frontend/st/environment_test.cpp.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/st/translate/expressions.h"

namespace lem::st {

/// The block that runs in every cycle: as the user says, or the only candidate.
Result<const PouInfo*> choose_entry(const Program& program, const std::string& wanted);
/// Variables with an address (AT %QX0.0): two at one address would be one variable, an error.
/// Controllers differ on whether %QW0 and %QX0.0 are the same memory: a warning.
Status check_addresses(const Context& context);

class Environment {
 public:
  Environment(Context& context, Expressions& expressions)
      : context_(context), expressions_(expressions) {}
  Environment(const Environment&) = delete;  // frames point to its storage
  Environment& operator=(const Environment&) = delete;

  /// Variables of the entry block and global ones.
  ///   require: context.entry.  ensure: context.entry_frame, context.clock
  Status make_variables();
  /// Sets all variables to their initial values, or leaves them open as the user says.
  Status set_initial_values();
  /// Sets the inputs to any values of their types and lets time pass.
  Status begin_cycle();

 private:
  Status mark_parameters();
  Status add_own(const Variable& one);
  void collect_inputs();
  StVariable::Role role_in_cycle(const Variable& one) const;
  Status set_up(const Storage& storage, const std::vector<Variable>& variables);
  Status take_input(const Storage& storage, std::size_t elements);
  Status take_at_start(const Storage& storage, std::size_t elements);
  Status take_retained(const Storage& storage, bool retained, std::size_t elements);
  void restrict_input(Term leaf, const Type& type);
  void advance_time();

  Context& context_;
  Expressions& expressions_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Places& places_ = expressions_.places;
  Memory& memory_ = expressions_.memory;
  Conversions& types_ = expressions_.types;
  InitialValues& initial_ = expressions_.initial;
  Type type_{Type::Kind::Block};
  Storage storage_;
  std::map<std::string, Storage> references_;  // VAR_IN_OUT of the entry block
  std::vector<const Storage*> inputs_;
  std::set<std::string> parameters_;  // keys of inputs that stay as they are
};

}  // namespace lem::st
