// The structure of a design: scopes with the names that they declare, processes, and the assertions
// in them. Expressions are ranges of words; what the model does not depend on is passed over.
//
// The tree is made before elaboration: it has every branch of a generate construct once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/verilog/token.h"

namespace lem::verilog {

/// Words [first, last) of the list.
struct Range {
  std::size_t first = 0, last = 0;
  bool empty() const { return first >= last; }
};

enum class SymbolKind : std::uint8_t {
  Net,
  Variable,
  Constant,  // parameters, genvars, members of enumerations
  Type,
  Routine,  // functions and tasks
  Property,
  Sequence,
  Instance,
  Block,  // generate blocks and named blocks
  Other,
};

using ScopeId = std::size_t;
constexpr ScopeId kNoScope = ~std::size_t{0};

struct Symbol {
  SymbolKind kind = SymbolKind::Other;
  std::size_t at = 0;     // the word that declares it
  Range type;             // of nets and variables: the words before the first name
  Range dimensions;       // behind the name
  Range init;             // of a net or variable
  bool assigned = false;  // by a procedure other than an initial block
  bool loop = false;      // a variable that a for statement declares
  std::size_t declaration = ~std::size_t{0};  // property: of Syntax::properties; routine: its scope
};

enum class ScopeKind : std::uint8_t { Files, Unit, Generate, Routine, Block };

/// What an initial block or a task does, in its order.
struct InitialStep {
  enum class Kind : std::uint8_t { Assign, Condition, Wait, Call } kind;
  std::size_t at;
  Range target, value;  // of a call: its name, its arguments
  ScopeId scope;        // in which the names are looked up
  bool nested;          // in a branch or loop
};

/// A clock event or the condition of a reset, declared by `default`.
struct Default {
  std::size_t at = 0;
  Range range;
};

struct Scope {
  ScopeKind kind = ScopeKind::Files;
  ScopeId parent = kNoScope;
  std::map<std::string, Symbol> names{};
  std::optional<Default> clock{}, disable{};
  Range range{};                             // of modules, generate blocks and routines
  std::vector<InitialStep> steps{};          // of a routine
  std::vector<std::string> implicit_nets{};  // names in port connections and left of `assign`
};

/// property NAME; ... endproperty
struct PropertyDeclaration {
  Range body;         // without the semicolon at its end
  ScopeId scope = 0;  // in which its names are looked up
  bool plain = true;  // neither arguments nor variables
};

struct Edge {
  bool rising = true;
  Range signal;
};

enum class ProcessKind : std::uint8_t { Always, Combinational, Initial, Final };

struct Process {
  ProcessKind kind = ProcessKind::Always;
  Range whole;
  Range event;              // between the brackets of @( ); empty: none
  std::vector<Edge> edges;  // if all events are edges
  Range body;
  ScopeId scope = 0;                  // in which the process stands
  bool in_branch = false;             // the only item of a generate branch without begin
  std::vector<std::string> blocking;  // variables with blocking assignments
  std::vector<InitialStep> steps;     // of an initial block
};

enum class AssertionKind : std::uint8_t { Assert, Assume, Cover };

struct Assertion {
  AssertionKind kind = AssertionKind::Assert;
  bool concurrent = false;  // assert property
  std::string label;
  std::size_t at = 0;  // the word `assert`
  Range whole;         // with label, actions and semicolon
  Range formula;       // between the brackets
  ScopeId scope = 0;
  std::optional<std::size_t> process{};  // of Syntax::processes
  bool in_routine = false;
  bool in_loop = false;
  bool in_branch = false;  // the only item of a generate branch without begin
};

/// A declaration of variables of a module.
struct Declaration {
  Range whole;  // with the semicolon
  ScopeId scope = 0;
  std::vector<std::string> names;  // in their order
  bool in_branch = false;
};

/// and g[3:0](y, a, b): the word `and`.
struct GateArray {
  std::size_t at = 0, ports = 0;
};

/// A word to blank out, or a range to replace.
struct Edit {
  Range range;
  std::string text;
};

struct Syntax {
  TokenList text;
  std::deque<Scope> scopes;
  std::vector<Process> processes;
  std::vector<Assertion> assertions;
  std::vector<PropertyDeclaration> properties;
  std::vector<Declaration> declarations;
  std::vector<GateArray> gate_arrays;
  std::vector<Edit> edits;  // declarations that Yosys does not read, calls without effect

  SourcePos place(std::size_t token) const { return text.place(text.tokens[token]); }
  /// The words of a range with single blanks.
  std::string words(Range range) const;
  /// The declaration that a name means in a scope; nothing if there is none.
  const Symbol* find(ScopeId scope, const std::string& name) const;
};

}  // namespace lem::verilog
