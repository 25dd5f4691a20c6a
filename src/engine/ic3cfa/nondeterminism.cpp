#include "engine/ic3cfa/nondeterminism.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "base/assert.h"
#include "smt/solvers.h"
#include "term/traverse.h"

namespace lem::engine {

namespace {

class Rewriting {
 public:
  explicit Rewriting(const Cfa& cfa) : cfa_(cfa), builder_(cfa.store()), terms_(cfa.terms()) {}

  Cfa run() && {
    for (Term variable : cfa_.variables()) builder_.add_variable(variable);
    for (const Location& each : cfa_.locations()) builder_.add_location(each.name, each.line);
    builder_.set_initial(cfa_.initial());
    builder_.set_error(cfa_.error());
    for (const CfaEdge& edge : cfa_.edges())
      builder_.add_edge(edge.from, rewritten(edge.command), edge.to, edge.line);
    Result<Cfa> made = std::move(builder_).freeze();
    assert(made.ok() && "the original was an automaton");
    return std::move(*made);
  }

 private:
  Command rewritten(const Command& command) {
    std::vector<Command> parts;
    for (const Command& part : command.parts()) parts.push_back(rewritten(part));
    switch (command.kind()) {
      case Command::Kind::Assign:
      case Command::Kind::Assume:
        return command;
      case Command::Kind::Havoc:
        return read(command.variable());
      case Command::Kind::Sequence:
        return Command::sequence(std::move(parts));
      case Command::Kind::Choice:
        return Command::choice(std::move(parts));
    }
    unreachable();
  }

  /// x := values[counter]; counter := counter + 1
  Command read(Term variable) {
    Sort sort = terms_.sort(variable);
    auto [at, added] = sources_.try_emplace(sort);
    if (added) {
      at->second = {terms_.fresh("values", terms_.array_sort(terms_.int_sort(), sort)),
                    terms_.fresh("counter", terms_.int_sort())};
      builder_.add_variable(at->second.first);
      builder_.add_variable(at->second.second);
    }
    auto [values, counter] = at->second;
    return Command::sequence(
        {Command::assign(variable, terms_.make_select(values, counter)),
         Command::assign(counter, terms_.make_add(counter, terms_.integer(1)))});
  }

  const Cfa& cfa_;
  CfaBuilder builder_;
  TermStore& terms_;
  std::map<Sort, std::pair<Term, Term>> sources_;  // array and counter
};

/// The clauses that speak of the original's variables alone.
LocationInvariants restricted(const Cfa& cfa, const LocationInvariants& invariants) {
  std::vector<Term> known(cfa.variables().begin(), cfa.variables().end());
  std::sort(known.begin(), known.end());
  LocationInvariants result;
  for (Term invariant : invariants.at) {
    std::vector<Term> kept;
    for (Term clause : conjuncts(cfa.terms(), invariant)) {
      std::vector<Term> used = variables_of(cfa.terms(), clause);
      if (std::includes(known.begin(), known.end(), used.begin(), used.end()))
        kept.push_back(clause);
    }
    result.at.push_back(cfa.terms().make_and(kept));
  }
  return result;
}

bool is_inductive(const Cfa& cfa, const LocationInvariants& invariants, const Context& ctx) {
  TermStore& terms = cfa.terms();
  auto solver = smt::Solvers(ctx).make(terms, smt::Workload::Single);
  for (const CfaEdge& edge : cfa.edges()) {
    smt::Scope scope(*solver);
    Term leaves = terms.make_not(invariants.at[index(edge.to)]);
    solver->add(invariants.at[index(edge.from)]);
    solver->add(wep(terms, edge.command, leaves).formula);
    if (solver->solve() != smt::Answer::Unsat) return false;
  }
  return true;
}

}  // namespace

Cfa read_from_arrays(const Cfa& cfa) {
  return Rewriting(cfa).run();
}

CfaAnswer search_cfa(const Cfa& cfa, const Ic3cfaConfig& config, const Context& ctx) {
  if (config.nondeterminism == Ic3cfaConfig::Nondeterminism::Projection)
    return Ic3cfaSearch(cfa, config, ctx).run();
  CfaAnswer answer = Ic3cfaSearch(read_from_arrays(cfa), config, ctx).run();
  if (auto* trace = std::get_if<CfaTrace>(&answer))
    for (std::vector<Term>& values : trace->values) values.resize(cfa.variables().size());
  auto* invariants = std::get_if<LocationInvariants>(&answer);
  if (invariants == nullptr) return answer;
  LocationInvariants here = restricted(cfa, *invariants);
  assert(here.at.size() == cfa.locations().size() && "locations keep their numbers");
  if (is_inductive(cfa, here, ctx)) return here;
  ++ctx.stats.counter("ic3cfa.proofs-about-arrays");
  return Ic3cfaSearch(cfa, config, ctx).run();
}

}  // namespace lem::engine
