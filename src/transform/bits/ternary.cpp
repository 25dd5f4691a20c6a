// Constant latches: the ternary simulation from the reset values with unknown inputs, in its
// joining form. A latch once seen with another value stays unknown, so every signal changes at most
// once and the work is linear in the size of the graph; and the constants of the fixpoint are
// inductive together, which the plain simulation of [Seger95] does not give.
#include <vector>

#include "transform/bits/rebuild.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

enum class Ternary : std::uint8_t { False, True, Unknown };

class TernaryFixpoint {
 public:
  explicit TernaryFixpoint(const Aig& aig) : aig_(aig), values_(aig.num_vars(), Ternary::Unknown) {
    values_[0] = Ternary::False;
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) {
      Reset reset = aig.latches()[i].reset;
      if (reset == Reset::Free) continue;
      values_[aig.first_latch() + i] = reset == Reset::One ? Ternary::True : Ternary::False;
    }
    for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var) values_[var] = gate(var);
    index_users();
    run();
  }

  Ternary operator[](std::uint32_t var) const { return values_[var]; }

 private:
  /// users_of(v): the gates and latches that read v, in one flat array.
  void index_users() {
    begin_.assign(aig_.num_vars() + 1, 0);
    auto each_edge = [&](auto visit) {
      for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
        visit(aig_.latches()[i].next.var(), aig_.first_latch() + i);
      for (std::uint32_t i = 0; i < aig_.num_ands(); ++i) {
        visit(aig_.ands()[i].left.var(), aig_.first_and() + i);
        visit(aig_.ands()[i].right.var(), aig_.first_and() + i);
      }
    };
    each_edge([&](std::uint32_t from, std::uint32_t) { ++begin_[from + 1]; });
    for (std::size_t var = 1; var < begin_.size(); ++var) begin_[var] += begin_[var - 1];
    users_.resize(begin_.back());
    std::vector<std::uint32_t> at(begin_.begin(), begin_.end() - 1);
    each_edge([&](std::uint32_t from, std::uint32_t to) { users_[at[from]++] = to; });
  }

  void run() {
    std::vector<std::uint32_t> pending;
    auto lose = [&](std::uint32_t var) {
      values_[var] = Ternary::Unknown;
      pending.push_back(var);
    };
    auto look = [&](std::uint32_t var) {
      if (values_[var] == Ternary::Unknown) return;
      Ternary now = aig_.is_latch(var) ? of(aig_.latch_of(var).next) : gate(var);
      if (now != values_[var]) lose(var);
    };
    for (std::uint32_t var = aig_.first_latch(); var < aig_.first_and(); ++var) look(var);
    while (!pending.empty()) {
      std::uint32_t var = pending.back();
      pending.pop_back();
      for (std::uint32_t at = begin_[var]; at < begin_[var + 1]; ++at) look(users_[at]);
    }
  }

  Ternary of(AigLit lit) const {
    Ternary value = values_[lit.var()];
    if (value == Ternary::Unknown || !lit.negative()) return value;
    return value == Ternary::True ? Ternary::False : Ternary::True;
  }
  Ternary gate(std::uint32_t var) const {
    Ternary left = of(aig_.gate_of(var).left);
    Ternary right = of(aig_.gate_of(var).right);
    if (left == Ternary::False || right == Ternary::False) return Ternary::False;
    return left == Ternary::True && right == Ternary::True ? Ternary::True : Ternary::Unknown;
  }

  const Aig& aig_;
  std::vector<Ternary> values_;
  std::vector<std::uint32_t> begin_, users_;
};

}  // namespace

Transformed apply_ternary(const Problem& problem, const Context& /*ctx*/) {
  const Aig& aig = problem.aig();
  TernaryFixpoint fixpoint(aig);
  SignalSubstitution substitution = no_substitution(aig);
  for (std::uint32_t var = aig.first_latch(); var < aig.first_and(); ++var)
    if (fixpoint[var] != Ternary::Unknown)
      substitution[var] = fixpoint[var] == Ternary::True ? kAigTrue : kAigFalse;
  return rebuild_with_way_back(problem, substitution);
}

}  // namespace lem::transform
