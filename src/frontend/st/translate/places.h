// Which variable an expression means: names in the frame of the call that is being inlined,
// members, elements and bits. Tests: tests/unit/frontend/st/places_test.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "frontend/st/translate/conversions.h"

namespace lem::st {

/// Gives expressions their values, as terms over the automaton's variables.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// `hint`: the type that is expected, if any. Calls and checks within the expression are executed
  /// where the automaton stands.
  virtual Result<Value> eval(const Expr& expr, const Type* hint) = 0;
};

class Places {
 public:
  Places(Context& context, Properties& properties, Conversions& types, Evaluator& evaluator)
      : context_(context), properties_(properties), types_(types), evaluator_(evaluator) {
    globals_.type = &globals_type_;
  }
  Places(const Places&) = delete;  // the type of the globals is a member
  Places& operator=(const Places&) = delete;

  void add_global(const Part& part, Storage storage);
  const Storage& globals() const { return globals_; }
  /// Variables that the program has no name for, by __ and their number.
  void add_numbered(std::size_t number, Storage storage);

  /// A variable of the frame or a global one.
  std::optional<Place> find(const Name& name) const;
  ///   ensure: at least one alternative
  Result<Place> place(const Expr& expr);

 private:
  std::optional<Place> find_in_owner(const Frame& here, const std::string& key) const;
  std::optional<Place> find_shared(const std::string& pou, const std::string& key) const;
  std::optional<Place> find_self(const Expr& expr);
  Result<Place> member(const Expr& expr);
  Result<Place> element(const Expr& expr);
  Result<Place> bits(const Expr& expr);
  struct Position {
    Term number;  // counted through from 0
    Term inside;  // within all bounds
  };
  Status add_index(const Expr& access, std::size_t dimension, const Type& array,
                   Position& position);
  void add_elements(const Place::Alternative& array, const Position& position, Place& out);

  Context& context_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Properties& properties_;
  Conversions& types_;
  Evaluator& evaluator_;
  Type globals_type_{Type::Kind::Block};
  Storage globals_;
  std::map<std::string, Storage> numbered_;
};

}  // namespace lem::st
