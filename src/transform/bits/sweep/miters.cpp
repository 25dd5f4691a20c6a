#include "transform/bits/sweep/miters.h"

#include <utility>

namespace lem::transform {

namespace {

class MiterMaker {
 public:
  MiterMaker(const Aig& aig, std::span<const AigLit> representatives, SweepScope scope)
      : aig_(aig), representatives_(representatives), scope_(scope) {}

  Miters base_case() {
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
      made_.first_inputs.push_back(builder_.add_input());
    for (const Latch& latch : aig_.latches())
      made_.first_latches.push_back(latch.reset == Reset::Free  ? builder_.add_input()
                                    : latch.reset == Reset::One ? kAigTrue
                                                                : kAigFalse);
    Image image = start(made_.first_inputs, made_.first_latches, made_.goals);
    if (scope_ == SweepScope::AllSignals) add_gates(image, made_.goals);
    return finish();
  }

  Miters step_case() {
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i) {
      made_.first_inputs.push_back(builder_.add_input());
      made_.last_inputs.push_back(builder_.add_input());
    }
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
      AigLit equal = representatives_[aig_.first_latch() + i];
      AigLit value = equal.var() == 0             ? equal
                     : equal == aig_.latch(i)     ? builder_.add_input()
                     : aig_.is_latch(equal.var()) ? latch_image(equal)
                                                  : input_image(equal);
      made_.first_latches.push_back(value);
    }
    Image image = start(made_.first_inputs, made_.first_latches, made_.assumed);
    assert(made_.assumed.empty() && "first-step latches are their representatives");
    add_gates(image, made_.assumed);
    for (AigLit constraint : aig_.constraints()) made_.constraints.push_back(of(image, constraint));

    std::vector<AigLit> next;
    for (const Latch& latch : aig_.latches()) next.push_back(of(image, latch.next));
    Image last = start(made_.last_inputs, next, made_.goals);
    if (scope_ == SweepScope::AllSignals) add_gates(last, made_.goals);
    return finish();
  }

 private:
  using Image = std::vector<AigLit>;  // by variable of the model

  static AigLit of(const Image& image, AigLit lit) { return image[lit.var()] ^ lit.negative(); }
  AigLit latch_image(AigLit lit) const {
    return made_.first_latches[lit.var() - aig_.first_latch()] ^ lit.negative();
  }
  AigLit input_image(AigLit lit) const {
    return made_.first_inputs[lit.var() - 1] ^ lit.negative();
  }

  /// Replaces a signal by its representative; unless that is trivial, the equality is noted.
  AigLit reduce(std::uint32_t var, AigLit computed, const Image& image,
                std::vector<Miter>& miters) const {
    AigLit equal = representatives_[var];
    if (equal.var() == var) return computed;
    AigLit reduced = of(image, equal);
    if (reduced != computed) miters.push_back({var, computed, reduced});
    return reduced;
  }

  Image start(std::span<const AigLit> inputs, std::span<const AigLit> latches,
              std::vector<Miter>& miters) const {
    Image image(aig_.num_vars(), kAigFalse);
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i) {
      assert(representatives_[1 + i] == aig_.input(i) && "inputs represent themselves");
      image[1 + i] = inputs[i];
    }
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
      std::uint32_t var = aig_.first_latch() + i;
      image[var] = reduce(var, latches[i], image, miters);
    }
    return image;
  }

  void add_gates(Image& image, std::vector<Miter>& miters) {
    for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var) {
      const AndGate& gate = aig_.gate_of(var);
      AigLit computed = builder_.and_gate(of(image, gate.left), of(image, gate.right));
      image[var] = reduce(var, computed, image, miters);
    }
  }

  Miters finish() {
    made_.graph = std::move(builder_).freeze();
    return std::move(made_);
  }

  const Aig& aig_;
  std::span<const AigLit> representatives_;
  SweepScope scope_;
  AigBuilder builder_;
  Miters made_;
};

}  // namespace

Miters make_miters(const Aig& aig, std::span<const AigLit> representatives, InductionCase which,
                   SweepScope scope) {
  MiterMaker maker(aig, representatives, scope);
  return which == InductionCase::Base ? maker.base_case() : maker.step_case();
}

}  // namespace lem::transform
