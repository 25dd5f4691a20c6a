// The guarded command language on the edges of a CFA [Lange18 Def. 2.17], with havoc beside: what
// a program does between two locations. Commands are immutable values that share their parts.
//
// Nondeterminism: havoc x gives x any value of its sort. The transformers below use a fresh
// variable for it, which is existentially quantified, and return these variables; formulas contain
// no quantifier. The thesis reads an array at a counter instead [Lange18 2.4.2]; front ends can
// write that as assignments. Tests: tests/unit/model/command_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "term/term_store.h"

namespace lem {

class Command {
 public:
  enum class Kind : std::uint8_t { Assign, Assume, Havoc, Sequence, Choice };

  /// require: a variable, and a value of its sort
  static Command assign(Term variable, Term value);
  /// require: a Bool
  static Command assume(Term guard);
  static Command havoc(Term variable);
  /// One after the other; nested sequences are flattened, none at all does nothing.
  static Command sequence(std::vector<Command> parts);
  /// Any one of them; nested choices are flattened, none at all has no execution.
  static Command choice(std::vector<Command> parts);
  static Command skip() { return sequence({}); }

  Kind kind() const { return node_->kind; }
  Term variable() const { return node_->variable; }  // of Assign and Havoc
  Term value() const { return node_->value; }        // of Assign
  Term guard() const { return node_->value; }        // of Assume
  std::span<const Command> parts() const { return node_->parts; }

 private:
  struct Node {
    Kind kind;
    Term variable;
    Term value;
    std::vector<Command> parts;
  };
  explicit Command(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
  static Command compound(Kind kind, std::vector<Command> parts);

  std::shared_ptr<const Node> node_;
};

/// A formula and the fresh variables in it, which are existentially quantified.
struct Existential {
  Term formula;
  std::vector<Term> fresh;
};

/// The states from which some execution ends in `post` [Lange18 Def. 2.22].
Existential wep(TermStore& terms, const Command& command, Term post);

/// The states in which some execution from `pre` ends [Lange18 Def. 2.19]. Values that were
/// overwritten are fresh variables.
Existential sp(TermStore& terms, const Command& command, Term pre);

/// The relation between the states before and after. Choices are joined at their ends, so that the
/// formula is linear in the size of the command, not in the number of its paths.
///   require: `current` and `next` in the same order; assigned variables are among `current`
Existential transition(TermStore& terms, const Command& command, std::span<const Term> current,
                       std::span<const Term> next);

/// Commands without choice that together do the same [Lange18 Def. 4.8], as many as there are
/// paths.
std::vector<Command> split(const Command& command);

/// Variables that are written, each once, in order of creation.
std::vector<Term> assigned(const Command& command);
/// Variables that are read or written [Lange18 Def. 2.26].
std::vector<Term> variables_of(const TermStore& terms, const Command& command);

}  // namespace lem
