// Structured Text (IEC 61131-3) and SCL as syntax trees: plain data, made by frontend/st, read by
// the translation to an automaton there and by the interpreter that replays counterexamples in
// check/. Names are kept as written and compared in lower case (`key`).
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lem::st {

struct Name {
  std::string text;  // as written, without quotes and the # of SCL
  std::string key;   // lower case: what names are compared by
  SourcePos at;
};

// Expressions -------------------------------------------------------------------------------------

enum class UnaryOp : std::uint8_t { Minus, Plus, Not };
enum class BinaryOp : std::uint8_t {
  Power,
  Times,
  Divide,
  Modulo,
  Add,
  Subtract,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Xor,
  Or,
  Implies,  // --> of requirements
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// An argument of a call: positional, `name := value`, or `name => target`.
struct Argument {
  enum class Kind : std::uint8_t { Positional, Input, Output };
  Kind kind = Kind::Positional;
  std::optional<Name> name{};
  bool negated = false;  // NOT name => target
  ExprPtr value{};
};

struct Expr {
  enum class Kind : std::uint8_t {
    Integer,    // number; type: its prefix, if any
    Real,       // rational
    Boolean,    // number is 0 or 1
    Time,       // number of nanoseconds
    String,     // text
    Name,       // name
    Qualified,  // type#name: a literal of an enumeration
    Member,     // operand.name
    Index,      // operand[arguments]
    Bit,        // operand.number, operand.%X3
    Slice,      // operand.%B1: text is B, W or D, number which
    Unary,
    Binary,
    Call,       // operand(arguments); of functions and instances
    Aggregate,  // (a := 1, b := 2) or [1, 2, 3(0)]: initial values of structures and arrays
    Repeat,     // number(value): so many elements of an array's initial value
  };
  Kind kind;
  SourcePos at;
  mpz_class number{};
  mpq_class rational{};
  std::string text{};  // of String and Slice; of literals: how they were written
  std::string type{};  // key of a literal's prefix: int, byte, color
  std::optional<Name> name{};
  UnaryOp unary{};
  BinaryOp binary{};
  bool lazy = false;  // AND_THEN, OR_ELSE: the right side only where it decides
  ExprPtr operand{}, right{};
  std::vector<Argument> arguments{};  // of Call and Aggregate; of Index, positional
};

// Types -------------------------------------------------------------------------------------------

struct TypeExpr;
using TypePtr = std::shared_ptr<const TypeExpr>;

struct Field {
  Name name;
  TypePtr type;
  ExprPtr initial{};
};

struct EnumLiteral {
  Name name;
  ExprPtr value{};  // none: one more than the one before
};

struct Bounds {
  ExprPtr low, high;
};

struct TypeExpr {
  enum class Kind : std::uint8_t { Named, Array, Structure, Enumeration, Subrange, Text, Pointer };
  Kind kind;
  SourcePos at;
  Name name{};                          // of Named, of the base of Subrange
  std::vector<Bounds> bounds{};         // of Array: a pair a dimension; of Subrange: one
  TypePtr element{};                    // of Array
  std::vector<Field> fields{};          // of Structure
  std::vector<EnumLiteral> literals{};  // of Enumeration
  std::string what{};                   // of what is refused: STRING, POINTER TO
};

struct TypeDecl {
  Name name;
  TypePtr type;
  ExprPtr initial{};
};

// Declarations ------------------------------------------------------------------------------------

enum class Section : std::uint8_t { Input, Output, InOut, Static, Temp, Global, External };

struct VarDecl {
  Name name;
  TypePtr type;
  ExprPtr initial{};
  Section section = Section::Static;
  bool constant = false;
  bool retain = false;
  bool non_retain = false;
  std::string address{};  // %IX0.0; empty: none
};

// Statements --------------------------------------------------------------------------------------

struct Statement;
using Body = std::vector<Statement>;

struct Branch {
  ExprPtr condition;
  Body body;
};

struct CaseLabel {
  ExprPtr low;
  ExprPtr high{};  // none: one value
};

struct CaseBranch {
  std::vector<CaseLabel> labels;
  Body body;
};

struct Statement {
  enum class Kind : std::uint8_t {
    Assign,  // target := value
    Call,    // value is the call
    If,
    Case,
    For,
    While,   // value is the condition
    Repeat,  // value is the condition at the end
    Exit,
    Continue,
    Return,
    Assert,  // value, name: an annotation in a comment
    Assume,  // value
    Havoc,   // target
  };
  Kind kind;
  SourcePos at;
  ExprPtr target{}, value{};
  ExprPtr to{}, by{};              // of For
  std::vector<Branch> branches{};  // of If
  std::vector<CaseBranch> cases{};
  Body body{};  // of loops; of If and Case: ELSE
  bool has_else = false;
  std::string name{};  // of Assert; of annotations, the text of the condition
  std::string text{};
};

// Units -------------------------------------------------------------------------------------------

/// Statements of a block under a name, over the block's variables: `Action();`.
struct Action {
  Name name;
  Body body;
};

struct Pou {
  enum class Kind : std::uint8_t { Function, Block, Program };
  Kind kind;
  Name name;
  TypePtr result{};  // of functions; none: Void
  std::vector<VarDecl> variables{};
  Body body{};
  std::vector<Action> actions{};
  std::vector<Pou> methods{};  // functions over the variables of their block

  const Action* find_action(const std::string& key) const {
    for (const Action& one : actions)
      if (one.name.key == key) return &one;
    return nullptr;
  }
};

/// SCL calls a timer as `t.TON(IN := x)`: the instance, or none for another call.
inline const Expr* instance_of_method(const Expr& call) {
  if (call.kind != Expr::Kind::Call || call.operand->kind != Expr::Kind::Member) return nullptr;
  for (const char* key : {"ton", "tof", "tp", "ctu", "ctd", "ctud"})
    if (call.operand->name->key == key) return call.operand->operand.get();
  return nullptr;
}

/// A program that a CONFIGURATION runs, with the interval of its task.
struct ProgramInstance {
  Name name;
  Name type;
  std::optional<mpz_class> interval{};  // nanoseconds
};

/// All that one or several files declare.
struct Unit {
  std::vector<TypeDecl> types;
  std::vector<VarDecl> globals;
  std::vector<Pou> pous;
  std::vector<ProgramInstance> instances;
};

}  // namespace lem::st
