// Witness circuits: a copy of the model whose one bad state is the negation of an inductive
// formula.
//
// An inductive invariant is that already. A k-inductive property becomes inductive in a circuit
// that remembers the last k - 1 steps [Yu, Biere, Heljanko, CAV'21]: copy 0 is the model itself,
// copy j holds the state and inputs of j steps ago and is valid once j steps were made. Inductive
// is then, with Q = not bad & all clauses and v_0 = true:
//   Q_0  &  for 0 < j < k:    v_j => v_(j-1), Q_j, C_j, X_(j-1) = next(X_j, I_j)
//        &  for 0 <= j < k-1: v_j & !v_(j+1) => X_j is a reset state
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "model/cone.h"
#include "writer/aiger.h"

namespace lem::writer {

namespace {

std::vector<AigLit> roots_of(const Problem& model, std::span<const SignalClause> clauses) {
  std::vector<AigLit> roots(model.aig().constraints().begin(), model.aig().constraints().end());
  roots.push_back(model.property().bad());
  for (const SignalClause& clause : clauses)
    roots.insert(roots.end(), clause.begin(), clause.end());
  return roots;
}

class WitnessCircuit {
 public:
  WitnessCircuit(const Problem& model, std::span<const SignalClause> clauses, std::uint32_t k)
      : model_(model), aig_(model.aig()), clauses_(clauses), k_(k) {
    assert(k > 0 && "induction needs at least one step");
  }

  Problem run() &&;

 private:
  /// Signals of the model at one of the k steps, as literals of the circuit.
  using Copy = std::vector<AigLit>;

  void declare();
  void build_gates(Copy& copy, const std::vector<bool>& needed);
  void connect();
  AigLit invariant();
  AigLit q(const Copy& copy);
  AigLit remembers(std::uint32_t j);
  AigLit is_reset(const Copy& copy);
  SourceMap source() const;

  static AigLit at(const Copy& copy, AigLit lit) { return copy[lit.var()] ^ lit.negative(); }
  AigLit both(AigLit a, AigLit b) { return out_.and_gate(a, b); }
  AigLit implies(AigLit a, AigLit b) { return out_.or_gate(!a, b); }

  const Problem& model_;
  const Aig& aig_;
  std::span<const SignalClause> clauses_;
  std::uint32_t k_;
  AigBuilder out_;
  std::vector<bool> cone_;  // what the history keeps
  std::vector<Copy> copies_;
  std::vector<AigLit> valid_;  // valid_[0] is true
};

void WitnessCircuit::declare() {
  copies_.assign(k_, Copy(aig_.num_vars()));
  for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
    copies_[0][aig_.input(i).var()] = out_.add_input();
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
    copies_[0][aig_.latch(i).var()] = out_.add_latch(aig_.latches()[i].reset);
  valid_.push_back(kAigTrue);
  for (std::uint32_t j = 1; j < k_; ++j) {
    valid_.push_back(out_.add_latch(Reset::Zero));
    for (std::uint32_t var = 1; var < aig_.first_and(); ++var)
      if (cone_[var]) copies_[j][var] = out_.add_latch(Reset::Zero);
  }
}

void WitnessCircuit::build_gates(Copy& copy, const std::vector<bool>& needed) {
  for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var) {
    if (!needed[var]) continue;
    const AndGate& gate = aig_.gate_of(var);
    copy[var] = both(at(copy, gate.left), at(copy, gate.right));
  }
}

void WitnessCircuit::connect() {
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
    out_.set_next(at(copies_[0], aig_.latch(i)), at(copies_[0], aig_.latches()[i].next));
  for (std::uint32_t j = 1; j < k_; ++j) {
    out_.set_next(valid_[j], valid_[j - 1]);
    for (std::uint32_t var = 1; var < aig_.first_and(); ++var)
      if (cone_[var]) out_.set_next(copies_[j][var], copies_[j - 1][var]);
  }
}

AigLit WitnessCircuit::q(const Copy& copy) {
  AigLit result = !at(copy, model_.property().bad());
  for (const SignalClause& clause : clauses_) {
    AigLit some = kAigFalse;
    for (AigLit lit : clause) some = out_.or_gate(some, at(copy, lit));
    result = both(result, some);
  }
  return result;
}

/// Copy j kept Q and the constraints and was followed by copy j - 1.
AigLit WitnessCircuit::remembers(std::uint32_t j) {
  AigLit result = both(valid_[j - 1], q(copies_[j]));
  for (AigLit constraint : aig_.constraints()) result = both(result, at(copies_[j], constraint));
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
    if (!cone_[aig_.latch(i).var()]) continue;
    AigLit next = at(copies_[j], aig_.latches()[i].next);
    result = both(result, !out_.xor_gate(at(copies_[j - 1], aig_.latch(i)), next));
  }
  return result;
}

AigLit WitnessCircuit::is_reset(const Copy& copy) {
  AigLit result = kAigTrue;
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
    Reset reset = aig_.latches()[i].reset;
    if (!cone_[aig_.latch(i).var()] || reset == Reset::Free) continue;
    result = both(result, at(copy, aig_.latch(i)) ^ (reset == Reset::Zero));
  }
  return result;
}

AigLit WitnessCircuit::invariant() {
  AigLit result = q(copies_[0]);
  for (std::uint32_t j = 1; j < k_; ++j) {
    result = both(result, implies(valid_[j], remembers(j)));
    result = both(result, implies(both(valid_[j - 1], !valid_[j]), is_reset(copies_[j - 1])));
  }
  return result;
}

/// Inputs and latches of copy 0 are named after the literals of the model's file.
SourceMap WitnessCircuit::source() const {
  SourceMap source;
  source.format = "aiger";
  auto name = [&](AigLit lit) {
    const std::vector<std::uint32_t>& file_var = model_.source.file_var;
    std::uint32_t var = file_var.empty() ? lit.var() : file_var[lit.var()];
    return "= " + std::to_string(std::uint64_t{2} * var);
  };
  for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
    source.input_names.push_back(name(aig_.input(i)));
  for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
    source.latch_names.push_back(name(aig_.latch(i)));
  const std::string& file = model_.source.file;
  const std::string& symbol = model_.property().symbol;
  source.comments.push_back("WITNESS " + (symbol.empty() ? std::string("b0") : symbol) + ' ' +
                            printable(file.substr(file.rfind('/') + 1)));  // npos + 1 is 0
  return source;
}

Problem WitnessCircuit::run() && {
  cone_ = sequential_cone(aig_, roots_of(model_, clauses_));
  declare();
  build_gates(copies_[0], std::vector<bool>(aig_.num_vars(), true));
  for (std::uint32_t j = 1; j < k_; ++j) build_gates(copies_[j], cone_);
  AigLit bad = !invariant();
  connect();
  for (AigLit constraint : aig_.constraints()) out_.add_constraint(at(copies_[0], constraint));
  return {std::move(out_).freeze(), {{"b0", bad, "b0"}}, source()};
}

}  // namespace

std::string write_certificate(const Problem& focused_original, const check::Certified& certified,
                              AigerEncoding encoding) {
  const KInductive claim = as_k_inductive(*certificate_of(certified.verdict()));
  if (claim.simple_path == SimplePath::No)
    return write_aiger(WitnessCircuit(focused_original, claim.clauses, claim.k).run(), encoding);
  // The convention cannot express uniqueness of states without quantifiers, so the claim is a
  // comment.
  Problem circuit = WitnessCircuit(focused_original, claim.clauses, 1).run();
  circuit.source.comments.push_back("lemmata k-inductive k=" + std::to_string(claim.k) +
                                    " simple-path");
  return write_aiger(circuit, encoding);
}

}  // namespace lem::writer
