// Random control-flow automata over random commands, with their execution state by state.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/cfa.h"
#include "support/random_commands.h"

namespace lem::test {

struct RandomCfa {
  explicit RandomCfa(std::uint32_t seed) : random(seed) {
    CfaBuilder builder(std::shared_ptr<TermStore>(&random.t, [](TermStore*) {}));
    for (Term variable : random.variables) builder.add_variable(variable);
    std::vector<LocationId> locations;
    for (std::size_t n = 3 + random.below(5); n > 0; --n)
      locations.push_back(builder.add_location("l" + std::to_string(n)));
    // The error is not always the last location, nor the start the first: what looks at all of them
    // must not get away with leaving out either end.
    std::rotate(locations.begin(), locations.begin() + seed % locations.size(), locations.end());
    builder.set_initial(locations.front());
    builder.set_error(locations.back());
    for (std::size_t n = locations.size() + random.below(4); n > 0; --n) {
      LocationId from = locations[random.below(locations.size() - 1)];
      LocationId to = locations[1 + random.below(locations.size() - 1)];
      if (from != locations.back()) builder.add_edge(from, random.command(1), to);
    }
    auto made = std::move(builder).freeze();
    EXPECT_TRUE(made.ok());
    cfa.emplace(std::move(*made));
  }

  struct Reached {
    std::set<std::pair<LocationId, RandomCommands::State>> all;
    std::size_t steps = 0;  // until nothing new came
    bool error = false;
  };
  Reached explore(const Cfa& automaton) {
    Reached reached;
    std::set<std::pair<LocationId, RandomCommands::State>> front;
    for (const auto& state : RandomCommands::all_states())
      front.insert({automaton.initial(), state});
    while (!front.empty()) {
      reached.all.insert(front.begin(), front.end());
      std::set<std::pair<LocationId, RandomCommands::State>> next;
      for (const auto& [at, state] : front) {
        reached.error = reached.error || at == automaton.error();
        for (EdgeId id : automaton.out(at))
          for (const auto& to : random.execute(automaton[id].command, state))
            if (!reached.all.contains({automaton[id].to, to})) next.insert({automaton[id].to, to});
      }
      front = std::move(next);
      ++reached.steps;
    }
    return reached;
  }

  RandomCommands random;
  std::optional<Cfa> cfa;
};

}  // namespace lem::test
