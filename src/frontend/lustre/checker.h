// Name resolution and type checking. Every unit is checked, called or not.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/lustre/syntax.h"

namespace lem::lustre {

class Checker {
 public:
  /// `main`: the name of the main node; empty: as the file has it.
  explicit Checker(Program& program, std::string_view main = {}) : p_(program), main_(main) {}
  /// ensure: all fields of the program that are marked "checker" are set
  Status run();

 private:
  using Types = std::vector<TypeId>;
  /// Where an expression stands: some may be branches of a merge only.
  enum class Site : std::uint8_t { Plain, Branch };
  enum class Progress : std::uint8_t { New, Active, Done };
  struct Enumerator {
    TypeId type;
    std::uint32_t number;
  };

  // checker.cpp: types and units
  Status types();
  Result<TypeId> resolve(const TypeExpr& type);
  Result<TypeId> named(const std::string& name, Place at);
  Result<TypeId> define(const TypeDecl& decl);
  Result<TypeId> subrange(const TypeExpr& type);
  Result<mpz_class> bound(ExprId id);
  Result<TypeId> record(const TypeDecl& decl);
  Result<TypeId> enumeration(const TypeDecl& decl);
  Status names();
  Status variables(UnitId id);
  Status variable_type(Variable& variable);
  Status unit(UnitId id);
  Status definitions();
  Status constant_value(ExprId id, std::uint32_t part, const std::string& name);
  Status constant_inputs(const Expr& call);
  Status equations();
  Status claims(std::span<const Claim> claims, std::string_view what);
  Status contract();
  Status root(ExprId id);
  Status order_calls();
  Status imports_of_functions();
  Status guards_of_contracts();
  Status choose_main();
  Status take_main();

  // checker_expr.cpp: expressions
  Status expr(ExprId id, Site site = Site::Plain);
  Status name(Expr& e);
  Status unary(Expr& e);
  Status binary(Expr& e);
  Status comparison(Expr& e);
  Status arithmetic(Expr& e);
  Status ite(Expr& e);
  Status tuple(Expr& e);
  Status call(Expr& e, Site site);
  Status call_clock(Expr& e, Site site);
  Status field(Expr& e);
  Status record_literal(Expr& e);
  Status cast(Expr& e);
  Status when(Expr& e, Site site);
  Status merge(Expr& e);
  Status merge_activation(const Expr& branch, const Expr& clock, const std::string& value);
  Status merge_labels(Expr& e, std::span<const std::string> values);
  Status mode_ref(Expr& e);
  Status stateful(Place at, std::string_view what);
  Status single(ExprId id, TypeId wanted, std::string_view what);
  Result<TypeId> one_type(ExprId id, std::string_view what);
  Status match(std::span<const ExprId> ids, const Types& wanted, Place at,
               const std::string& what) const;
  void mark_guards(ExprId id, Guard guard);
  bool mentions_output(ExprId id) const;
  void collect_needs(ExprId id, std::uint32_t part, std::vector<VarId>& out) const;
  std::string text(const Types& types) const;
  std::string text(TypeId type) const { return p_.types[type].name; }
  bool same(TypeId a, TypeId b) const { return p_.types.base(a) == p_.types.base(b); }
  bool same(const Types& a, const Types& b) const;
  Types types_of(UnitId id, Role role) const;
  Unit& here() { return p_[unit_]; }
  const Unit& here() const { return p_[unit_]; }

  Program& p_;
  std::string main_;
  bool importing_ = false;                                      // in what an import is given
  UnitId unit_ = kGlobals;                                      // the one being checked
  std::map<std::string, std::size_t, std::less<>> type_names_;  // into type_decls
  std::vector<Progress> type_progress_;
  std::vector<TypeId> type_ids_;
  std::uint32_t depth_ = 0;  // of definitions that depend on one another
  std::map<std::string, Enumerator, std::less<>> enumerators_;
  std::map<std::string, UnitId, std::less<>> nodes_;
  std::map<std::string, UnitId, std::less<>> contracts_;
  std::vector<UnitId> order_;          // callers before callees
  std::map<UnitId, Place> unguarded_;  // of a unit: its first `pre` without an arrow
};

}  // namespace lem::lustre
