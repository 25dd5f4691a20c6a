// Lemmas of TreeIC3: cubes that were blocked somewhere, each once, and what nodes know of them. A
// node's formula is the conjunction of the clauses !cube of its lemmas.
#pragma once

#include <cassert>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/parts/common/cube.h"

namespace lem::engine {

enum class LemmaId : std::uint32_t {};
constexpr std::uint32_t index(LemmaId id) {
  return static_cast<std::uint32_t>(id);
}

/// All blocked cubes, in order of their making.
class Lemmas {
 public:
  LemmaId of(const Cube& cube) {
    std::vector<Lit> key(cube.lits().begin(), cube.lits().end());
    auto [at, added] = index_.try_emplace(std::move(key), LemmaId(cubes_.size()));
    if (added) cubes_.push_back(cube);
    return at->second;
  }
  std::size_t size() const { return cubes_.size(); }
  const Cube& operator[](LemmaId id) const {
    assert(index(id) < cubes_.size() && "a lemma that was made");
    return cubes_[index(id)];
  }

 private:
  std::vector<Cube> cubes_;
  std::map<std::vector<Lit>, LemmaId> index_;
};

/// The lemmas of one node.
class NodeLemmas {
 public:
  /// The strongest ones: none is subsumed by another.
  std::span<const LemmaId> strongest() const { return strongest_; }
  /// How often it was strengthened.
  std::uint32_t version() const { return version_; }
  bool is_false(const Lemmas& all) const {
    return strongest_.size() == 1 && all[strongest_.front()].empty();
  }

  /// Some lemma here subsumes this one.
  bool has(const Lemmas& all, LemmaId id) const {
    for (LemmaId mine : strongest_)
      if (mine == id || all[mine].subsumes(all[id])) return true;
    return false;
  }
  bool excludes(const Lemmas& all, const Cube& cube) const {
    for (LemmaId mine : strongest_)
      if (all[mine].subsumes(cube)) return true;
    return false;
  }
  /// require: !has(id)
  void add(const Lemmas& all, LemmaId id) {
    std::erase_if(strongest_, [&](LemmaId mine) { return all[id].subsumes(all[mine]); });
    strongest_.push_back(id);
    ++version_;
  }

 private:
  std::vector<LemmaId> strongest_;
  std::uint32_t version_ = 0;
};

}  // namespace lem::engine
