#include "model/cfa.h"

#include <algorithm>

#include "base/assert.h"

namespace lem {

CfaBuilder::CfaBuilder(std::shared_ptr<TermStore> terms) {
  cfa_.terms_ = std::move(terms);
}

Term CfaBuilder::add_variable(const std::string& name, Sort sort) {
  Term variable = terms().variable(name, sort);
  add_variable(variable);
  return variable;
}

void CfaBuilder::add_variable(Term variable) {
  assert(terms().is_variable(variable) && "only variables are declared");
  cfa_.variables_.push_back(variable);
}

LocationId CfaBuilder::add_location(std::string name, std::uint32_t line) {
  LocationId id{static_cast<std::uint32_t>(cfa_.locations_.size())};
  cfa_.locations_.push_back({std::move(name), line});
  return id;
}

EdgeId CfaBuilder::add_edge(LocationId from, Command command, LocationId to, std::uint32_t line) {
  EdgeId id{static_cast<std::uint32_t>(cfa_.edges_.size())};
  cfa_.edges_.push_back({from, to, std::move(command), line});
  return id;
}

Result<Cfa> CfaBuilder::freeze() && {
  if (!initial_ || !error_) return Error{{}, "an initial and an error location are needed"};
  cfa_.initial_ = *initial_;
  cfa_.error_ = *error_;
  std::vector<Term> known = cfa_.variables_;
  std::sort(known.begin(), known.end());
  if (auto twice = std::adjacent_find(known.begin(), known.end()); twice != known.end())
    return Error{{}, "the variable '" + terms().name(*twice) + "' is declared twice"};
  cfa_.out_.resize(cfa_.locations_.size());
  cfa_.in_.resize(cfa_.locations_.size());
  for (std::uint32_t i = 0; i < cfa_.edges_.size(); ++i) {
    const CfaEdge& edge = cfa_.edges_[i];
    for (LocationId end : {edge.from, edge.to})
      if (index(end) >= cfa_.locations_.size()) return Error{{}, "an edge has no location"};
    if (edge.from == cfa_.error_) return Error{{}, "an edge leaves the error location"};
    for (Term variable : variables_of(terms(), edge.command))
      if (!std::binary_search(known.begin(), known.end(), variable))
        return Error{{}, "'" + terms().name(variable) + "' is no variable of the automaton"};
    cfa_.out_[index(edge.from)].push_back(EdgeId{i});
    cfa_.in_[index(edge.to)].push_back(EdgeId{i});
  }
  return std::move(cfa_);
}

}  // namespace lem
