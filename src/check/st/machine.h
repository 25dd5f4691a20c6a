// An interpreter of Structured Text: one scan cycle after the other, on concrete values. It shares
// the parser and the resolved declarations with the front end, and nothing of the translation.
// Tests: tests/unit/check/st_replay_test.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "check/st/value.h"
#include "model/st/source.h"

namespace lem::check::plc {

class Machine {
 public:
  /// `choose` gives the run's value for what the program leaves open at a place, the n-th time.
  using Choose =
      std::function<std::optional<Value>(const SourcePos&, std::size_t, const st::Type&)>;
  Machine(const StSource& source, Choose choose, std::stop_token stop);

  void initialise();
  /// The state now is what prev() speaks of, until the next call.
  void begin() { previous_ = memory_; }
  /// Runs the entry block once. Assertions that fail are in `failed()`.
  void cycle();
  bool holds(const st::Expr& condition);  // in the scope of the entry block
  Value evaluate(const st::Expr& expr);

  void set(const std::string& path, Value value) { memory_[path] = std::move(value); }
  /// Elements of a large array, `path[]`, or of parts of its elements, `path[].x`: they are counted
  /// through from 0.
  void set_elements(const std::string& path, const std::function<Value(std::size_t)>& value_of);
  const Value* get(const std::string& path) const;
  /// Places of assertions, and of checks by their kind, that failed since the last call.
  const std::set<std::string>& failed() const { return failed_; }
  static std::string check_key(StProperty::Kind kind, const SourcePos& at);
  /// Why the interpreter cannot go on; empty: it can.
  const std::string& problem() const { return problem_; }
  void set_clock(mpz_class now) { clock_ = std::move(now); }

 private:
  enum class Flow : std::uint8_t { On, Exit, Continue, Return };
  struct Ref {
    std::string path;
    const st::Type* type = nullptr;
    bool outside = false;  // an index is out of bounds
    std::optional<std::pair<std::uint32_t, std::uint32_t>> bits{};
  };
  using Stores = std::vector<std::pair<Ref, Value>>;
  struct Frame {
    const st::PouInfo* pou = nullptr;
    std::string prefix{};  // of the paths of its variables: "", "timer.", "Function."
    std::map<std::string, Ref> references{};
    bool runs = false;  // its statements, not a condition of a requirement
    // Of methods: the instance they belong to.
    std::string owner_prefix{};
    std::map<std::string, Ref> owner_references{};
  };

  // Variables
  void reset(const std::string& path, const st::Type& type, const st::ExprPtr& initial,
             const st::PouInfo* scope);
  void reset_elements(const std::string& path, const st::Type& type, const st::Expr* from,
                      const st::PouInfo* scope);
  Value initial_scalar(const st::Type& type, const st::Expr& from, const st::PouInfo* scope);
  struct Elements {
    const std::string& wanted;
    const std::function<Value(std::size_t)>& value_of;
  };
  void set_within(const std::string& path, const std::string& shown, const st::Type& type,
                  std::size_t index, const Elements& elements);
  std::optional<Ref> find(const st::Name& name) const;
  Ref refer(const st::Expr& expr);
  std::string global_path(const st::Variable& global) const;
  const st::Type* type_along(const st::Expr& expr) const;
  std::optional<Ref> static_of(std::string pou, const std::string& key) const;
  std::optional<Ref> static_named(const st::Expr& expr) const;
  Ref element(const st::Expr& expr);
  Value load(const Ref& ref, const SourcePos& at);
  Value assigned(const Value& value, const st::Type& type, const SourcePos& at);
  void assign(const Ref& ref, const Value& value, const SourcePos& at);
  void store(const Ref& ref, const Value& value);
  void snapshot(const Ref& to, const Ref& from, Stores& out);
  void copy(const Ref& to, const Ref& from);

  // Expressions
  Value eval(const st::Expr& expr, const st::Type* hint);
  Value named(const st::Expr& expr, const st::Type* hint);
  Value literal(const st::Expr& expr, Value value);
  Value enumerator(const st::Name& name, const st::Type* hint, const std::string& type);
  Value unary(const st::Expr& expr, const st::Type* hint);
  Value binary(const st::Expr& expr, const st::Type* hint);
  Value apply(const st::Expr& expr, Value a, Value b);
  Value compare(st::BinaryOp op, const Value& a, const Value& b);
  Value integers(const st::Expr& expr, const st::Type& type, const Value& a, const Value& b);
  Value reals(const st::Expr& expr, const st::Type& type, const Value& a, const Value& b);
  Value untyped(const st::Expr& expr, const Value& a, const Value& b);
  const st::Type* meet(Value& a, Value& b);
  Value coerced(const Value& value, const st::Type& type);
  Value call(const st::Expr& expr, const st::Type* hint);
  Value standard(const st::Expr& expr, const st::Type* hint);
  std::optional<Value> one_argument(const st::Expr& expr, Value value, const st::Type* source,
                                    const st::Type* hint);
  Value selected(const st::Expr& expr, std::vector<Value> values);
  Value scaled(const st::Expr& expr, const std::vector<Value>& values, const st::Type* hint);
  Value shifted(const st::Expr& expr, const std::string& key, std::vector<Value> values,
                const st::Type* hint);
  Value open(const SourcePos& at, const st::Type& type);
  Value truth(bool value) const { return {elementary("bool"), value ? 1 : 0}; }
  const st::Type* elementary(const char* key) const { return source_.program->named_types.at(key); }

  // Statements
  Flow run(const st::Body& body);
  Flow step(const st::Statement& one);
  Flow loop_for(const st::Statement& one);
  Flow choose_case(const st::Statement& one);
  void invoke(const st::PouInfo& callee, Frame inner, const st::Expr& call);
  bool call_by_name(const st::Expr& expr);
  /// Runs the method that a call means; nothing for another call.
  std::optional<Value> call_method(const st::Expr& expr);
  std::optional<Ref> find_in_owner(const std::string& key) const;
  void call_statement(const st::Expr& expr, const SourcePos& at);
  void bind(const st::PouInfo& callee, const std::string& prefix, const st::Expr& call,
            Frame& inner);
  void check(StProperty::Kind kind, const SourcePos& at, bool holds);

  Value fail(const std::string& why);
  bool stopped();
  const Frame& frame() const { return frames_.back(); }

  const StSource& source_;
  Choose choose_;
  std::stop_token stop_;
  const st::PouInfo* entry_;
  std::map<std::string, Value> memory_, previous_;
  std::vector<Frame> frames_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> opened_;  // by line and column
  std::set<std::string> failed_;
  std::string problem_;
  mpz_class clock_;
  std::size_t steps_ = 0;
};

}  // namespace lem::check::plc
