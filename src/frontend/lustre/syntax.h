// The abstract syntax of a Lustre program. The parser makes it; the checker resolves names, fills
// the fields marked "checker" and rearranges records and merges into the order of their types.
//
// A contract is a unit like a node: its inputs are the inputs and outputs of what it is about, its
// ghost variables are its locals. The contract written inside a node becomes such a unit too.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/lustre/token.h"
#include "frontend/lustre/types.h"
#include "model/problem.h"

namespace lem::lustre {

enum class ExprId : std::uint32_t {};
constexpr ExprId kNoExpr{UINT32_MAX};
enum class UnitId : std::uint32_t {};
constexpr UnitId kNoUnit{UINT32_MAX};
constexpr UnitId kGlobals{0};         // the constants of the program
enum class VarId : std::uint32_t {};  // within its unit
constexpr std::size_t index(VarId var) {
  return static_cast<std::size_t>(var);
}

enum class ExprKind : std::uint8_t {
  Name,     // name
  Bool,     // name: true or false
  Number,   // number; its type (int or real) is in types
  Unary,    // op, one argument
  Binary,   // op, two arguments
  Ite,      // condition, then, else
  Tuple,    // any number of arguments
  Call,     // name, arguments; clocking, clock, defaults
  Field,    // record, name
  Record,   // name of the type, arguments with labels
  Cast,     // cast, one argument
  When,     // argument, name of the clock, label: the value at which it ticks
  Merge,    // clock and one argument per value; labels: the values
  ModeRef,  // labels: the path
};

enum class Operator : std::uint8_t {
  Not,
  Neg,
  Pre,
  Arrow,
  Implies,
  Or,
  Xor,
  And,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Add,
  Sub,
  Mul,
  Slash,
  Div,
  Mod,
};

enum class Clocking : std::uint8_t {
  Base,      // N(args)
  Condact,   // with defaults, holding the last value: condact, activate ... initial default
  Activate,  // without: the value counts only where the clock is true
  Restart,
};

/// What a name means.
struct Reference {
  enum class Kind : std::uint8_t { None, Local, Global, Enumerator };
  Kind kind = Kind::None;
  std::uint32_t index = 0;  // VarId, or number of the enumerator in its type
};

enum class Guard : std::uint8_t { Open, Arrow };

struct Expr {
  ExprKind kind = ExprKind::Tuple;
  Place at{};
  Operator op = Operator::Not;
  Clocking clocking = Clocking::Base;
  std::uint32_t depth = 1;
  std::string name{};
  std::vector<ExprId> args{};
  std::vector<std::string> labels{};
  std::vector<ExprId> defaults{};
  ExprId clock = kNoExpr;
  std::uint32_t number = 0;  // into Program::numbers
  TypeId cast{};
  // checker
  std::vector<TypeId> types{};  // of each part: tuples and calls have several or none
  Reference ref{};
  UnitId callee = kNoUnit;
  std::uint32_t ordinal = 0;  // Call: counts the calls of one callee; Field: its number
  Guard guard = Guard::Open;  // Pre: behind an arrow, so that its first value does not matter
};

struct TypeExpr {
  enum class Kind : std::uint8_t { Known, Named, Subrange, Enum, Record, Inferred };
  Kind kind = Kind::Inferred;
  Place at{};
  TypeId known{};
  std::string name{};
  ExprId low = kNoExpr;
  ExprId high = kNoExpr;
  std::vector<std::string> enumerators{};
  std::vector<std::pair<std::string, TypeExpr>> fields{};
};

struct TypeDecl {
  std::string name;
  Place at;
  TypeExpr type;
};

enum class Role : std::uint8_t { Input, Output, Local };

struct Variable {
  std::string name;
  Place at;
  TypeExpr type_expr{};
  Role role = Role::Local;
  ExprId definition = kNoExpr;  // constants and ghosts from the parser, others from the checker
  bool constant = false;        // `const` inside a node or contract, or as an input
  bool produced = false;        // of a contract: an output of what the contract is about
  // checker
  TypeId type{};
  enum class Typing : std::uint8_t { New, Active, Done };
  Typing typing = Typing::New;
  std::uint32_t part = 0;      // of the definition
  std::vector<VarId> needs{};  // variables of the same unit needed in the same instant
};

struct Equation {
  Place at;
  std::vector<std::pair<std::string, Place>> left;
  ExprId right;
};

struct Claim {
  Place at;
  std::string name;  // "" without
  ExprId formula;
  Goal goal = Goal::Avoid;  // Reach: `check reachable`
  // Of a goal: the first and the last instant at which it counts; instants are numbered from 0.
  std::uint32_t from = 0;
  std::optional<std::uint32_t> within{};
};

struct Mode {
  Place at;
  std::string name;
  std::vector<Claim> requires_;
  std::vector<Claim> ensures;
};

struct Import {
  Place at;
  std::string name;
  std::vector<ExprId> args;  // for inputs and outputs
  std::size_t inputs = 0;    // how many of them are for inputs
  UnitId unit = kNoUnit;     // checker
};

enum class UnitKind : std::uint8_t { Globals, Node, Function, Contract };

struct Unit {
  UnitKind kind = UnitKind::Node;
  std::string name{};
  Place at{};
  std::vector<Variable> vars{};
  std::vector<Equation> equations{};
  std::vector<Claim> asserts{};
  std::vector<Claim> properties{};
  bool main = false;
  UnitId contract = kNoUnit;  // of a node
  // of a contract
  std::string function{};  // the function whose contract this is; "": a node, or named
  std::vector<Claim> assumes{};
  std::vector<Claim> guarantees{};
  std::vector<Mode> modes{};
  std::vector<Import> imports{};
  // checker
  bool stateful = false;  // it uses 'pre', '->' or a node
  std::map<std::string, VarId, std::less<>> names{};
  std::map<UnitId, std::uint32_t> calls{};  // how often each callee occurs
};

struct Program {
  std::vector<Expr> exprs;
  std::vector<mpq_class> numbers;
  std::vector<TypeDecl> type_decls;
  std::vector<Unit> units;  // kGlobals first
  TypeTable types;
  UnitId main = kNoUnit;  // checker

  Expr& operator[](ExprId id) { return exprs[static_cast<std::size_t>(id)]; }
  const Expr& operator[](ExprId id) const { return exprs[static_cast<std::size_t>(id)]; }
  Unit& operator[](UnitId id) { return units[static_cast<std::size_t>(id)]; }
  const Unit& operator[](UnitId id) const { return units[static_cast<std::size_t>(id)]; }
};

std::string_view text(Operator op);

}  // namespace lem::lustre
