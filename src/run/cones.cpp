#include "run/cones.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <unordered_map>

#include "model/cone.h"
#include "term/traverse.h"

namespace lem::run {

namespace {

/// By cone of a formula: what reads the model once and then answers for many formulas.
class Dependencies {
 public:
  virtual ~Dependencies() = default;
  virtual Cone cone_of(const Property& property) = 0;
  virtual std::vector<Cone> constraint_cones() = 0;
  virtual std::size_t size() const = 0;  // latches or states, and inputs
};

class BitDependencies final : public Dependencies {
 public:
  explicit BitDependencies(const Aig& aig) : aig_(aig) {}
  Cone cone_of(const Property& property) override { return cone_of(property.bad()); }
  std::vector<Cone> constraint_cones() override {
    std::vector<Cone> cones;
    for (AigLit constraint : aig_.constraints()) cones.push_back(cone_of(constraint));
    return cones;
  }
  std::size_t size() const override { return aig_.num_latches() + aig_.num_inputs(); }

 private:
  Cone cone_of(AigLit root) const {
    std::vector<bool> inside = sequential_cone(aig_, {root});
    Cone cone;
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      if (inside[aig_.latch(i).var()]) cone.push_back(i);
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
      if (inside[aig_.input(i).var()]) cone.push_back(aig_.num_latches() + i);
    return cone;
  }
  const Aig& aig_;
};

class TermDependencies final : public Dependencies {
 public:
  explicit TermDependencies(const TransitionSystem& system) : system_(system) {
    std::uint32_t count = 0;
    for (const StateVar& state : system.states()) {
      number_.emplace(state.current, count);
      number_.emplace(state.next, count++);
    }
    for (Term input : system.inputs()) number_.emplace(input, count++);
    reads_.resize(size());
    for (std::size_t i = 0; i < system.states().size(); ++i)
      for (Term formula : {system.states()[i].update, system.states()[i].init})
        if (formula != Term{}) append(reads_[i], mentioned(formula));
    for (Term relation : {system.trans_relation(), system.init_relation()})
      for (Term conjunct : conjuncts(system.terms(), relation)) {
        Cone related = mentioned(conjunct);
        for (std::uint32_t one : related) append(reads_[one], related);
      }
  }
  Cone cone_of(const Property& property) override { return closed(mentioned(property.bad_term())); }
  std::vector<Cone> constraint_cones() override {
    std::vector<Cone> cones;
    for (Term conjunct : conjuncts(system_.terms(), system_.constraint()))
      cones.push_back(closed(mentioned(conjunct)));
    return cones;
  }
  std::size_t size() const override { return system_.states().size() + system_.inputs().size(); }

 private:
  static void append(Cone& to, const Cone& more) { to.insert(to.end(), more.begin(), more.end()); }
  Cone mentioned(Term formula) const {
    Cone found;
    for (Term variable : variables_of(system_.terms(), formula))
      if (auto at = number_.find(variable); at != number_.end()) found.push_back(at->second);
    return found;
  }
  Cone closed(Cone frontier) const {
    std::vector<bool> inside(size());
    Cone cone;
    while (!frontier.empty()) {
      std::uint32_t one = frontier.back();
      frontier.pop_back();
      if (inside[one]) continue;
      inside[one] = true;
      cone.push_back(one);
      append(frontier, reads_[one]);
    }
    std::sort(cone.begin(), cone.end());
    return cone;
  }

  const TransitionSystem& system_;
  std::unordered_map<Term, std::uint32_t> number_;  // states by both of their variables
  std::vector<Cone> reads_;
};

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t one) {
    while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
    return one;
  }
  void unite(const Cone& cone) {
    for (std::uint32_t one : cone) parent_[find(one)] = find(cone.front());
  }

 private:
  std::vector<std::uint32_t> parent_;
};

std::size_t in_common(const Cone& a, const Cone& b) {
  std::size_t count = 0;
  auto at = b.begin();
  for (std::uint32_t one : a) {
    while (at != b.end() && *at < one) ++at;
    if (at != b.end() && *at == one) ++count;
  }
  return count;
}

}  // namespace

Cones::Cones(const Problem& problem, std::span<const std::size_t> properties)
    : cones_(problem.properties.size()), parts_(problem.properties.size()) {
  if (problem.is_program()) {
    look_at_program(problem, properties);
    return;
  }
  auto fill = [&](Dependencies& depends) {
    UnionFind connected(depends.size());
    for (const Cone& cone : depends.constraint_cones()) connected.unite(cone);
    for (std::size_t property : properties) {
      cones_[property] = depends.cone_of(problem.properties[property]);
      connected.unite(cones_[property]);
    }
    for (std::size_t property : properties) {
      const Cone& cone = cones_[property];
      auto alone = static_cast<std::uint32_t>(depends.size() + property);  // a constant property
      parts_[property] = cone.empty() ? alone : connected.find(cone.front());
    }
  };
  if (problem.is_bits()) {
    BitDependencies depends(problem.aig());
    fill(depends);
  } else {
    TermDependencies depends(problem.system());
    fill(depends);
  }
}

/// Control connects everything: there is one part.
void Cones::look_at_program(const Problem& problem, std::span<const std::size_t> properties) {
  std::vector<LocationId> errors;
  for (std::size_t i = 0; i < problem.properties.size(); ++i)
    errors.push_back(error_of(problem, i));
  dependence_.emplace(problem.cfa(), errors);
  for (std::size_t property : properties) {
    transform::Dependence::Relevant relevant = dependence_->of({&errors[property], 1});
    for (std::uint32_t i = 0; i < relevant.variables.size(); ++i)
      if (relevant.variables[i]) cones_[property].push_back(i);
  }
}

/// Greedy, largest cone first: a property joins the first group whose cone is the same up to a
/// quarter.
std::vector<std::vector<std::size_t>> Cones::groups(std::span<const std::size_t> properties) const {
  struct Group {
    Cone cone;
    std::vector<std::size_t> members;
  };
  std::vector<std::size_t> order(properties.begin(), properties.end());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cones_[a].size() > cones_[b].size();
  });
  std::vector<Group> groups;
  for (std::size_t property : order) {
    const Cone& cone = cones_[property];
    auto similar = [&](const Group& group) {
      std::size_t common = in_common(cone, group.cone);
      return 4 * common >= 3 * (cone.size() + group.cone.size() - common);
    };
    auto home = std::find_if(groups.begin(), groups.end(), similar);
    if (home == groups.end()) home = groups.insert(groups.end(), Group{cone, {}});
    home->members.push_back(property);
  }
  std::vector<std::vector<std::size_t>> result;
  for (Group& group : groups) {
    std::sort(group.members.begin(), group.members.end());
    result.push_back(std::move(group.members));
  }
  // Small cones first: what is easy does not wait.
  std::stable_sort(result.begin(), result.end(), [&](const auto& a, const auto& b) {
    return cones_[a.front()].size() < cones_[b.front()].size();
  });
  return result;
}

}  // namespace lem::run
