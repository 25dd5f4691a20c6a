// Variables of the automaton for those of the program: made, read and written.
// Tests: tests/unit/frontend/st/memory_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/st/translate/conversions.h"

namespace lem::st {

class Memory {
 public:
  Memory(Context& context, Conversions& types, LoopValues& loops)
      : cfa_(context.automaton), types_(types), loops_(loops) {}

  /// Variables of the automaton for a variable of that type.
  Storage make(const std::string& name, const Type& type, StVariable::Role role) {
    return make(name, type, role, 0);
  }
  /// Ages of all timers so far.
  const std::vector<Term>& ages() const { return ages_; }

  /// The value of a scalar now. Out of bounds, any value is read.
  Result<Value> read(const Place& place, const SourcePos& at);
  /// Out of bounds, nothing is written.
  Status write(const Place& place, const Value& value, const SourcePos& at);
  void write(const Transfer& one);
  /// Assigns structures and arrays, part by part.
  Status copy(const Place& to, const Place& from, const SourcePos& at);
  /// The same, with the values as they are now; nothing is assigned yet.
  Result<std::vector<Transfer>> transfers(const Place& to, const Place& from, const SourcePos& at);

 private:
  Storage make(const std::string& name, const Type& type, StVariable::Role role,
               std::size_t spread_elements);
  Status transfer_parts(const Place::Alternative& to, const Place::Alternative& from,
                        const SourcePos& at, std::vector<Transfer>& out);
  Term read_alternative(const Place::Alternative& each);
  Place::Alternative element(const Place::Alternative& array, std::size_t i);

  Automaton& cfa_;
  TermStore& t_ = cfa_.terms();
  Conversions& types_;
  LoopValues& loops_;
  std::vector<Term> ages_;
};

}  // namespace lem::st
