#include "model/st/relevant.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "term/traverse.h"

namespace lem {

namespace {

/// Where the ways that part at a location meet again, within a cycle.
class Meetings {
 public:
  Meetings(const Cfa& cfa, LocationId end) : cfa_(cfa), end_(end), order_(cfa.locations().size()) {
    number();
    find();
  }
  /// None: not within the cycle.
  std::optional<LocationId> of(LocationId at) const {
    if (at == end_ || !next_[index(at)]) return {};
    return next_[index(at)];
  }
  bool is_branch(LocationId at) const { return live(at).size() > 1; }
  /// Variables that some way from `at` to where all meet changes.
  const std::set<Term>& changed(LocationId at, LocationId meeting);

 private:
  /// Edges that do not end in a location without a way on: those are failures.
  std::vector<EdgeId> live(LocationId at) const {
    std::vector<EdgeId> out;
    for (EdgeId edge : cfa_.out(at))
      if (!cfa_.out(cfa_[edge].to).empty()) out.push_back(edge);
    return out;
  }
  void number();
  void find();

  const Cfa& cfa_;
  LocationId end_;
  std::vector<std::size_t> order_;               // from the end of the cycle backwards; 0: no way
  std::vector<LocationId> backwards_;            // the locations with a way, in that order
  std::vector<std::optional<LocationId>> next_;  // the nearest location on all ways to the end
  std::map<LocationId, std::set<Term>> changed_;
};

/// In postorder of the reversed edges, so that most locations come after those they lead to.
void Meetings::number() {
  std::vector<bool> seen(cfa_.locations().size());
  std::vector<std::pair<LocationId, std::size_t>> stack = {{end_, 0}};
  seen[index(end_)] = true;
  while (!stack.empty()) {
    auto& [at, next] = stack.back();
    std::span<const EdgeId> in = cfa_.in(at);
    if (next == in.size()) {
      backwards_.push_back(at);
      stack.pop_back();
      continue;
    }
    LocationId from = cfa_[in[next++]].from;
    if (seen[index(from)]) continue;
    seen[index(from)] = true;
    stack.emplace_back(from, 0);
  }
  std::reverse(backwards_.begin(), backwards_.end());
  for (std::size_t i = 0; i < backwards_.size(); ++i) order_[index(backwards_[i])] = i + 1;
}

/// Immediate dominators of the reversed graph, by iteration.
void Meetings::find() {
  next_.resize(cfa_.locations().size());
  next_[index(end_)] = end_;
  auto meet = [&](LocationId a, LocationId b) {
    while (a != b) {
      while (order_[index(a)] > order_[index(b)]) a = *next_[index(a)];
      while (order_[index(b)] > order_[index(a)]) b = *next_[index(b)];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (LocationId at : backwards_) {
      if (at == end_) continue;
      std::optional<LocationId> now;
      for (EdgeId edge : live(at)) {
        LocationId to = cfa_[edge].to;
        if (!next_[index(to)]) continue;
        now = now ? meet(*now, to) : to;
      }
      if (now == next_[index(at)]) continue;
      next_[index(at)] = now;
      changed = true;
    }
  }
}

void note_changed(const Command& command, std::set<Term>& out) {
  switch (command.kind()) {
    case Command::Kind::Assign:
    case Command::Kind::Havoc:
      out.insert(command.variable());
      return;
    case Command::Kind::Assume:
      return;
    case Command::Kind::Sequence:
    case Command::Kind::Choice:
      for (const Command& part : command.parts()) note_changed(part, out);
      return;
  }
}

const std::set<Term>& Meetings::changed(LocationId at, LocationId meeting) {
  auto [found, fresh] = changed_.try_emplace(at);
  if (!fresh) return found->second;
  std::set<LocationId> seen = {at};
  std::vector<LocationId> waiting = {at};
  while (!waiting.empty()) {
    LocationId here = waiting.back();
    waiting.pop_back();
    for (EdgeId edge : live(here)) {
      note_changed(cfa_[edge].command, found->second);
      LocationId to = cfa_[edge].to;
      if (to != meeting && seen.insert(to).second) waiting.push_back(to);
    }
  }
  return found->second;
}

class Backwards {
 public:
  Backwards(const StProgram& program, const CfaTrace& trace)
      : cfa_(program.cfa),
        terms_(program.cfa.terms()),
        source_(*program.source),
        trace_(trace),
        meetings_(program.cfa, program.source->cycle_end),
        needed_(terms_.boolean(true)) {
    for (std::size_t i = 0; i < cfa_.variables().size(); ++i) index_[cfa_.variables()[i]] = i;
  }

  std::set<std::pair<std::size_t, std::size_t>> run() {
    for (EdgeId edge : trace_.edges)
      if (cfa_[edge].to == source_.cycle_begin) ++cycle_;
    support_.resize(trace_.edges.size() + 1);
    for (std::size_t i = trace_.edges.size(); i-- > 0;) {
      const CfaEdge& edge = cfa_[trace_.edges[i]];
      undo(i, guards_matter(i));
      support_[i] = variables_of(terms_, needed_);
      if (edge.to == source_.cycle_begin) --cycle_;
    }
    return std::move(relevant_);
  }

 private:
  bool guards_matter(std::size_t step) {
    if (step + 1 == trace_.edges.size()) return true;
    LocationId at = cfa_[trace_.edges[step]].from;
    if (!meetings_.is_branch(at)) return false;  // an assumption, not a decision
    std::optional<LocationId> meeting = meetings_.of(at);
    if (!meeting) return true;
    for (std::size_t i = step; i < trace_.edges.size(); ++i) {
      if (cfa_[trace_.edges[i]].to != *meeting) continue;
      const std::set<Term>& changed = meetings_.changed(at, *meeting);
      const std::vector<Term>& later = support_[i + 1];
      return std::any_of(later.begin(), later.end(),
                         [&](Term variable) { return changed.contains(variable); });
    }
    return true;  // the run ends before
  }

  using Values = std::vector<Term>;  // of all variables, in the automaton's order

  /// What is done on an edge, one after the other, with the values before each.
  struct Done {
    const Command* command;
    Values before;
  };

  void unfold(const Command& command, std::size_t step, Values& now, std::vector<Done>& out) {
    if (command.kind() == Command::Kind::Sequence) {
      for (const Command& part : command.parts()) unfold(part, step, now, out);
      return;
    }
    out.push_back({&command, now});
    if (command.kind() == Command::Kind::Assume || command.kind() == Command::Kind::Choice) return;
    std::size_t which = index_[command.variable()];
    now[which] = command.kind() == Command::Kind::Havoc ? trace_.values[step + 1][which]
                                                        : fixed(command.value(), now, {});
  }

  void undo(std::size_t step, bool guards) {
    const Command& whole = cfa_[trace_.edges[step]].command;
    std::vector<Done> done;
    Values now = trace_.values[step];
    unfold(whole, step, now, done);
    open_.clear();
    for (std::size_t i = done.size(); i-- > 0;) {
      const Command& command = *done[i].command;
      if (command.kind() == Command::Kind::Assign)
        needed_ = substitute(terms_, needed_, {{command.variable(), command.value()}});
      else if (command.kind() == Command::Kind::Assume && guards)
        needed_ = terms_.make_and(needed_, command.guard());
      else if (command.kind() == Command::Kind::Havoc)
        forget(command.variable(), trace_.values[step + 1][index_[command.variable()]],
               done[i].before);
    }
    if (depends_on_open()) keep_values(trace_.values[step]);
  }

  /// `term` with the values of all variables but those in `open`.
  Term fixed(Term term, const Values& values, const std::set<Term>& open) {
    TermMap map;
    for (Term variable : variables_of(terms_, term))
      if (!open.contains(variable)) map[variable] = values[index_[variable]];
    return substitute(terms_, term, map);
  }

  /// A value that the environment chose: dropped if the rest goes as it did without it.
  void forget(Term variable, Term value, Values values) {
    std::vector<Term> used = variables_of(terms_, needed_);
    if (std::find(used.begin(), used.end(), variable) == used.end()) return;
    values[index_[variable]] = value;
    open_.insert(variable);
    if (terms_.is_true(fixed(needed_, values, open_))) return;
    open_.erase(variable);
    relevant_.insert({index_[variable], cycle_});
    needed_ = substitute(terms_, needed_, {{variable, value}});
  }

  bool depends_on_open() const {
    std::vector<Term> used = variables_of(terms_, needed_);
    return std::any_of(used.begin(), used.end(),
                       [this](Term variable) { return open_.contains(variable); });
  }

  /// States with the same values of some variables are enough, whatever was dropped.
  void keep_values(const Values& values) {
    std::vector<Term> kept;
    for (Term variable : variables_of(terms_, needed_)) {
      if (!open_.insert(variable).second || terms_.is_true(fixed(needed_, values, open_))) continue;
      open_.erase(variable);
      kept.push_back(terms_.make_eq(variable, values[index_[variable]]));
    }
    needed_ = terms_.make_and(kept);
  }

  const Cfa& cfa_;
  TermStore& terms_;
  const StSource& source_;
  const CfaTrace& trace_;
  Meetings meetings_;
  std::map<Term, std::size_t> index_;
  Term needed_;          // over the variables now: then the rest of the run goes as it did
  std::set<Term> open_;  // dropped on the edge that is being undone
  std::vector<std::vector<Term>> support_;  // its variables before each step
  std::size_t cycle_ = 0;
  std::set<std::pair<std::size_t, std::size_t>> relevant_;
};

}  // namespace

std::set<std::pair<std::size_t, std::size_t>> relevant_inputs(const StProgram& program,
                                                              const CfaTrace& trace) {
  return Backwards(program, trace).run();
}

}  // namespace lem
