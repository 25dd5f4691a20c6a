// From the checked program to terms: every call becomes an instance of its node with separate
// variables, every stream a term over inputs and memories.
//
// Streams are expanded by substitution; terms are shared, so this does not blow up. A variable is
// evaluated when it is first needed, and an output of a call without touching inputs that it does
// not depend on; what needs itself in the same instant is refused.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "frontend/lustre/syntax.h"
#include "term/term_store.h"

namespace lem::lustre {

/// A memory of `pre`: what it holds at the first instant is arbitrary within `range`.
struct Memory {
  Term state;
  Term update;
  Term range{};  // over the state; no term: unbounded
  /// Where an unguarded `pre` reads the memory at the first instant: the term for that instant.
  /// Each occurrence then has its own arbitrary value. No term: the first value is not read.
  Term first{};
};

struct Flag {
  Term state;
  Term init;
  Term update;
};

using NamedTerm = std::pair<std::string, Term>;

struct Bad {
  std::string name;
  Term term;
  Term premise{};  // of a claim `premise => conclusion`
  Goal goal = Goal::Avoid;
  Place at{};  // of the claim; none for what the types claim
};

struct Elaborated {
  std::vector<Term> inputs;
  std::vector<Term> constants;  // states that keep their value
  std::vector<Memory> memories;
  std::vector<Flag> flags;
  std::vector<Term> constraints;  // over states and inputs
  std::vector<Bad> bads;
  std::vector<NamedTerm> observed;
  std::vector<std::pair<Place, std::string>> warnings;
  /// Inputs, constants and memories of enumerated types, by name: the names of their values.
  std::map<std::string, std::vector<std::string>> enumerators;
};

class Elaborator {
 public:
  Elaborator(const Program& program, TermStore& terms) : p_(program), t_(terms) {}
  Result<Elaborated> run();

 private:
  enum class InstanceId : std::uint32_t {};
  enum class Progress : std::uint8_t { New, Active, Done };
  enum class Restarts : std::uint8_t { No, Yes };
  using Leaves = std::vector<Term>;  // the terms of one part of a value

  /// When an instance runs. `first` counts only at instants at which `active` holds.
  struct Clock {
    Term active;
    Term first;
    Restarts restarts = Restarts::No;
  };
  /// What an input stands for: a part of an expression of the caller, or a variable of it.
  struct Binding {
    ExprId expr = kNoExpr;
    std::uint32_t part = 0;
    VarId var{};
  };
  struct Child {
    InstanceId id;
    Term tick{};                             // the call's condition; no term: none
    std::map<std::uint32_t, Leaves> held{};  // outputs of condact
  };
  struct MemoryKey {
    bool is_variable;  // else an operand of its own
    std::uint32_t index;
    std::uint32_t part;
    auto operator<=>(const MemoryKey&) const = default;
  };
  struct Instance {
    UnitId unit;
    InstanceId caller;
    std::string prefix;
    Clock clock;
    std::vector<Binding> bindings{};
    std::vector<Progress> progress{};
    std::vector<Leaves> values{};
    std::map<ExprId, Child> children{};
    std::map<MemoryKey, Leaves> memories{};
    std::map<std::pair<ExprId, std::uint32_t>, Leaves> unguarded{};  // values of `pre`, by part
    std::vector<InstanceId> imports{};                               // of a contract, once made
  };
  struct Pending {
    InstanceId at;
    ExprId operand;
    std::uint32_t part;
    std::size_t memory;  // first of its leaves
    std::size_t count;
  };
  struct ClaimTerm {
    std::string name;
    Term formula;
    Term premise{};  // no term: the claim is no implication
    Place at{};
  };
  struct ModeTerms {
    std::string name;
    Term active;
    std::vector<ClaimTerm> ensures;
  };
  struct ContractTerms {
    std::vector<ClaimTerm> assumes;
    std::vector<ClaimTerm> guarantees;
    std::vector<ModeTerms> modes;
  };

  // Nodes that call nodes twice, ten levels deep, make a thousand instances; this many are an
  // error.
  static constexpr std::size_t kMaxInstances = 100'000;

  // elaborator.cpp: instances, variables, memories
  InstanceId add_instance(Instance instance);
  Status start();
  Status settle(const Pending& pending);
  Result<Leaves> value(InstanceId at, VarId var);
  Status force(InstanceId at, VarId var);
  Result<Leaves> define(InstanceId at, VarId var);
  Result<Child*> child(InstanceId at, ExprId call, Term branch);
  Result<Clock> clock_of(InstanceId at, const Expr& call, const std::string& prefix, Term branch,
                         Term& tick);
  Clock sampled(const Clock& parent, Term tick, const std::string& prefix);
  std::vector<Binding> bind(std::span<const ExprId> args) const;
  const Leaves& memory(InstanceId at, ExprId operand, std::uint32_t part);
  void note_enumerators(Term variable, TypeId type);
  Term add_memory(const std::string& name, TypeId type);
  Term add_flag(const std::string& name);
  Term add_input(const std::string& name, TypeId type);
  Leaves fresh_inputs(const std::string& name, TypeId type);
  Leaves fresh_constants(const Variable& variable);
  Term range(Term term, TypeId type);
  Sort sort_of(TypeId type) const;
  std::string unique(const std::string& name);

  // elaborator_claims.cpp: assertions, properties, contracts
  Status claims(InstanceId at);
  Status ranges(InstanceId at);
  Status contract(InstanceId at);
  InstanceId contract_instance(InstanceId at);
  InstanceId import_instance(InstanceId at, std::size_t import);
  Result<ContractTerms> contract_terms(InstanceId at, const std::string& path);
  Result<Term> conjunction(InstanceId at, std::span<const Claim> claims);
  Result<Term> premise_of(InstanceId at, ExprId claim, int depth = 0);
  Term assumed_so_far(InstanceId at, std::span<const ClaimTerm> assumes);
  void add_bad(const std::string& name, Term where, const ClaimTerm& claim);
  void add_bad(Bad bad);
  Term counts(const Claim& claim);
  Term instants(std::uint32_t limit);
  Status observe();
  bool is_main(InstanceId at) const { return at == InstanceId{1}; }

  // elaborator_expr.cpp: expressions
  Result<Leaves> eval(InstanceId at, ExprId id, std::uint32_t part);
  Result<Leaves> eval_kind(InstanceId at, ExprId id, std::uint32_t part);
  Result<Term> eval_one(InstanceId at, ExprId id);
  Result<Leaves> eval_name(InstanceId at, const Expr& e);
  Result<Leaves> eval_unary(InstanceId at, ExprId id, std::uint32_t part);
  Result<Leaves> eval_pre(InstanceId at, ExprId id, std::uint32_t part);
  Leaves unguarded(InstanceId at, const Expr& e, std::uint32_t part);
  Result<Leaves> eval_binary(InstanceId at, const Expr& e, std::uint32_t part);
  Result<Leaves> eval_ite(InstanceId at, const Expr& e, std::uint32_t part);
  Result<Leaves> eval_tuple(InstanceId at, const Expr& e, std::uint32_t part);
  Result<Leaves> eval_call(InstanceId at, ExprId id, std::uint32_t part, Term branch);
  Result<Leaves> eval_condact(InstanceId at, const Expr& e, Child& child, std::uint32_t part);
  Result<Leaves> eval_record(InstanceId at, const Expr& e);
  Result<Leaves> eval_field(InstanceId at, const Expr& e);
  Result<Leaves> eval_cast(InstanceId at, const Expr& e);
  Result<Leaves> eval_merge(InstanceId at, const Expr& e, std::uint32_t part);
  Result<Leaves> eval_mode_ref(InstanceId at, const Expr& e);
  Result<Leaves> default_of(InstanceId at, const Expr& call, std::uint32_t part);
  Result<Term> arithmetic(const Expr& e, Term a, Term b);
  Result<Term> division(const Expr& e, Term a, Term b);
  Term comparison(const Expr& e, const Leaves& a, const Leaves& b);
  Leaves choose(Term condition, const Leaves& yes, const Leaves& no);
  VarId output(UnitId unit, std::uint32_t part) const;

  Instance& operator[](InstanceId id) { return instances_[static_cast<std::size_t>(id)]; }
  const Unit& unit(InstanceId id) { return p_[(*this)[id].unit]; }

  const Program& p_;
  TermStore& t_;
  Elaborated out_;
  std::deque<Instance> instances_;  // the constants of the program, the main node, calls
  std::deque<Pending> pending_;
  std::set<std::string> taken_;
  std::map<std::string, std::pair<Term, Goal>> bad_names_;
  std::set<ExprId> warned_;  // each unguarded `pre` once, however many instances there are
  std::uint32_t depth_ = 0;
};

}  // namespace lem::lustre
