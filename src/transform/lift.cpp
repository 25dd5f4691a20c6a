#include "transform/lift.h"

#include <memory>
#include <set>
#include <utility>

namespace lem {

namespace {

class Lifter {
 public:
  explicit Lifter(const Problem& problem)
      : problem_(problem),
        aig_(problem.aig()),
        terms_(std::make_shared<TermStore>()),
        builder_(terms_),
        signal_(aig_.num_vars()) {}

  Problem run() {
    declare();
    for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var) {
      Term left = term(aig_.gate_of(var).left);
      signal_[var] = terms_->make_and(left, term(aig_.gate_of(var).right));
    }
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      builder_.set_update(term(aig_.latch(i)), term(aig_.latches()[i].next));
    for (AigLit constraint : aig_.constraints()) builder_.add_constraint(term(constraint));
    auto system = std::move(builder_).freeze();
    assert(system.ok() && "an AIG is a well-formed system");
    Problem result;
    result.model = std::move(*system);
    for (const Property& property : problem_.properties)
      result.properties.push_back({property.name, term(property.bad()), property.symbol});
    result.source.file = problem_.source.file;
    result.source.format = problem_.source.format;
    return result;
  }

 private:
  void declare() {
    signal_[0] = terms_->boolean(false);
    Sort truth = terms_->bool_sort();
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
      signal_[aig_.input(i).var()] =
          builder_.add_input(name(problem_.source.input_names, i, 'i'), truth);
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
      Term latch = builder_.add_state(name(problem_.source.latch_names, i, 'l'), truth);
      signal_[aig_.latch(i).var()] = latch;
      Reset reset = aig_.latches()[i].reset;
      if (reset != Reset::Free) builder_.set_init(latch, terms_->boolean(reset == Reset::One));
    }
  }
  std::string name(const std::vector<std::string>& names, std::uint32_t index, char kind) {
    std::string place = kind + std::to_string(index);
    std::string chosen = index < names.size() && !names[index].empty() ? names[index] : place;
    while (!taken_.insert(chosen).second) chosen += '_' + place;
    return chosen;
  }
  Term term(AigLit lit) const {
    Term signal = signal_[lit.var()];
    return lit.negative() ? terms_->make_not(signal) : signal;
  }

  const Problem& problem_;
  const Aig& aig_;
  std::shared_ptr<TermStore> terms_;
  TransitionSystemBuilder builder_;
  std::vector<Term> signal_;  // by variable
  std::set<std::string> taken_;
};

}  // namespace

Problem lift_to_terms(const Problem& bits) {
  return Lifter(bits).run();
}

}  // namespace lem
