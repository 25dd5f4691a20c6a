// The automaton under construction, written like a program: commands go behind each other at the
// current location until a jump. Owns its variables, locations and edges, and what the source map
// says about the variables. Tests: tests/unit/frontend/st/automaton_test.cpp.
//
// A call within an expression may assign to what the rest of the expression has read already. Terms
// that are still needed are held (class Held); before a call, their values are put aside.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/st/translate/storage.h"
#include "model/cfa.h"
#include "model/st/source.h"

namespace lem::st {

class Automaton {
 public:
  Automaton() : builder_(std::make_shared<TermStore>()) {}
  TermStore& terms() { return builder_.terms(); }
  CfaBuilder& builder() { return builder_; }
  StSource& source() { return *source_; }
  std::shared_ptr<StSource> shared_source() const { return source_; }

  // Where commands go
  LocationId new_location(const char* name) { return builder_.add_location(name, line_); }
  LocationId at() const { return at_; }
  /// Nothing leads here: commands are dropped until continue_at.
  bool is_dead() const { return dead_; }
  void emit(Command command);
  /// A location at which all commands so far have been executed.
  LocationId flush();
  /// An edge from here that executes pending commands, then `commands`; the location stays.
  void edge(LocationId to, std::vector<Command> commands);
  ///   require: alive.  ensure: edges to `yes` and `no` by the condition
  void branch(Term condition, LocationId yes, LocationId no);
  /// Ends this sequence of commands.
  void go_to(LocationId to);
  /// Begins another one.
  void continue_at(LocationId at);
  void jump(LocationId to) {
    go_to(to);
    continue_at(to);
  }
  /// An assumption of the user.
  void restrict(Term condition);
  bool is_restricted() const { return restricted_; }
  /// Commands since the last edge, which then are part of none.
  std::vector<Command> take_pending() { return std::exchange(pending_, {}); }
  /// The line of the program that further locations and edges belong to.
  void set_line(std::uint32_t line) { line_ = line; }
  std::uint32_t line() const { return line_; }
  std::size_t edges() const { return edges_; }

  // Variables
  ///   ensure: a new variable; its name differs from all others
  Term variable(const std::string& name, Sort sort, StVariable about);
  Term temporary(Sort sort) { return variable("", sort, {}); }
  /// A choice of the environment, here and now; `at` is the expression that leaves it open.
  Term any_value(Sort sort, const SourcePos& at);
  /// Replaces a term by its value now, whatever is assigned later.
  void keep(Term& term);
  void keep(Place& place);
  /// Before a call or a branch within an expression.
  void keep_held();

  // Assignments so far
  std::size_t mark() const { return written_.size(); }
  /// Whether an assignment since the mark changes what the term reads.
  bool changed_since(std::size_t mark, Term term);
  bool changed_since(std::size_t mark, const Place& place);
  /// Whether assignments `from` to `to` change others than `own` variables and values put aside.
  bool writes_beyond(std::size_t from, std::size_t to, const std::set<Term>& own) const;

 private:
  friend class Held;

  CfaBuilder builder_;
  std::shared_ptr<StSource> source_ = std::make_shared<StSource>();
  LocationId at_{};
  bool dead_ = false, restricted_ = false;
  std::vector<Command> pending_;
  std::vector<Term*> held_;
  std::set<Term> aside_;       // temporaries that keep values of held terms
  std::vector<Term> written_;  // variables in the order of their assignments
  std::uint32_t line_ = 0;
  std::size_t edges_ = 0;
};

/// Terms that a statement still needs while it evaluates the rest of its operands.
class [[nodiscard]] Held {
 public:
  explicit Held(Automaton& automaton) : stack_(automaton.held_), from_(stack_.size()) {}
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

}  // namespace lem::st
