// The runs of an automaton along one path, as far as they follow it.
#pragma once

#include <map>
#include <span>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "explain/choices.h"
#include "explain/oracle.h"
#include "model/evidence/cfa.h"
#include "term/traverse.h"

namespace lem::explain {

/// A run leaves the path where the guard of a branch fails. A guard without an alternative is an
/// assumption: a run in which it fails does not exist.
class CfaRun {
 public:
  ///   require: the trace is a run; automaton and trace outlive this
  CfaRun(const Cfa& cfa, const CfaTrace& trace, std::stop_token stop);

  /// Executes the path symbolically. An error if a command chooses between commands.
  Status execute();

  std::vector<Choice> choices() const { return choices_; }
  Support forced(std::span<const std::size_t> kept) {
    return leaves_.imply(kept, terms_.boolean(false));
  }

 private:
  struct Guard {
    Term holds;
    bool branch;  // the run leaves the path if it fails
  };
  Status execute(const Command& command, std::size_t edge, bool& at_branch);
  Term value(Term term);
  void choose(Choice choice, Term name);
  Status find_open_values();
  void state_leaving();

  const Cfa& cfa_;
  TermStore& terms_;
  const CfaTrace& trace_;
  std::stop_token stop_;
  Implication leaves_;
  std::map<Term, std::size_t> place_;  // of a variable among the automaton's
  TermMap values_;                     // of variables, over the names of choices
  std::vector<Guard> guards_;
  std::vector<Choice> choices_;
  std::vector<Term> names_;              // by choice: the variable that stands for its value
  std::map<Term, std::size_t> in_edge_;  // choices of the edge that is executed, by variable
};

}  // namespace lem::explain
