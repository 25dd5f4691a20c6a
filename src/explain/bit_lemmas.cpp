#include "explain/bit_lemmas.h"

#include <utility>

#include "model/cone.h"

namespace lem::explain {

BitProof proof_of(const Aig& model, AigLit bad, const Certificate& certificate) {
  KInductive claim = as_k_inductive(certificate);
  BitProof proof{model, std::move(claim.clauses), claim.k, claim.simple_path, model, bad, {}};
  proof.clauses.push_back({!bad});
  for (std::uint32_t var = 1; var < model.first_and(); ++var)
    proof.shared.push_back({var, AigLit(var, false)});
  return proof;
}

static std::vector<AigLit> fresh_leaves(check::Circuit& circuit, std::uint32_t count) {
  std::vector<AigLit> leaves;
  for (std::uint32_t i = 0; i < count; ++i) leaves.push_back(circuit.fresh());
  return leaves;
}

static check::Step whole_step(check::Circuit& circuit, const Aig& aig,
                              std::span<const AigLit> leaves) {
  return {circuit, aig, leaves, check::Cone(aig.num_vars(), true)};
}

BitInduction::BitInduction(const BitProof& proof, const std::stop_token& stop)
    : clauses_(proof.clauses.size()), step_(circuit_, stop), safety_(circuit_, stop) {
  for (Query* query : {&step_, &safety_})
    for (std::size_t i = 0; i < clauses_; ++i) {
      query->selector.push_back(circuit_.fresh());
      query->violation.push_back(circuit_.fresh());
    }
  build_step(proof);
  build_safety(proof);
}

/// A selected clause holds at this step.
void BitInduction::select(Query& query, const BitProof& proof, const check::Step& at) {
  for (std::size_t i = 0; i < clauses_; ++i) {
    std::vector<AigLit> clause{!query.selector[i]};
    for (AigLit lit : proof.clauses[i]) clause.push_back(at[lit]);
    query.refutation.require_any(clause);
  }
}

void BitInduction::make_states_differ(const BitProof& proof,
                                      const std::vector<std::vector<AigLit>>& latches) {
  const Aig& aig = proof.circuit;
  std::vector<AigLit> roots(aig.constraints().begin(), aig.constraints().end());
  for (const SignalClause& clause : proof.clauses)
    roots.insert(roots.end(), clause.begin(), clause.end());
  std::vector<bool> cone = sequential_cone(aig, roots);
  for (std::size_t a = 0; a < latches.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      std::vector<AigLit> differences;
      for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
        if (cone[aig.latch(i).var()])
          differences.push_back(circuit_.differ(latches[a][i], latches[b][i]));
      step_.refutation.require_any(differences);
    }
}

void BitInduction::build_step(const BitProof& proof) {
  const Aig& aig = proof.circuit;
  std::vector<std::vector<AigLit>> latches{fresh_leaves(circuit_, aig.num_latches())};
  for (std::uint32_t k = 0; k <= proof.k; ++k) {
    std::vector<AigLit> leaves = fresh_leaves(circuit_, aig.num_inputs());
    leaves.insert(leaves.end(), latches[k].begin(), latches[k].end());
    check::Step at = whole_step(circuit_, aig, leaves);
    for (AigLit lit : aig.constraints()) step_.refutation.require(at[lit]);
    if (k < proof.k) {
      select(step_, proof, at);
      std::vector<AigLit>& next = latches.emplace_back();
      for (const Latch& latch : aig.latches()) next.push_back(at[latch.next]);
      continue;
    }
    for (std::size_t i = 0; i < clauses_; ++i)
      for (AigLit lit : proof.clauses[i])
        step_.refutation.require_any(std::vector<AigLit>{!step_.violation[i], !at[lit]});
  }
  if (proof.simple_path == SimplePath::Yes) make_states_differ(proof, latches);
}

void BitInduction::build_safety(const BitProof& proof) {
  std::vector<AigLit> model_leaves = fresh_leaves(circuit_, proof.model.first_and() - 1);
  std::vector<AigLit> leaves = fresh_leaves(circuit_, proof.circuit.first_and() - 1);
  for (const check::SharedSignal& one : proof.shared)
    leaves[one.witness_var - 1] = model_leaves[one.model_lit.var() - 1] ^ one.model_lit.negative();
  check::Step model = whole_step(circuit_, proof.model, model_leaves);
  check::Step witness = whole_step(circuit_, proof.circuit, leaves);
  for (AigLit lit : proof.model.constraints()) safety_.refutation.require(model[lit]);
  for (AigLit lit : proof.circuit.constraints()) safety_.refutation.require(witness[lit]);
  select(safety_, proof, witness);
  safety_.refutation.require(model[proof.bad]);
}

Support BitInduction::ask(Query& query, std::span<const std::size_t> kept,
                          std::vector<AigLit> assumptions) {
  for (std::size_t lemma : kept) assumptions.push_back(query.selector[lemma]);
  switch (query.refutation.solve_under(assumptions)) {
    case sat::SatResult::Sat:
      return {Implied::No, {}};
    case sat::SatResult::Stopped:
      return {};
    case sat::SatResult::Unsat:
      break;
  }
  Support out{Implied::Yes, {}};
  for (std::size_t lemma : kept)
    if (query.refutation.failed(query.selector[lemma])) out.by.push_back(lemma);
  return out;
}

Support BitInduction::support(std::span<const std::size_t> kept, std::size_t goal) {
  if (goal == clauses_) return ask(safety_, kept, {});
  return ask(step_, kept, {step_.violation[goal]});
}

}  // namespace lem::explain
