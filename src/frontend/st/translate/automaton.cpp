#include "frontend/st/translate/automaton.h"

#include <algorithm>

#include "base/assert.h"
#include "term/traverse.h"

namespace lem::st {

void Automaton::emit(Command command) {
  if (dead_) return;
  if (command.kind() == Command::Kind::Assign) written_.push_back(command.variable());
  pending_.push_back(std::move(command));
}

void Automaton::edge(LocationId to, std::vector<Command> commands) {
  if (dead_) return;
  std::vector<Command> all = take_pending();
  all.insert(all.end(), std::make_move_iterator(commands.begin()),
             std::make_move_iterator(commands.end()));
  builder_.add_edge(at_, all.size() == 1 ? all[0] : Command::sequence(std::move(all)), to, line_);
  ++edges_;
}

LocationId Automaton::flush() {
  if (pending_.empty() || dead_) return at_;
  LocationId next = new_location("s");
  edge(next, {});
  at_ = next;
  return next;
}

void Automaton::branch(Term condition, LocationId yes, LocationId no) {
  assert(!dead_ && "a branch that nothing leads to");
  flush();
  edge(yes, {Command::assume(condition)});
  edge(no, {Command::assume(terms().make_not(condition))});
}

void Automaton::go_to(LocationId to) {
  edge(to, {});
  dead_ = true;
}

void Automaton::continue_at(LocationId at) {
  pending_.clear();
  at_ = at;
  dead_ = false;
}

void Automaton::restrict(Term condition) {
  emit(Command::assume(condition));
  restricted_ = true;
}

Term Automaton::variable(const std::string& name, Sort sort, StVariable about) {
  std::string unique = name.empty() ? "$" + std::to_string(source_->variables.size()) : name;
  for (const StVariable& other : source_->variables)
    if (terms().name(other.term) == unique) unique += "'";
  about.term = builder_.add_variable(unique, sort);
  source_->variables.push_back(about);
  return about.term;
}

Term Automaton::any_value(Sort sort, const SourcePos& at) {
  Term out = temporary(sort);
  source_->choices.push_back({out, at});
  emit(Command::havoc(out));
  return out;
}

void Automaton::keep(Term& term) {
  if (!term || terms().is_value(term) || aside_.contains(term)) return;
  Term out = temporary(terms().sort(term));
  emit(Command::assign(out, term));
  aside_.insert(out);
  term = out;
}

void Automaton::keep(Place& place) {
  for (Place::Alternative& each : place.alternatives) {
    keep(each.guard);
    keep(each.index);
  }
}

void Automaton::keep_held() {
  for (Term* term : held_) keep(*term);
}

bool Automaton::changed_since(std::size_t mark, Term term) {
  assert(mark <= written_.size() && "a mark is an earlier number of assignments");
  if (!term || mark == written_.size()) return false;
  std::vector<Term> read = variables_of(terms(), term);
  return std::any_of(
      written_.begin() + static_cast<std::ptrdiff_t>(mark), written_.end(),
      [&](Term one) { return std::find(read.begin(), read.end(), one) != read.end(); });
}

bool Automaton::changed_since(std::size_t mark, const Place& place) {
  return std::any_of(place.alternatives.begin(), place.alternatives.end(),
                     [&](const Place::Alternative& each) {
                       return changed_since(mark, each.guard) || changed_since(mark, each.index);
                     });
}

bool Automaton::writes_beyond(std::size_t from, std::size_t to, const std::set<Term>& own) const {
  assert(from <= to && to <= written_.size() && "marks are in order");
  return std::any_of(written_.begin() + static_cast<std::ptrdiff_t>(from),
                     written_.begin() + static_cast<std::ptrdiff_t>(to),
                     [&](Term one) { return !own.contains(one) && !aside_.contains(one); });
}

}  // namespace lem::st
