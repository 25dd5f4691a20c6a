#include "model/read_variables.h"

#include <functional>
#include <map>

#include "term/traverse.h"

namespace lem {

std::set<Term> read_variables(const Cfa& cfa, std::vector<Term> claims) {
  std::vector<Term> waiting = std::move(claims);
  std::map<Term, std::vector<Term>> values;  // by variable: what is assigned to it
  std::function<void(const Command&)> look = [&](const Command& command) {
    if (command.kind() == Command::Kind::Assume) waiting.push_back(command.guard());
    if (command.kind() == Command::Kind::Assign)
      values[command.variable()].push_back(command.value());
    if (command.kind() == Command::Kind::Sequence || command.kind() == Command::Kind::Choice)
      for (const Command& part : command.parts()) look(part);
  };
  for (const CfaEdge& edge : cfa.edges()) look(edge.command);
  std::set<Term> out;
  while (!waiting.empty()) {
    Term term = waiting.back();
    waiting.pop_back();
    for (Term variable : variables_of(cfa.terms(), term))
      if (out.insert(variable).second)
        for (Term value : values[variable]) waiting.push_back(value);
  }
  return out;
}

}  // namespace lem
