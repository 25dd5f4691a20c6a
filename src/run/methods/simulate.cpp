#include "run/methods/simulate.h"

#include <bit>
#include <random>

namespace lem::run {

namespace {

using Word = std::uint64_t;  // one bit for each of 64 runs

class Simulation {
 public:
  explicit Simulation(const Aig& aig) : aig_(aig), value_(aig.num_vars()) {
    for (const Latch& latch : aig.latches()) {
      Word word = latch.reset == Reset::Free ? random_() : latch.reset == Reset::One ? ~Word{0} : 0;
      state_.push_back(word);
    }
    initial_ = state_;
  }

  /// The next step of all runs, with random inputs. Runs that break a constraint end.
  void step() {
    std::vector<Word>& inputs = inputs_.emplace_back(aig_.num_inputs());
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
      value_[aig_.input(i).var()] = inputs[i] = random_();
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) value_[aig_.latch(i).var()] = state_[i];
    for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var)
      value_[var] = of(aig_.gate_of(var).left) & of(aig_.gate_of(var).right);
    for (AigLit constraint : aig_.constraints()) alive_ &= of(constraint);
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) state_[i] = of(aig_.latches()[i].next);
  }
  Word alive() const { return alive_; }
  /// Runs in which the literal holds at the last step.
  Word where(AigLit lit) const { return of(lit) & alive_; }
  Trace trace(int run) const {
    auto bit = [&](Word word) { return (word >> run & 1) != 0; };
    Trace trace;
    for (Word word : initial_) trace.initial.push_back(bit(word));
    for (const std::vector<Word>& inputs : inputs_) {
      std::vector<bool>& row = trace.inputs.emplace_back();
      for (Word word : inputs) row.push_back(bit(word));
    }
    return trace;
  }

 private:
  Word of(AigLit lit) const { return lit.negative() ? ~value_[lit.var()] : value_[lit.var()]; }

  const Aig& aig_;
  std::mt19937_64 random_{1};  // the same runs each time
  std::vector<Word> value_, state_, initial_;
  std::vector<std::vector<Word>> inputs_;
  Word alive_ = ~Word{0};
};

}  // namespace

std::vector<Violation> simulate(const Problem& problem, std::span<const std::size_t> properties,
                                std::uint32_t steps, const std::stop_token& stop) {
  Simulation simulation(problem.aig());
  std::vector<std::size_t> open(properties.begin(), properties.end());
  std::vector<Violation> found;
  for (std::uint32_t step = 0; step < steps && !open.empty() && !stop.stop_requested(); ++step) {
    simulation.step();
    if (simulation.alive() == 0) break;
    std::erase_if(open, [&](std::size_t property) {
      Word runs = simulation.where(problem.properties[property].bad());
      if (runs != 0) found.push_back({property, simulation.trace(std::countr_zero(runs))});
      return runs != 0;
    });
  }
  return found;
}

}  // namespace lem::run
