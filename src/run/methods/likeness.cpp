#include "run/methods/likeness.h"

#include <algorithm>
#include <utility>

namespace lem::run {

namespace {

std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 31;
  value *= 0x9e3779b97f4a7c15ULL;
  return value ^ value >> 29;
}

}  // namespace

Likeness::Likeness(const Problem& problem) : problem_(problem) {
  const Aig& aig = problem.aig();
  std::vector<Hash> latches;
  for (const Latch& latch : aig.latches())
    latches.push_back(mixed(3 + static_cast<Hash>(latch.reset)));
  shape_ = hashes(latches);
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) {
    AigLit next = aig.latches()[i].next;
    latches[i] = mixed(latches[i] + shape_[next.var()] + (next.negative() ? 1 : 0));
  }
  deep_ = hashes(latches);
}

std::vector<Likeness::Hash> Likeness::hashes(const std::vector<Hash>& latches) const {
  const Aig& aig = problem_.aig();
  std::vector<Hash> out(aig.num_vars(), mixed(1));
  out[0] = mixed(2);
  std::copy(latches.begin(), latches.end(), out.begin() + aig.first_latch());
  auto of = [&](AigLit lit) { return mixed(out[lit.var()] + (lit.negative() ? 1 : 0)); };
  for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
    out[var] = mixed(of(aig.gate_of(var).left) + of(aig.gate_of(var).right));  // in any order
  return out;
}

/// Whether the left side of one gate goes with the right side of the other.
bool Likeness::crossed(const AndGate& a, const AndGate& b) const {
  for (const std::vector<Hash>* by : {&deep_, &shape_}) {
    auto same = [&](AigLit x, AigLit y) {
      return x.negative() == y.negative() && (*by)[x.var()] == (*by)[y.var()];
    };
    if (same(a.left, b.left) || same(a.right, b.right)) return false;
    if (same(a.left, b.right) || same(a.right, b.left)) return true;
  }
  return false;
}

/// From signals below `a`, over any number of steps, to those below `b`. Where the two differ the
/// walk ends: what an instance is connected to need not be alike.
std::unordered_map<std::uint32_t, std::uint32_t> Likeness::correspondence(AigLit a,
                                                                          AigLit b) const {
  const Aig& aig = problem_.aig();
  std::unordered_map<std::uint32_t, std::uint32_t> map;
  std::vector<std::pair<AigLit, AigLit>> pending{{a, b}};
  while (!pending.empty()) {
    auto [x, y] = pending.back();
    pending.pop_back();
    if (x.negative() != y.negative()) continue;
    bool gates = aig.is_and(x.var()) && aig.is_and(y.var());
    bool latches = aig.is_latch(x.var()) && aig.is_latch(y.var()) &&
                   aig.latch_of(x.var()).reset == aig.latch_of(y.var()).reset;
    bool inputs = aig.is_input(x.var()) && aig.is_input(y.var());
    if (!gates && !latches && !inputs) continue;
    if (!map.emplace(x.var(), y.var()).second) continue;
    if (latches) pending.emplace_back(aig.latch_of(x.var()).next, aig.latch_of(y.var()).next);
    if (!gates) continue;
    AndGate one = aig.gate_of(x.var());
    AndGate other = aig.gate_of(y.var());
    if (crossed(one, other)) std::swap(other.left, other.right);
    pending.emplace_back(one.left, other.left);
    pending.emplace_back(one.right, other.right);
  }
  return map;
}

std::vector<SignalClause> Likeness::renamed(std::span<const SignalClause> clauses, std::size_t from,
                                            std::size_t to) const {
  std::unordered_map<std::uint32_t, std::uint32_t> map = correspondence(bad(from), bad(to));
  std::vector<SignalClause> out;
  for (const SignalClause& clause : clauses) {
    SignalClause image;
    for (AigLit lit : clause)
      if (auto at = map.find(lit.var()); at != map.end())
        image.push_back(AigLit(at->second, lit.negative()));
    if (image.size() == clause.size()) out.push_back(std::move(image));
  }
  return out;
}

}  // namespace lem::run
