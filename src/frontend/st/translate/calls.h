// Calls of functions, methods, actions and instances of function blocks, inlined. Owns the
// variables of functions: one set for all calls, as none is open twice. Tests:
// tests/unit/frontend/st/calls_test.cpp.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "frontend/st/translate/expressions.h"
#include "frontend/st/translate/standard_functions.h"

namespace lem::st {

/// Whether the expression calls a function or method of the program.
bool has_own_call(const Context& context, const Expr& expr);

/// Translates statements.
class BodyRunner {
 public:
  virtual ~BodyRunner() = default;
  virtual Status run(const Body& statements) = 0;
};

class Calls final : public Caller {
 public:
  Calls(Context& context, Expressions& expressions, StandardFunctions& standard, BodyRunner& bodies)
      : context_(context), expressions_(expressions), standard_(standard), bodies_(bodies) {}

  /// A call that gives a value.
  Result<Value> call(const Expr& call, const Type* hint) override;
  /// A call that is a statement.
  Status call_statement(const Expr& call, const SourcePos& at);
  /// Runs the body of a block or function whose inputs are set; `at` is the call.
  Status run_body(Frame inner, const SourcePos& at);
  /// Whether assignments `from` to `to` change more than variables of functions that have ended.
  bool writes_outside(std::size_t from, std::size_t to) const;

 private:
  /// Arguments of a call: which inputs are given, and the values of their scalars.
  struct Passed {
    std::vector<const Variable*> inputs{};
    std::deque<Transfer> values{};  // held terms stay where they are
  };
  /// A method that a call means, with the frame to run it in; no method: the call means another.
  struct Method {
    const PouInfo* pou = nullptr;
    Frame inner{};
  };
  Status call_instance(const Place& place, const Expr& call);
  Result<bool> call_by_name(const Expr& call);
  Result<Method> method_of(const Expr& call);
  /// A function or method; `inner` has the instance of a method.
  Result<Value> call_function(const PouInfo& function, Frame inner, const Expr& call);
  Status run_action(const Action& action, Frame inner, const Expr& call);
  Status run_statements(const Body& body, Frame inner, const std::function<Status()>& before);
  Status call_pou(const PouInfo& callee, Frame inner, const Expr& call);
  Status bind(const PouInfo& callee, const Storage& self, const Expr& call, Frame& inner);
  Status bind_argument(const Variable& target, const Storage& self, const Expr& argument,
                       Frame& inner, std::deque<Transfer>& given);
  Result<Passed> evaluate_arguments(const PouInfo& callee, const Storage& self, const Expr& call,
                                    Frame& inner);
  Status omitted_inputs(const PouInfo& callee, const Storage& self,
                        const std::vector<const Variable*>& passed);
  Result<Place> output_place(const Expr& target, std::size_t before);
  Status outputs(const PouInfo& callee, const Storage& self, const Expr& call, std::size_t before);
  const Storage& function_storage(const PouInfo& function);

  Context& context_;
  Expressions& expressions_;
  Automaton& cfa_ = context_.automaton;
  TermStore& t_ = context_.automaton.terms();
  Places& places_ = expressions_.places;
  Memory& memory_ = expressions_.memory;
  Conversions& types_ = expressions_.types;
  InitialValues& initial_ = expressions_.initial;
  StandardFunctions& standard_;
  LoopValues& loops_ = expressions_.loops;
  BodyRunner& bodies_;
  std::deque<Type> function_types_;
  std::map<const PouInfo*, Storage> function_storage_;
  std::set<std::pair<const Action*, const Storage*>> open_actions_;
};

}  // namespace lem::st
