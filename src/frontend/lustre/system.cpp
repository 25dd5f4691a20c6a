#include "frontend/lustre/system.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/transition_system.h"
#include "term/traverse.h"

namespace lem::lustre {

namespace {

/// Every term of the system: updates, constraints, claims and what is observed.
template <class Visit>
void for_each_term(Elaborated& parts, Visit visit) {
  for (Memory& memory : parts.memories) visit(memory.update);
  for (Flag& flag : parts.flags) visit(flag.update);
  for (Term& constraint : parts.constraints) visit(constraint);
  for (Bad& bad : parts.bads) {
    visit(bad.term);
    if (bad.premise) visit(bad.premise);
  }
  for (NamedTerm& observed : parts.observed) visit(observed.second);
}

/// Two memories with the same update hold the same stream from their second value on. If both are
/// read at the first instant, the second one becomes an input that is read then in its place.
/// Merging may make the updates of others equal, so this goes on until nothing changes.
void merge_memories(TermStore& terms, Elaborated& parts) {
  while (true) {
    TermMap merged;
    std::unordered_map<Term, std::size_t> by_update;
    std::vector<Memory> kept;
    std::vector<Memory> inputs;
    for (const Memory& memory : parts.memories) {
      auto [slot, is_new] = by_update.emplace(memory.update, kept.size());
      if (is_new) {
        kept.push_back(memory);
        continue;
      }
      Memory& same = kept[slot->second];
      bool both = memory.first && same.first;
      if (both) inputs.push_back(memory);
      if (memory.first && !both) {
        same.first = memory.first;
        same.range = memory.range;
        if (same.range) same.range = substitute(terms, same.range, {{memory.state, same.state}});
      }
      merged.emplace(memory.state,
                     both ? terms.make_ite(memory.first, memory.state, same.state) : same.state);
    }
    if (merged.empty()) return;
    parts.memories = std::move(kept);
    Substitution substitution(terms, std::move(merged));
    for_each_term(parts, [&](Term& term) { term = substitution.apply(term); });
    for (const Memory& input : inputs) {
      parts.inputs.push_back(input.state);
      if (input.range) parts.constraints.push_back(input.range);
    }
  }
}

/// Values for memories that are not read at the first instant: the one that they have after it, if
/// that is a constant. Invariants then need not make an exception for the first instant.
TermMap initial_values(TermStore& terms, Elaborated& parts) {
  Substitution at_first(terms);
  for (const Flag& flag : parts.flags) at_first.add(flag.state, flag.init);
  std::vector<Term> roots;
  for_each_term(parts, [&](Term& term) { roots.push_back(at_first.apply(term)); });
  std::unordered_set<Term> read;
  for (Term variable : variables_of(terms, roots)) read.insert(variable);
  TermMap out;
  for (const Memory& memory : parts.memories) {
    Term after = at_first.apply(memory.update);
    if (!read.contains(memory.state) && terms.is_value(after)) out.emplace(memory.state, after);
  }
  return out;
}

std::vector<Property> properties_of(const Elaborated& parts, const std::string& path) {
  std::vector<Property> out;
  for (const Bad& bad : parts.bads) {
    SourcePos at = bad.at.line == 0 ? SourcePos{} : SourcePos{path, bad.at.line, bad.at.column};
    out.push_back({bad.name, bad.term, {}, bad.goal, std::move(at)});
  }
  return out;
}

}  // namespace

Result<Problem> make_problem(const std::string& path, std::shared_ptr<TermStore> store,
                             Elaborated parts, Remarks* remarks) {
  TermStore& terms = *store;
  merge_memories(terms, parts);
  TermMap initial = initial_values(terms, parts);
  TransitionSystemBuilder builder(store);
  auto add_state = [&](Term state, Term update) {
    builder.add_state(terms.name(state), terms.sort(state));
    builder.set_update(state, update);
  };
  for (Term input : parts.inputs) builder.add_input(input);
  for (Term constant : parts.constants) add_state(constant, constant);
  for (const Flag& flag : parts.flags) {
    add_state(flag.state, flag.update);
    builder.set_init(flag.state, flag.init);
  }
  for (const Memory& memory : parts.memories) {
    add_state(memory.state, memory.update);
    if (auto value = initial.find(memory.state); value != initial.end())
      builder.set_init(memory.state, value->second);
    else if (memory.range)
      builder.add_init(memory.range);
  }
  builder.add_constraint(terms.make_and(parts.constraints));
  std::vector<Property> properties = properties_of(parts, path);
  auto system = std::move(builder).freeze();
  if (!system) return system.error();
  if (remarks != nullptr) {
    for (const Bad& bad : parts.bads) remarks->premises.push_back(bad.premise);
    for (const auto& [at, message] : parts.warnings)
      remarks->warnings.push_back({{path, at.line, at.column}, message});
  }
  SourceMap source{};
  source.file = path;
  source.format = "lustre";
  source.observed = std::move(parts.observed);
  return Problem{*std::move(system), std::move(properties), std::move(source)};
}

}  // namespace lem::lustre
