#include "transform/cfa/large_blocks.h"

#include <map>
#include <set>

#include "base/assert.h"
#include "transform/cfa/retrace.h"

namespace lem::transform {

std::size_t size_of(const Command& command) {
  if (command.kind() != Command::Kind::Sequence && command.kind() != Command::Kind::Choice)
    return 1;
  std::size_t size = 0;
  for (const Command& part : command.parts()) size += size_of(part);
  return size;
}

namespace {

/// The guard of a command that assigns nothing; no term for other commands.
Term guard_of(TermStore& terms, const Command& command) {
  if (command.kind() == Command::Kind::Assume) return command.guard();
  bool choice = command.kind() == Command::Kind::Choice;
  if (!choice && command.kind() != Command::Kind::Sequence) return {};
  std::vector<Term> parts;
  for (const Command& part : command.parts()) {
    parts.push_back(guard_of(terms, part));
    if (!parts.back()) return {};
  }
  return choice ? terms.make_or(parts) : terms.make_and(parts);
}

class BlocksBack final : public CfaBackTranslator {
 public:
  BlocksBack(const Cfa& old, std::vector<Route> routes, std::vector<LocationId> origin,
             std::vector<bool> reached)
      : old_(old),
        routes_(std::move(routes)),
        origin_(std::move(origin)),
        reached_(std::move(reached)) {}

  LocationInvariants invariants(const LocationInvariants& claim) const override {
    LocationInvariants all;
    for (bool reached : reached_) all.at.push_back(reached ? Term() : old_.terms().boolean(false));
    for (std::size_t i = 0; i < origin_.size(); ++i) all.at[index(origin_[i])] = claim.at[i];
    if (!claim.rounds.empty()) all.rounds.resize(all.at.size());
    for (std::size_t i = 0; i < claim.rounds.size(); ++i)
      all.rounds[index(origin_[i])] = claim.rounds[i];
    while (pass_on(all)) continue;
    return all;
  }

  std::optional<CfaTrace> trace(const CfaTrace& run) const override {
    CfaTrace old{{}, {run.values.front()}};
    for (std::size_t i = 0; i < run.edges.size(); ++i) {
      TermMap after;
      for (std::size_t v = 0; v < old_.variables().size(); ++v)
        after[old_.variables()[v]] = run.values[i + 1][v];
      if (!retrace(old_, routes_[index(run.edges[i])], after, old)) return {};
    }
    return old;
  }

 private:
  /// What holds before edges that change nothing holds after them, with their guards. A block may
  /// begin before the user's loop if the paths into the loop change nothing (bisimulation merges
  /// their starts), and slicing may have emptied a loop.
  bool pass_on(LocationInvariants& all) const {
    bool changed = false;
    for (std::uint32_t i = 0; i < all.at.size(); ++i) {
      if (all.at[i]) continue;
      all.at[i] = after_guards(all, LocationId{i});
      changed = changed || all.at[i];
    }
    return changed;
  }
  Term after_guards(const LocationInvariants& all, LocationId here) const {
    TermStore& terms = old_.terms();
    std::vector<Term> ways;
    for (EdgeId edge : old_.in(here)) {
      Term guard = guard_of(terms, old_[edge].command);
      if (!guard) return {};
      if (old_[edge].from == here) continue;
      Term before = all.at[index(old_[edge].from)];
      if (!before) return {};
      ways.push_back(terms.make_and(before, guard));
    }
    return ways.empty() ? Term() : terms.make_or(ways);
  }

  Cfa old_;
  std::vector<Route> routes_;       // by new edge
  std::vector<LocationId> origin_;  // by new location
  std::vector<bool> reached_;       // by old location: through edges from the initial one
};

/// The automaton while rules apply: at most one edge between two locations (rule 3).
class Blocks {
 public:
  Blocks(const Cfa& cfa, std::size_t limit)
      : cfa_(cfa),
        limit_(limit),
        out_(cfa.locations().size()),
        in_(cfa.locations().size()),
        gone_(cfa.locations().size()),
        heads_(cfa.locations().size()) {
    for (std::uint32_t i = 0; i < cfa.edges().size(); ++i) {
      const CfaEdge& edge = cfa.edges()[i];
      connect(index(edge.from), index(edge.to),
              {edge.command, edge.line, size_of(edge.command), Route::edge(EdgeId{i})});
    }
  }

  LargeBlocks merge() {
    drop_unreachable();
    find_heads();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < gone_.size(); ++i) changed = remove(i) || changed;
    }
    return result();
  }

 private:
  struct Block {
    Command command;
    std::uint32_t line;
    std::size_t size;
    Route route;
  };

  /// Rule 3.
  void connect(std::uint32_t from, std::uint32_t to, Block block) {
    auto [at, added] = out_[from].try_emplace(to, block);
    if (!added) {
      at->second.command = Command::choice({at->second.command, block.command});
      at->second.size += block.size;
      at->second.route = Route::choice(at->second.route, block.route);
    }
    in_[to].insert(from);
  }

  /// Locations that are unreachable from the initial one have no edges.
  void drop_unreachable() {
    reached_.resize(gone_.size());
    std::vector<std::uint32_t> todo{index(cfa_.initial())};
    while (!todo.empty()) {
      std::uint32_t at = todo.back();
      todo.pop_back();
      if (reached_[at]) continue;
      reached_[at] = true;
      for (const auto& [to, block] : out_[at]) todo.push_back(to);
    }
    for (std::uint32_t i = 0; i < gone_.size(); ++i)
      if (!reached_[i]) cut(i);
  }

  /// Targets of back edges of a depth-first walk: the user's loops begin there, and evidence needs
  /// their invariants.
  void find_heads() {
    std::vector<bool> entered(gone_.size()), on_path(gone_.size());
    std::vector<std::uint32_t> stack{index(cfa_.initial())};
    while (!stack.empty()) {
      std::uint32_t here = stack.back();
      if (entered[here]) {
        on_path[here] = false;
        stack.pop_back();
        continue;
      }
      entered[here] = on_path[here] = true;
      for (const auto& [to, block] : out_[here]) {
        if (on_path[to]) heads_[to] = true;
        if (!entered[to]) stack.push_back(to);
      }
    }
  }

  void cut(std::uint32_t i) {
    for (const auto& [to, block] : out_[i]) in_[to].erase(i);
    for (std::uint32_t from : in_[i]) out_[from].erase(i);
    out_[i].clear();
    in_[i].clear();
    gone_[i] = i != index(cfa_.initial()) && i != index(cfa_.error());
  }

  /// Rule 2, for a location between others; one without successors goes with its edges.
  bool remove(std::uint32_t i) {
    bool kept = i == index(cfa_.initial()) || i == index(cfa_.error()) || heads_[i];
    if (gone_[i] || kept || out_[i].contains(i)) return false;
    // Of several before and several after, every pair would be copied: left alone.
    if (in_[i].size() > 1 && out_[i].size() > 1) return false;
    for (std::uint32_t from : in_[i])
      for (const auto& [to, block] : out_[i]) {
        auto parallel = out_[from].find(to);
        std::size_t beside = parallel == out_[from].end() ? 0 : parallel->second.size;
        if (out_[from].at(i).size + block.size + beside > limit_) return false;
      }
    std::map<std::uint32_t, Block> first;
    for (std::uint32_t from : in_[i]) first.emplace(from, out_[from].at(i));
    std::map<std::uint32_t, Block> after = out_[i];
    cut(i);
    for (const auto& [from, block] : first)
      for (const auto& [to, second] : after)
        connect(from, to,
                {Command::sequence({block.command, second.command}), block.line,
                 block.size + second.size, Route::sequence(block.route, second.route)});
    return true;
  }

  LargeBlocks result() {
    CfaBuilder builder(cfa_.store());
    for (Term variable : cfa_.variables()) builder.add_variable(variable);
    std::vector<LocationId> origin;
    std::vector<LocationId> image(gone_.size());
    for (std::uint32_t i = 0; i < gone_.size(); ++i) {
      if (gone_[i]) continue;
      const Location& old = cfa_[LocationId{i}];
      image[i] = builder.add_location(old.name, old.line);
      origin.push_back(LocationId{i});
    }
    std::vector<Route> routes;
    for (std::uint32_t i = 0; i < gone_.size(); ++i)
      for (const auto& [to, block] : out_[i]) {
        builder.add_edge(image[i], block.command, image[to], block.line);
        routes.push_back(block.route);
      }
    builder.set_initial(image[index(cfa_.initial())]);
    builder.set_error(image[index(cfa_.error())]);
    Result<Cfa> made = std::move(builder).freeze();
    assert(made.ok() && "merging keeps an automaton one");
    return {std::move(*made), origin,
            std::make_unique<BlocksBack>(cfa_, std::move(routes), origin, reached_)};
  }

  const Cfa& cfa_;
  std::size_t limit_;
  std::vector<std::map<std::uint32_t, Block>> out_;
  std::vector<std::set<std::uint32_t>> in_;
  std::vector<bool> gone_, heads_, reached_;
};

}  // namespace

LargeBlocks large_blocks(const Cfa& cfa, std::size_t limit) {
  return Blocks(cfa, limit).merge();
}

}  // namespace lem::transform
