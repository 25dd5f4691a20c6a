#include "engine/parts/terms/decider.h"

#include <array>
#include <unordered_map>
#include <utility>

#include "bitblast/bit_blaster.h"
#include "engine/parts/bits/lazy_gates.h"
#include "sat/cadical.h"
#include "smt/solvers.h"

namespace lem::engine {

namespace {

constexpr std::uint64_t kFewConflicts = 2000;
constexpr std::uint32_t kFewMilliseconds = 500;

/// LazyGates as what circuits are built of. The constant has the same variable, 0, and the other
/// sign.
class SolverGates final : public bitblast::Gates {
 public:
  explicit SolverGates(LazyGates& gates) : gates_(gates) {}
  AigLit and_gate(AigLit left, AigLit right) override {
    return circuit(gates_.conj(solver(left), solver(right)));
  }
  static sat::Lit solver(AigLit lit) {
    return sat::Lit::from_code(lit.code() ^ (lit.var() == 0 ? 1U : 0U));
  }
  static AigLit circuit(sat::Lit lit) {
    return AigLit::from_code(lit.code() ^ (lit.var() == 0 ? 1U : 0U));
  }

 private:
  LazyGates& gates_;
};

class BitDecider final : public Decider {
 public:
  BitDecider(TermStore& terms, std::stop_token stop)
      : terms_(terms),
        solver_(sat::make_cadical()),
        gates_(*solver_),
        circuit_gates_(gates_),
        blaster_(terms, circuit_gates_, [this](Term variable) { return leaf(variable); }) {
    solver_->set_stop(std::move(stop));
  }

  void add(Term formula) override { solver_->add_clause(std::array{encoded(formula)}); }

  smt::Answer solve(Term assumption, Patience patience) override {
    sat::Lit wanted = encoded(assumption);
    if (wanted == gates_.falsity()) return smt::Answer::Unsat;
    solver_->limit_conflicts(patience == Patience::Endless ? UINT64_MAX : kFewConflicts);
    switch (solver_->solve(std::array{wanted})) {
      case sat::SatResult::Sat:
        return smt::Answer::Sat;
      case sat::SatResult::Unsat:
        return smt::Answer::Unsat;
      case sat::SatResult::Stopped:
        break;
    }
    return smt::Answer::Unknown;
  }

  Term value(Term variable) override {
    auto at = leaves_.find(variable);
    if (at == leaves_.end()) return terms_.default_value(terms_.sort(variable));
    if (terms_.kind(variable) == SortKind::Bool) return terms_.boolean(bit(at->second.front()));
    mpz_class word = 0;
    for (std::size_t i = 0; i < at->second.size(); ++i)
      if (bit(at->second[i])) mpz_setbit(word.get_mpz_t(), i);
    return terms_.bv(word, terms_.width(variable));
  }

 private:
  sat::Lit encoded(Term formula) {
    return gates_.encoded(SolverGates::solver(blaster_.literal(formula)));
  }
  bool bit(AigLit lit) const { return gates_.value(SolverGates::solver(lit)); }
  bitblast::AigWord leaf(Term variable) {
    bitblast::AigWord bits(bitblast::BitBlaster::size_of(terms_, terms_.sort(variable)));
    for (AigLit& bit : bits) bit = SolverGates::circuit(gates_.leaf());
    return leaves_[variable] = bits;
  }

  TermStore& terms_;
  std::unique_ptr<sat::SatSolver> solver_;
  LazyGates gates_;
  SolverGates circuit_gates_;
  bitblast::BitBlaster blaster_;
  std::unordered_map<Term, bitblast::AigWord> leaves_;
};

class SmtDecider final : public Decider {
 public:
  SmtDecider(TermStore& terms, const smt::Solvers& solvers)
      : solver_(solvers.make(terms, smt::Workload::Stream)) {}

  void add(Term formula) override { solver_->add(formula); }
  smt::Answer solve(Term assumption, Patience patience) override {
    solver_->limit_time(patience == Patience::Endless ? 0 : kFewMilliseconds);
    return solver_->solve({&assumption, 1});
  }
  Term value(Term variable) override { return solver_->value(variable); }

 private:
  std::unique_ptr<smt::SmtSolver> solver_;
};

}  // namespace

std::unique_ptr<Decider> make_bit_decider(TermStore& terms, std::stop_token stop) {
  return std::make_unique<BitDecider>(terms, std::move(stop));
}

std::unique_ptr<Decider> make_smt_decider(TermStore& terms, const smt::Solvers& solvers) {
  return std::make_unique<SmtDecider>(terms, solvers);
}

}  // namespace lem::engine
