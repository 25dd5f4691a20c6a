#include "transform/cfa/large_blocks.h"

#include <map>
#include <set>

#include "base/assert.h"

namespace lem {

std::size_t size_of(const Command& command) {
  if (command.kind() != Command::Kind::Sequence && command.kind() != Command::Kind::Choice)
    return 1;
  std::size_t size = 0;
  for (const Command& part : command.parts()) size += size_of(part);
  return size;
}

namespace {

/// The automaton while rules apply: at most one edge between two locations (rule 3).
class Blocks {
 public:
  Blocks(const Cfa& cfa, std::size_t limit)
      : cfa_(cfa),
        limit_(limit),
        out_(cfa.locations().size()),
        in_(cfa.locations().size()),
        gone_(cfa.locations().size()) {
    for (const CfaEdge& edge : cfa.edges())
      connect(index(edge.from), index(edge.to), {edge.command, edge.line, size_of(edge.command)});
  }

  LargeBlocks merge() {
    drop_unreachable();
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
  };

  /// Rule 3.
  void connect(std::uint32_t from, std::uint32_t to, Block block) {
    auto [at, added] = out_[from].try_emplace(to, block);
    if (!added) {
      at->second.command = Command::choice({at->second.command, block.command});
      at->second.size += block.size;
    }
    in_[to].insert(from);
  }

  /// What the initial location does not lead to has no edges.
  void drop_unreachable() {
    std::vector<bool> seen(gone_.size());
    std::vector<std::uint32_t> todo{index(cfa_.initial())};
    while (!todo.empty()) {
      std::uint32_t at = todo.back();
      todo.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      for (const auto& [to, block] : out_[at]) todo.push_back(to);
    }
    for (std::uint32_t i = 0; i < gone_.size(); ++i)
      if (!seen[i]) cut(i);
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
    bool kept = i == index(cfa_.initial()) || i == index(cfa_.error());
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
                 block.size + second.size});
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
    for (std::uint32_t i = 0; i < gone_.size(); ++i)
      for (const auto& [to, block] : out_[i])
        builder.add_edge(image[i], block.command, image[to], block.line);
    builder.set_initial(image[index(cfa_.initial())]);
    builder.set_error(image[index(cfa_.error())]);
    Result<Cfa> made = std::move(builder).freeze();
    assert(made.ok() && "merging keeps an automaton one");
    return {std::move(*made), std::move(origin)};
  }

  const Cfa& cfa_;
  std::size_t limit_;
  std::vector<std::map<std::uint32_t, Block>> out_;
  std::vector<std::set<std::uint32_t>> in_;
  std::vector<bool> gone_;
};

}  // namespace

LargeBlocks large_blocks(const Cfa& cfa, std::size_t limit) {
  return Blocks(cfa, limit).merge();
}

}  // namespace lem
