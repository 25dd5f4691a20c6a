#include "explain/cfa_choices.h"

#include "smt/solvers.h"

#include <algorithm>
#include <utility>

namespace lem::explain {

CfaRun::CfaRun(const Cfa& cfa, const CfaTrace& trace, std::stop_token stop)
    : cfa_(cfa), terms_(cfa.terms()), trace_(trace), stop_(stop), leaves_(cfa.terms(), stop) {
  for (std::size_t i = 0; i < cfa.variables().size(); ++i) place_[cfa.variables()[i]] = i;
}

Term CfaRun::value(Term term) {
  TermMap used;
  for (Term variable : variables_of(terms_, term)) {
    if (!values_.contains(variable)) {  // read before it is written: its value at the start
      Term name = terms_.fresh("start", terms_.sort(variable));
      choose({Choice::Kind::Initial, 0, 0, variable, trace_.values[0][place_.at(variable)]}, name);
    }
    used[variable] = values_.at(variable);
  }
  return used.empty() ? term : substitute(terms_, term, used);
}

void CfaRun::choose(Choice choice, Term name) {
  values_[choice.variable] = name;
  choices_.push_back(choice);
  names_.push_back(name);
}

Status CfaRun::execute(const Command& command, std::size_t edge, bool& at_branch) {
  switch (command.kind()) {
    case Command::Kind::Assume:
      guards_.push_back({value(command.guard()), at_branch});
      return Ok{};
    case Command::Kind::Assign: {
      at_branch = false;
      Term assigned = value(command.value());
      values_[command.variable()] = assigned;
      in_edge_.erase(command.variable());
      return Ok{};
    }
    case Command::Kind::Havoc: {
      at_branch = false;
      Term variable = command.variable();
      in_edge_[variable] = choices_.size();
      choose({Choice::Kind::Input, edge, 0, variable, {}},
             terms_.fresh("chosen", terms_.sort(variable)));
      return Ok{};
    }
    case Command::Kind::Sequence:
      for (const Command& part : command.parts())
        if (Status done = execute(part, edge, at_branch); !done) return done;
      return Ok{};
    case Command::Kind::Choice:
      break;
  }
  return Error{{}, "a step of this run chooses between commands", ErrorKind::Usage};
}

Status CfaRun::execute() {
  for (std::size_t i = 0; i < trace_.edges.size(); ++i) {
    if (stop_.stop_requested()) return Error{{}, "stopped", ErrorKind::Internal};
    const CfaEdge& edge = cfa_[trace_.edges[i]];
    in_edge_.clear();
    bool at_branch = cfa_.out(edge.from).size() > 1;
    if (Status done = execute(edge.command, i, at_branch); !done) return done;
    for (const auto& [variable, choice] : in_edge_)
      choices_[choice].value = trace_.values[i + 1][place_.at(variable)];
  }
  if (Status found = find_open_values(); !found) return found;
  state_leaving();
  for (std::size_t i = 0; i < choices_.size(); ++i)
    leaves_.add_premise(i, terms_.make_eq(names_[i], choices_[i].value));
  return Ok{};
}

/// Values that their edge overwrites are not in the trace: any that let the run pass will do.
Status CfaRun::find_open_values() {
  bool open =
      std::any_of(choices_.begin(), choices_.end(), [](const Choice& c) { return !c.value; });
  if (!open) return Ok{};
  std::unique_ptr<smt::SmtSolver> solver = smt::Solvers(stop_).make(terms_, smt::Workload::Single);
  for (std::size_t i = 0; i < choices_.size(); ++i)
    if (choices_[i].value) solver->add(terms_.make_eq(names_[i], choices_[i].value));
  for (const Guard& guard : guards_) solver->add(guard.holds);
  if (solver->solve() != smt::Answer::Sat)
    return Error{{}, "the values of this run are not known", ErrorKind::Internal};
  for (std::size_t i = 0; i < choices_.size(); ++i)
    if (!choices_[i].value) choices_[i].value = solver->value(names_[i]);
  return Ok{};
}

/// States that a run follows the path to some branch, keeps the assumptions before it, and leaves.
void CfaRun::state_leaving() {
  Term later = terms_.boolean(false);
  std::vector<Term> ways;  // to leave, between an assumption and `later`
  for (auto guard = guards_.rbegin(); guard != guards_.rend(); ++guard) {
    if (terms_.is_true(guard->holds)) continue;
    if (guard->branch) {
      ways.push_back(terms_.make_not(guard->holds));
      continue;
    }
    ways.push_back(later);
    later = terms_.make_and(guard->holds, terms_.make_or(ways));
    ways.clear();
  }
  ways.push_back(later);
  leaves_.add_fact(terms_.make_or(ways));
}

}  // namespace lem::explain
