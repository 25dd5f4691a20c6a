#include "transform/bitblast/bitblast.h"

#include <algorithm>
#include <utility>

#include "bitblast/bit_blaster.h"
#include "term/traverse.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

class BitLowering {
 public:
  explicit BitLowering(const Problem& problem)
      : problem_(problem),
        system_(problem.system()),
        terms_(system_.terms()),
        gates_(out_),
        blaster_(terms_, gates_) {}

  Blasted run() {
    declare_inputs();
    declare_latches();
    connect();
    constrain();
    std::vector<Property> properties = problem_.properties;
    for (Property& property : properties) property.target = blaster_.literal(property.bad_term());
    record_origins();
    source_.file = problem_.source.file;
    source_.format = problem_.source.format;
    return {{std::move(out_).freeze(), std::move(properties), std::move(source_)}, std::move(map_)};
  }

 private:
  std::string bit_name(Term variable, std::uint32_t bit) const {
    const std::string& name = terms_.name(variable);
    bool word = terms_.kind(variable) == SortKind::BitVec && terms_.width(variable) > 1;
    return word ? name + '[' + std::to_string(bit) + ']' : name;
  }
  std::uint32_t size_of(Term term) const {
    return bitblast::BitBlaster::size_of(terms_, terms_.sort(term));
  }
  bool has_value(Term init) const { return init && terms_.is_value(init); }

  bitblast::AigWord add_inputs(Term variable);
  void declare_inputs();
  void declare_latches();
  void connect();
  void constrain();
  void record_origins();

  const Problem& problem_;
  const TransitionSystem& system_;
  TermStore& terms_;
  AigBuilder out_;
  bitblast::AigGates gates_;
  bitblast::BitBlaster blaster_;
  BitMap map_;
  SourceMap source_;
  std::vector<bitblast::AigWord> next_;  // by state: its next value, where it has no update
  std::vector<Term> first_step_;  // what holds at the first step and cannot be expressed by resets
};

bitblast::AigWord BitLowering::add_inputs(Term variable) {
  bitblast::AigWord bits;
  for (std::uint32_t i = 0; i < size_of(variable); ++i) {
    bits.push_back(out_.add_input());
    source_.input_names.push_back(bit_name(variable, i));
  }
  return bits;
}

void BitLowering::declare_inputs() {
  for (Term input : system_.inputs()) {
    map_.first_input.push_back(static_cast<std::uint32_t>(source_.input_names.size()));
    blaster_.define(input, add_inputs(input));
  }
  for (const StateVar& state : system_.states()) {
    next_.emplace_back();
    if (state.update) continue;
    next_.back() = add_inputs(state.next);
    blaster_.define(state.next, next_.back());
  }
}

void BitLowering::declare_latches() {
  if (!terms_.is_true(system_.init_relation())) first_step_.push_back(system_.init_relation());
  for (const StateVar& state : system_.states()) {
    map_.first_latch.push_back(static_cast<std::uint32_t>(source_.latch_names.size()));
    bitblast::AigWord bits;
    bitblast::AigWord reset;
    if (has_value(state.init)) reset = blaster_.bits(state.init);
    if (state.init && reset.empty())
      first_step_.push_back(terms_.make_eq(state.current, state.init));
    for (std::uint32_t i = 0; i < size_of(state.current); ++i) {
      Reset to = reset.empty() ? Reset::Free : reset[i] == kAigTrue ? Reset::One : Reset::Zero;
      bits.push_back(out_.add_latch(to));
      source_.latch_names.push_back(bit_name(state.current, i));
    }
    blaster_.define(state.current, std::move(bits));
  }
  auto extra = [&](Reset reset, const char* name) {
    source_.latch_names.emplace_back(name);
    return out_.add_latch(reset).var();
  };
  if (!first_step_.empty()) map_.started = extra(Reset::Zero, "started");
  if (!terms_.is_true(system_.trans_relation())) map_.valid = extra(Reset::One, "valid");
}

void BitLowering::connect() {
  for (std::size_t k = 0; k < next_.size(); ++k) {
    const StateVar& state = system_.states()[k];
    if (state.update) next_[k] = blaster_.bits(state.update);
    const bitblast::AigWord current = blaster_.bits(state.current);
    for (std::size_t i = 0; i < current.size(); ++i) out_.set_next(current[i], next_[k][i]);
  }
  if (map_.started != 0) out_.set_next({map_.started, false}, kAigTrue);
  if (map_.valid == 0) return;
  std::vector<Term> mentioned = variables_of(terms_, system_.trans_relation());
  for (std::size_t k = 0; k < next_.size(); ++k) {
    const StateVar& state = system_.states()[k];
    bool is_mentioned = std::binary_search(mentioned.begin(), mentioned.end(), state.next);
    if (state.update && is_mentioned) blaster_.define(state.next, next_[k]);
  }
  AigLit valid(map_.valid, false);
  out_.set_next(valid, out_.and_gate(valid, blaster_.literal(system_.trans_relation())));
}

void BitLowering::constrain() {
  for (Term conjunct : conjuncts(terms_, system_.constraint()))
    if (!terms_.is_true(conjunct)) out_.add_constraint(blaster_.literal(conjunct));
  for (Term fact : first_step_)
    out_.add_constraint(out_.or_gate({map_.started, false}, blaster_.literal(fact)));
  if (map_.valid != 0) out_.add_constraint({map_.valid, false});
}

/// Prefers a formula as the origin of a gate, else the first word that has it as a bit.
void BitLowering::record_origins() {
  map_.origin.resize(out_.num_vars());
  for (const auto& [term, bits] : blaster_.translated()) {
    if (terms_.is_value(term)) continue;
    for (std::uint32_t i = 0; i < bits->size(); ++i) {
      BitMap::Origin& origin = map_.origin[(*bits)[i].var()];
      bool better = terms_.kind(term) == SortKind::Bool && !terms_.is_variable(term) &&
                    origin.term && terms_.kind(origin.term) != SortKind::Bool &&
                    !terms_.is_variable(origin.term);
      if (!origin.term || better) origin = {term, i, (*bits)[i].negative()};
    }
  }
}

}  // namespace

Blasted lower_to_bits(const Problem& problem) {
  assert(why_no_bits(problem).empty() && "only Bool and BitVec have bits");
  return BitLowering(problem).run();
}

Transformed apply_bitblast(const Problem& problem, const Context& ctx) {
  Blasted lowered = lower_to_bits(problem);
  ctx.stats.counter("transform.bitblast.latches") += lowered.problem.aig().num_latches();
  ctx.stats.counter("transform.bitblast.gates") += lowered.problem.aig().num_ands();
  auto back = make_lifting(problem, lowered);
  return {std::move(lowered.problem), std::move(back)};
}

}  // namespace lem::transform
