#include "transform/cfa/reduction.h"

#include "base/assert.h"

namespace lem::transform {

Derived derive(const Cfa& old, std::span<const Term> variables, const std::vector<bool>& kept,
               std::span<const std::optional<Command>> commands) {
  CfaBuilder builder(old.store());
  for (Term variable : variables) builder.add_variable(variable);
  std::vector<LocationId> origin;
  std::vector<std::optional<LocationId>> image(old.locations().size());
  for (std::uint32_t i = 0; i < image.size(); ++i) {
    LocationId id{i};
    if (!kept[i] && id != old.initial() && id != old.error()) continue;
    image[i] = builder.add_location(old[id].name, old[id].line);
    origin.push_back(id);
  }
  std::vector<EdgeId> edge_origin;
  for (std::uint32_t i = 0; i < old.edges().size(); ++i) {
    const CfaEdge& edge = old.edges()[i];
    auto from = image[index(edge.from)], to = image[index(edge.to)];
    if (!commands[i] || !from || !to) continue;
    builder.add_edge(*from, *commands[i], *to, edge.line);
    edge_origin.push_back(EdgeId{i});
  }
  builder.set_initial(*image[index(old.initial())]);
  builder.set_error(*image[index(old.error())]);
  Result<Cfa> made = std::move(builder).freeze();
  assert(made.ok() && "a part of an automaton is one");
  return {std::move(*made), {std::move(origin), std::move(edge_origin)}};
}

std::vector<std::optional<Command>> commands_of(const Cfa& cfa) {
  std::vector<std::optional<Command>> commands;
  for (const CfaEdge& edge : cfa.edges()) commands.emplace_back(edge.command);
  return commands;
}

LocationInvariants CfaOrigins::spread(const LocationInvariants& claim,
                                      std::vector<Term> elsewhere) const {
  LocationInvariants all{std::move(elsewhere), {}};
  for (std::size_t i = 0; i < claim.at.size(); ++i) all.at[index(location[i])] = claim.at[i];
  if (!claim.rounds.empty()) all.rounds.resize(all.at.size());
  for (std::size_t i = 0; i < claim.rounds.size(); ++i)
    all.rounds[index(location[i])] = claim.rounds[i];
  return all;
}

CfaTrace CfaOrigins::along(const CfaTrace& run) const {
  CfaTrace old{{}, run.values};
  for (EdgeId each : run.edges) old.edges.push_back(edge[index(each)]);
  return old;
}

}  // namespace lem::transform
