// The induction of a proof about a circuit: that of a witness circuit, whose property must exclude
// the failure of the model's. Tests: tests/unit/explain/lemmas_test.cpp.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "check/circuit.h"
#include "check/validate.h"
#include "explain/lemmas.h"
#include "model/aig.h"
#include "model/verdict.h"

namespace lem::explain {

/// A proof by clauses over the signals of `circuit`. Where it proves something about another
/// circuit, `shared` gives the literals of the model that its inputs and latches simulate.
struct BitProof {
  const Aig& circuit;
  std::vector<SignalClause> clauses;
  std::uint32_t k = 1;
  SimplePath simple_path = SimplePath::No;
  const Aig& model;
  AigLit bad;  // of the model
  std::vector<check::SharedSignal> shared{};
};

/// A proof about the model itself: one lemma for each clause, the last is the property.
BitProof proof_of(const Aig& model, AigLit bad, const Certificate& certificate);

class BitInduction final : public Induction {
 public:
  ///   require: the proof's circuits outlive this
  BitInduction(const BitProof& proof, const std::stop_token& stop);

  std::size_t size() const override { return clauses_; }
  Support support(std::span<const std::size_t> kept, std::size_t goal) override;

 private:
  /// Clauses that are selected by a literal, and their violations.
  struct Query {
    Query(const check::Circuit& circuit, const std::stop_token& stop) : refutation(circuit, stop) {}
    check::Refutation refutation;
    std::vector<AigLit> selector;
    std::vector<AigLit> violation;
  };
  void build_step(const BitProof& proof);
  void build_safety(const BitProof& proof);
  void select(Query& query, const BitProof& proof, const check::Step& at);
  void make_states_differ(const BitProof& proof, const std::vector<std::vector<AigLit>>& latches);
  Support ask(Query& query, std::span<const std::size_t> kept, std::vector<AigLit> assumptions);

  std::size_t clauses_;
  check::Circuit circuit_;
  Query step_;
  Query safety_;
};

}  // namespace lem::explain
