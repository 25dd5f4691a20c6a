#include "check/live/product.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lem::check {

namespace {

Error wrong(std::string message) {
  return {{}, std::move(message), ErrorKind::Internal};
}

/// Ascending, each below `count`.
bool is_selection(const std::vector<std::uint32_t>& indices, std::size_t count) {
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i] >= count || (i > 0 && indices[i] <= indices[i - 1])) return false;
  return true;
}

/// A circuit that contains the model, whose gates are shifted by what is declared before them.
class Circuitry {
 public:
  explicit Circuitry(const Problem& original)
      : original_(original), aig_(original.aig()), often_(original.property().often()) {}

  Problem rounds(const ProductShape& shape) {
    begin(0);
    std::size_t n = often_.size();
    std::vector<AigLit> p;
    for (std::size_t i = 1; i < n; ++i) p.push_back(out_.add_latch(Reset::Zero));
    std::vector<AigLit> c;
    std::uint32_t tail = shape.kind == ProductKind::Delayed ? 1 : shape.k;
    for (std::uint32_t i = 0; i < tail; ++i) c.push_back(out_.add_latch(Reset::Zero));
    place_gates();
    AigLit a = kAigTrue;
    std::vector<AigLit> r;
    for (std::size_t i = 0; i < n; ++i) {
      a = r.empty() ? at(often_[i]) : out_.and_gate(a, at(often_[i]));
      if (i + 1 < n) a = out_.or_gate(p[i], a);
      r.push_back(a);
    }
    for (std::size_t i = 0; i < p.size(); ++i) out_.set_next(p[i], out_.and_gate(r[i], !a));
    if (shape.kind == ProductKind::Delayed) {
      out_.set_next(c.front(), a);
      return end(c.front());
    }
    AigLit enough = kAigTrue;
    for (AigLit latch : c) {
      out_.set_next(latch, out_.or_gate(latch, enough == kAigTrue ? a : out_.and_gate(enough, a)));
      enough = latch;
    }
    return end(c.empty() ? a : out_.and_gate(enough, a));
  }

  Problem return_of_state(const ProductShape& shape) {
    bool oracle = shape.kind == ProductKind::Oracle;
    begin(oracle ? 1 : 0);
    AigLit saved = out_.add_latch(Reset::Zero);
    std::vector<AigLit> x;
    for (std::size_t i = 0; i < shape.copied.size(); ++i)
      x.push_back(out_.add_latch(oracle ? Reset::Zero : Reset::Free));
    std::vector<AigLit> e;
    for (std::size_t i = 0; i < often_.size(); ++i) e.push_back(out_.add_latch(Reset::Zero));
    place_gates();
    auto original_latch = [&](std::size_t i) { return at(aig_.latch(shape.copied[i])); };
    AigLit same = kAigTrue;
    for (std::size_t i = 0; i < x.size(); ++i)
      same = out_.and_gate(same, !out_.xor_gate(x[i], original_latch(i)));
    AigLit here = oracle ? AigLit(aig_.first_latch(), false) : same;  // the input after the model's
    AigLit copies_now = out_.and_gate(here, !saved);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (oracle) out_.set_next(x[i], out_.mux_gate(copies_now, original_latch(i), x[i]));
    AigLit on = out_.or_gate(saved, here);
    out_.set_next(saved, on);
    AigLit bad = out_.and_gate(saved, same);
    for (std::size_t j = 0; j < e.size(); ++j) {
      out_.set_next(e[j], out_.and_gate(on, out_.or_gate(e[j], at(often_[j]))));
      bad = out_.and_gate(bad, e[j]);
    }
    return end(bad);
  }

 private:
  void begin(std::uint32_t more_inputs) {
    latch_shift_ = more_inputs;
    for (std::uint32_t i = 0; i < aig_.num_inputs() + more_inputs; ++i) out_.add_input();
    for (const Latch& latch : aig_.latches()) out_.add_latch(latch.reset);
  }
  void place_gates() {
    gate_shift_ = out_.num_vars() - aig_.first_and();
    for (const AndGate& gate : aig_.ands()) out_.raw_and(at(gate.left), at(gate.right));
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      out_.set_next(at(aig_.latch(i)), at(aig_.latches()[i].next));
    for (AigLit constraint : aig_.constraints()) out_.add_constraint(at(constraint));
  }
  AigLit at(AigLit lit) const {
    std::uint32_t shift = aig_.is_and(lit.var())     ? gate_shift_
                          : aig_.is_latch(lit.var()) ? latch_shift_
                                                     : 0;
    return {lit.var() + shift, lit.negative()};
  }
  Problem end(AigLit bad) {
    return {std::move(out_).freeze(), {{original_.property().name, bad}}, {}};
  }

  const Problem& original_;
  const Aig& aig_;
  const std::vector<AigLit>& often_;
  AigBuilder out_;
  std::uint32_t latch_shift_ = 0;
  std::uint32_t gate_shift_ = 0;
};

/// The same over terms: states of a system with more states.
class Relations {
 public:
  explicit Relations(const Problem& original)
      : original_(original),
        system_(original.system()),
        terms_(system_.terms()),
        often_(original.property().often_terms()),
        out_(system_.store()) {
    for (const StateVar& state : system_.states()) {
      out_.add_state(state.current, state.next);
      if (state.init) out_.set_init(state.current, state.init);
      if (state.update) out_.set_update(state.current, state.update);
    }
    for (Term input : system_.inputs()) out_.add_input(input);
    out_.add_init(system_.init_relation());
    out_.add_trans(system_.trans_relation());
    out_.add_constraint(system_.constraint());
    while (is_taken(prefix_)) prefix_ += '.';
  }

  Result<Problem> rounds(const ProductShape& shape) {
    std::size_t n = often_.size();
    std::vector<Term> p;
    for (std::size_t i = 1; i < n; ++i) p.push_back(flag("p" + std::to_string(i)));
    std::vector<Term> r;
    Term a = terms_.boolean(true);
    for (std::size_t i = 0; i < n; ++i) {
      a = terms_.make_and(a, often_[i]);
      if (i < p.size()) a = terms_.make_or(p[i], a);
      r.push_back(a);
    }
    for (std::size_t i = 0; i < p.size(); ++i)
      out_.set_update(p[i], terms_.make_and(r[i], terms_.make_not(a)));
    if (shape.kind == ProductKind::Delayed) {
      Term d = flag("d");
      out_.set_update(d, a);
      return end(d);
    }
    Term enough = terms_.boolean(true);
    for (std::uint32_t i = 1; i <= shape.k; ++i) {
      Term c = flag("c" + std::to_string(i));
      out_.set_update(c, terms_.make_or(c, terms_.make_and(enough, a)));
      enough = c;
    }
    return end(terms_.make_and(enough, a));
  }

  Result<Problem> return_of_state(const ProductShape& shape) {
    bool oracle = shape.kind == ProductKind::Oracle;
    Term saved = flag(oracle ? "saved" : "met");
    Term same = terms_.boolean(true);
    std::vector<std::pair<Term, Term>> copies;
    for (std::uint32_t i : shape.copied) {
      Term current = system_.states()[i].current;
      Term x = state("x" + std::to_string(i), terms_.sort(current));
      same = terms_.make_and(same, terms_.make_eq(x, current));
      copies.emplace_back(x, current);
    }
    Term here = same;
    if (oracle) {
      here = terms_.variable(prefix_ + "save", terms_.bool_sort());
      out_.add_input(here);
    }
    Term copies_now = terms_.make_and(here, terms_.make_not(saved));
    for (auto [x, current] : copies)
      out_.set_update(x, oracle ? terms_.make_ite(copies_now, current, x) : x);
    Term on = terms_.make_or(saved, here);
    out_.set_update(saved, on);
    Term bad = terms_.make_and(saved, same);
    for (std::size_t j = 0; j < often_.size(); ++j) {
      Term e = flag("e" + std::to_string(j));
      out_.set_update(e, terms_.make_and(on, terms_.make_or(e, often_[j])));
      bad = terms_.make_and(bad, e);
    }
    return end(bad);
  }

 private:
  bool is_taken(const std::string& prefix) const {
    auto taken = [&](Term variable) { return terms_.name(variable).starts_with(prefix); };
    return std::any_of(system_.inputs().begin(), system_.inputs().end(), taken) ||
           std::any_of(system_.states().begin(), system_.states().end(),
                       [&](const StateVar& one) { return taken(one.current); });
  }
  Term state(const std::string& name, Sort sort) {
    Term current = terms_.variable(prefix_ + name, sort);
    out_.add_state(current, terms_.fresh("check", sort));
    return current;
  }
  Term flag(const std::string& name) {
    Term current = state(name, terms_.bool_sort());
    out_.set_init(current, terms_.boolean(false));
    return current;
  }
  Result<Problem> end(Term bad) {
    Result<TransitionSystem> system = std::move(out_).freeze();
    if (!system) return system.error();
    return Problem{*std::move(system), {{original_.property().name, bad}}, {}};
  }

  const Problem& original_;
  const TransitionSystem& system_;
  TermStore& terms_;
  const std::vector<Term>& often_;
  TransitionSystemBuilder out_;
  std::string prefix_ = "live.";
};

}  // namespace

Result<Problem> product_of(const Problem& original, const ProductShape& shape) {
  constexpr std::uint32_t kMostRounds = 1U << 24;
  bool bits = original.is_bits();
  std::size_t states = bits ? original.aig().num_latches() : original.system().states().size();
  if (!is_selection(shape.copied, states)) return wrong("it copies what is no state of the model");
  if (shape.k > kMostRounds) return wrong("it counts too many rounds");
  bool rounds = shape.kind == ProductKind::Counter || shape.kind == ProductKind::Delayed;
  if (!bits)
    return rounds ? Relations(original).rounds(shape) : Relations(original).return_of_state(shape);
  Circuitry circuit(original);
  return rounds ? circuit.rounds(shape) : circuit.return_of_state(shape);
}

}  // namespace lem::check
