// A PLC program as a control-flow automaton with a scan loop: inputs have any value in each cycle,
// the entry block runs, requirements are checked at the end of the cycle. Calls are inlined; what
// an instance keeps from cycle to cycle are variables of the automaton. More in docs/plc.md.
//
// Every property has a location of its own that is its error; a check that fails ends no run for
// the other properties. Tests: tests/unit/check/st_replay_test.cpp.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/st/options.h"
#include "frontend/st/parser.h"
#include "model/cfa.h"
#include "model/st/program.h"
#include "model/st/source.h"

namespace lem::st {

/// The error of a program without anything to prove.
inline constexpr const char* kNothingToCheck =
    "nothing to check: there is no //#ASSERT in what the entry block runs, and nothing that may "
    "overflow, divide by zero or leave an array; write //#ASSERT x < 5 : name into the program, or "
    "give --require 'invariant: x < 5'";

/// A variable or a part of one.
struct Storage {
  const Type* type = nullptr;
  Term leaf{};                   // of scalars; an array over all elements where `spread` is above
  std::vector<Storage> parts{};  // of structures, instances and arrays; of a spread array, one
  bool spread = false;           // of arrays: elements are told apart by an index term
};

/// Where a value is kept, as far as that is known: one alternative for each element a variable
/// index may mean.
struct Place {
  struct Alternative {
    Term guard;  // the index means this one
    const Storage* storage;
    Term index;  // into arrays of the automaton; none: not within a spread array
  };
  const Type* type = nullptr;
  std::vector<Alternative> alternatives{};
  bool may_miss = false;  // some index may be out of bounds: then no guard holds
  std::optional<std::pair<std::uint32_t, std::uint32_t>> bits{};  // high, low: a part of a word
};

/// The value of an expression. A number without a type takes the type of what it meets.
struct Value {
  const Type* type = nullptr;
  Term term{};
  std::optional<mpz_class> integer{};
  std::optional<mpq_class> real{};
};

/// An assignment of one scalar; a copy of a structure is several.
struct Transfer {
  Place::Alternative to;
  Term value;
};

/// Terms that a statement still needs while it evaluates the rest of its operands. A call among
/// these may assign to what the terms read: Translator::keep_held puts their values aside first.
class [[nodiscard]] Held {
 public:
  explicit Held(std::vector<Term*>& stack) : stack_(stack), from_(stack.size()) {}
  ~Held() { stack_.resize(from_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  /// The term stays where it is until this object ends.
  void add(Term& term) { stack_.push_back(&term); }
  void add(Place& place) {
    for (Place::Alternative& each : place.alternatives) {
      add(each.guard);
      add(each.index);
    }
  }

 private:
  std::vector<Term*>& stack_;
  std::size_t from_;
};

class Translator {
 public:
  Translator(std::shared_ptr<const Program> program, const StOptions& options,
             std::vector<Warning>& warnings);
  Result<StProgram> run(const std::string& file);

 private:
  struct Loop {
    LocationId leave, again;
  };
  /// A call that is being inlined.
  struct Frame {
    const PouInfo* pou = nullptr;
    const Storage* self = nullptr;
    std::map<std::string, Place> references{};  // VAR_IN_OUT
    LocationId end{};
    std::vector<Loop> loops{};
    bool runs = false;  // its statements, not a condition of a requirement
    // Of methods: the instance they belong to.
    const Storage* owner = nullptr;
    std::map<std::string, Place> owner_references{};
  };
  /// Arguments of a call: which inputs are given, and the values of their scalars.
  struct Passed {
    std::vector<const Variable*> inputs{};
    std::deque<Transfer> values{};  // held terms stay where they are
  };
  /// A value of an earlier moment that a requirement or prev() needs.
  struct Monitor {
    Term variable;
    ExprPtr now{};            // what it becomes at the end of every cycle
    bool sticky = false;      // once true it stays
    bool from_start = false;  // begins with the initial value of `now`, not with FALSE
  };
  /// A requirement with its expressions read.
  struct Claim {
    const StRequirement* from;
    std::vector<ExprPtr> parts;
    LocationId error;
    Term memory{};  // of during-cycle, between-cycles and past
    std::size_t property = 0;
  };

  // The scan cycle (translate.cpp)
  Result<const PouInfo*> choose_entry() const;
  Status make_entry();
  Status initial_state();
  Status begin_cycle();
  Status end_cycle();
  std::optional<Term> premise_of(const Claim& claim, const std::vector<Term>& p);
  Status initial_monitors();
  void advance_time();
  Status take_input(const Storage& storage, std::size_t elements);
  Status take_at_start(const Storage& storage, std::size_t elements);
  Status take_retained(const Storage& storage, bool retained, std::size_t elements);
  void restrict_input(Term leaf, const Type& type);
  Status mark_parameters();
  Status check_addresses();  // located.cpp
  void collect_inputs();
  StVariable::Role role_in_cycle(const Variable& one) const;
  Status read_requirements();
  Status read_requirement(const StRequirement& one, std::size_t number);
  Result<ExprPtr> parse_condition(const std::string& text, const SourcePos& at);
  Result<Term> previous(const Expr& call);
  Status read_claims();
  std::optional<Place> numbered(const std::string& key) const;
  Result<StProgram> finished(const std::string& file);
  Frame entry_frame() const;

  // Properties
  LocationId property(const std::string& name, StProperty::Kind kind, const SourcePos& at,
                      const std::string& text);
  void prove(LocationId error, Term condition);
  void check_that(StProperty::Kind kind, const SourcePos& at, const std::string& what, Term holds);

  // Edges
  void emit(Command command);
  LocationId flush();
  LocationId new_location(const char* name);
  void edge(LocationId to, std::vector<Command> commands);
  void go_to(LocationId to);
  void continue_at(LocationId at);
  Term variable(const std::string& name, Sort sort, StVariable about);
  Term temporary(Sort sort);
  /// A choice of the environment, here and now; `at` is the expression that leaves it open.
  Term any_value(Sort sort, const SourcePos& at);
  void keep(Term& term);  // its value now, whatever is assigned later
  void keep(Place& place);
  void keep_held();  // before a call or a branch within an expression
  /// Whether an assignment since `mark`, a size of `written_`, changes what the term reads.
  bool changed_since(std::size_t mark, Term term) const;
  bool changed_since(std::size_t mark, const Place& place) const;
  bool writes_outside(std::size_t from, std::size_t to) const;

  // Storage (storage.cpp)
  Result<Storage> make_storage(const std::string& name, const Type& type, StVariable::Role role,
                               std::size_t spread_elements);
  Status initialise(const Storage& storage, const ExprPtr& initial, const PouInfo* scope);
  Status initialise_array(const Storage& storage, const ExprPtr& initial, const PouInfo* scope);
  Status initialise_parts(const Storage& storage, const ExprPtr& initial, const PouInfo* scope);
  Result<Term> initial_scalar(const Type& type, const ExprPtr& initial, const PouInfo* scope);
  Status initialise_spread(const Storage& storage, const ExprPtr& initial, const PouInfo* scope);
  Sort sort_of(const Type& type);
  Term default_of(const Type& type);

  // Places (places.cpp)
  Result<Place> place(const Expr& expr);
  std::optional<Place> find_place(const Name& name) const;
  static Place whole(const Storage& storage);
  static const Storage* part_of(const Storage& storage, const std::string& key);
  std::optional<Place> find_in_owner(const Frame& here, const std::string& key) const;
  std::optional<Place> find_shared(const std::string& pou, const std::string& key) const;
  Result<Place> member_place(const Expr& expr);
  Result<Place> index_place(const Expr& expr);
  Result<Place> bit_place(const Expr& expr);
  Result<Value> read(const Place& place, const SourcePos& at);
  Status write(const Place& place, const Value& value, const SourcePos& at);
  Status copy(const Place& to, const Place& from, const SourcePos& at);
  Result<std::vector<Transfer>> transfers(const Place& to, const Place& from, const SourcePos& at);
  Status transfer_parts(const Place::Alternative& to, const Place::Alternative& from,
                        const SourcePos& at, std::vector<Transfer>& out);
  Term read_alternative(const Place::Alternative& each);
  Place::Alternative element(const Place::Alternative& array, std::size_t i);
  void write_alternative(const Place::Alternative& each, Term value);

  // Expressions (expressions.cpp)
  Result<Value> eval(const Expr& expr, const Type* hint);
  Result<Value> eval_name(const Expr& expr, const Type* hint);
  Result<Value> eval_unary(const Expr& expr, const Type* hint);
  Result<Value> eval_binary(const Expr& expr, const Type* hint);
  Result<Value> lazily(const Expr& expr);
  Result<Value> logic(const Expr& expr, Value left, Value right);
  Result<Value> comparison(const Expr& expr, Value left, Value right);
  Result<Value> arithmetic(const Expr& expr, Value left, Value right);
  Result<Value> integer_arithmetic(const Expr& expr, const Type& type, Term a, Term b);
  Result<Value> real_arithmetic(const Expr& expr, const Type& type, Term a, Term b);
  Result<Value> untyped_arithmetic(const Expr& expr, const Value& left, const Value& right);
  Result<Value> power(const Expr& expr, const Value& base, const Value& exponent);
  Result<Value> enumerator(const Name& name, const Type* hint, const std::string& type);
  Result<Term> boolean(const Expr& expr);
  Result<const Type*> unify(Value& left, Value& right, const SourcePos& at);
  Result<Term> assigned_text(const Value& value, const Type& to, const SourcePos& at);
  Result<Term> coerce(const Value& value, const Type& to, const SourcePos& at);
  Result<Term> convert(const Value& value, const Type& to, const SourcePos& at, Rounding rounding);
  static bool fits(const mpz_class& value, const Type& type);
  Result<Term> fitting(const mpq_class& value, const Type& to, const SourcePos& at);
  void conversion_check(const Value& value, const Type& to, const SourcePos& at);
  bool is_constant(const Value& value) const;
  const Type* type_with(const mpz_class& value, const Type& type) const;
  const Type* unbounded(const Type* type) const;
  Result<Value> scaled_time(const Expr& expr, const Value& time, const Value& factor);
  Result<Value> typed_literal(const Expr& expr, Value value);
  bool has_call(const Expr& expr) const;
  bool has_own_call(const Expr& expr) const;  // of a function or method of the program
  const Type* elementary(const char* key) const;
  Term number(const mpz_class& value, const Type& type);
  Term extended(Term value, const Type& from, std::uint32_t bits);
  void overflow_check(const Expr& expr, const Type& type, Term a, Term b, Term result);

  // Calls (calls.cpp)
  Result<Value> eval_call(const Expr& call, const Type* hint);
  Status call_statement(const Expr& call, const SourcePos& at);
  Status call_instance(const Place& place, const Expr& call);
  Result<bool> call_by_name(const Expr& call);
  /// The method that a call means, with the frame to run it in; no method for another call.
  Result<std::pair<const PouInfo*, Frame>> method_of(const Expr& call);
  Result<Value> call_method(const PouInfo& method, Frame inner, const Expr& call);
  Status run_action(const Action& action, Frame inner, const Expr& call);
  Result<Value> call_function(const PouInfo& function, const Expr& call);
  Status bind(const PouInfo& callee, const Storage& self, const Expr& call, Frame& frame);
  Status bind_argument(const Variable& target, const Storage& self, const Expr& argument,
                       Frame& frame, std::deque<Transfer>& given);
  Result<Passed> evaluate_arguments(const PouInfo& callee, const Storage& self, const Expr& call,
                                    Frame& frame);
  Status omitted_inputs(const PouInfo& callee, const Storage& self,
                        const std::vector<const Variable*>& passed);
  Status run_body(Frame frame, const SourcePos& at);
  Result<Place> output_place(const Expr& target, std::size_t before);
  Status outputs(const PouInfo& callee, const Storage& self, const Expr& call, std::size_t before);
  Result<const Storage*> function_storage(const PouInfo& function);
  // Standard functions (functions.cpp)
  Result<std::optional<Value>> standard_function(const Expr& call, const Type* hint);
  Status keeps_order(const Expr& written, const Expr& sorted) const;
  Result<std::vector<Value>> plain_arguments(const Expr& call, std::size_t least, std::size_t most,
                                             const Type* hint);
  Result<Value> one_argument(const Expr& call, const std::string& key, const Type* hint);
  Result<std::optional<Value>> operator_function(const Expr& call, const Type* hint);
  Result<Value> select_among(const Expr& call, std::vector<Value> values, std::size_t first);
  Result<Value> shift(const Expr& call, const std::string& key, const Type* hint);
  Result<Value> conversion(const Expr& call, const std::string& from, const std::string& to);
  Result<Value> scaled(const Expr& call, const std::string& key, const Type* hint);
  Result<Value> least_or_most(const Expr& call, const std::string& key, const Type* hint);

  // Statements (statements.cpp)
  Status body(const Body& statements);
  Status statement(const Statement& one);
  Status assign(const Statement& one);
  Status if_statement(const Statement& one);
  Status case_statement(const Statement& one);
  Result<Term> label_matches(const CaseLabel& label, const Value& selector);
  Status for_statement(const Statement& one);
  // Loops between constants (unrolled.cpp)
  std::optional<std::vector<mpz_class>> turns(const Statement& one, const Type& type, Term from,
                                              Term last, Term step) const;
  Status unrolled(const Statement& one, const Place& variable,
                  const std::vector<mpz_class>& values);
  Status while_statement(const Statement& one);
  Status repeat_statement(const Statement& one);
  Status assertion(const Statement& one);

  Frame& frame() { return frames_.back(); }
  const Frame& frame() const { return frames_.back(); }
  void warn(const SourcePos& at, const std::string& message);
  bool in_user_code() const { return !frames_.empty() && !frames_.back().pou->builtin; }

  std::shared_ptr<const Program> program_;
  const StOptions& options_;
  std::vector<Warning>& warnings_;
  CfaBuilder builder_;
  TermStore& t_;
  const PouInfo* entry_ = nullptr;
  Storage entry_storage_, globals_;
  std::map<std::string, Storage> entry_references_;  // VAR_IN_OUT of the entry block
  std::vector<const Storage*> inputs_;
  Type globals_type_{Type::Kind::Block};
  std::deque<Type> own_types_;                          // locals of functions
  std::map<const PouInfo*, Storage> function_storage_;  // functions do not call themselves
  std::vector<Frame> frames_;
  std::set<std::pair<const Action*, const Storage*>> open_actions_;
  std::set<std::string> parameters_;  // keys of inputs that stay as they are

  LocationId at_{};
  bool dead_ = false;     // nothing leads here
  bool assumes_ = false;  // the user restricts runs
  std::vector<Command> pending_;
  std::vector<Term*> held_;
  std::set<Term> aside_;       // temporaries that keep values of held terms
  std::vector<Term> written_;  // variables in the order of their assignments
  std::uint32_t line_ = 0;
  std::size_t edges_ = 0;

  std::vector<StProperty> properties_;
  std::map<std::string, std::size_t> property_by_key_;
  std::map<Term, Term> fixed_;  // variables of loops that are unrolled, and their values now
  // Reads of these variables so far, and those before the expression that is evaluated: equal while
  // a value is one that the program has as a constant.
  std::size_t turns_read_ = 0, turns_before_ = 0;
  std::vector<Claim> claims_;
  std::map<std::string, Storage> numbered_;  // by __ and their number: for lines of a proof
  std::vector<Monitor> monitors_;
  LocationId ready_{}, head_{};  // variables are initialised; a cycle begins
  std::vector<Term> ages_;       // of timers
  Term clock_{};                 // milliseconds since the start, where the program asks for it
  std::shared_ptr<StSource> source_ = std::make_shared<StSource>();
};

}  // namespace lem::st
