// Witness circuits checked as in the Certifaiger convention [Yu23].
//
// M is the model, W (primed) the witness circuit, K the inputs and latches that they share:
//   Reset       R{K} & C              => R'{K} & C'
//   Transition  F{K} & C0 & C1 & C0'  => F'{K} & C1'
//   Property    C & C' & P'           => P
//   Base        R' & C'               => P'
//   Step        P0' & F' & C0' & C1'  => P1'
// So every run of M is, on K, a run of W, in which P' is inductive. Base and Step generalize to
// k-induction over simple paths, for which the convention has no circuit; a comment line in the
// file states it.
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/try.h"
#include "check/circuit.h"
#include "check/files/claims.h"
#include "check/induction.h"
#include "check/validate.h"

namespace lem::check {

namespace {

class CertificateCheck {
 public:
  CertificateCheck(const Problem& model, const Problem& witness, const EvidenceTask& task)
      : model_(model), witness_(witness), task_(task), stop_(task.stop) {}

  Result<Accepted> run();

 private:
  Status read_comments();
  Status read_mapping();
  Status map_names(std::span<const std::string> names, std::uint32_t first);
  void map_by_position();
  Result<AigLit> model_literal(std::string_view name) const;

  Holds reset();
  Holds transition();
  Holds property(std::size_t index);
  Status report(Holds holds, const std::string& check) const;

  std::vector<AigLit> fresh_leaves(const Aig& aig);
  /// Leaves of W at a step whose leaves of M are given: shared ones are those of M.
  std::vector<AigLit> witness_leaves(std::span<const AigLit> model_leaves);
  Step step(const Aig& aig, std::span<const AigLit> leaves) {
    return {circuit_, aig, leaves, Cone(aig.num_vars(), true)};
  }
  static std::vector<AigLit> constraints(const Aig& aig, const Step& at) {
    std::vector<AigLit> lits;
    for (AigLit lit : aig.constraints()) lits.push_back(at[lit]);
    return lits;
  }
  Holds implies(std::span<const AigLit> facts, std::span<const AigLit> conclusions) const;

  Error bad_input(const std::string& message) const {
    return {{witness_.source.file, 0, 0}, message, ErrorKind::BadInput};
  }

  const Problem& model_;
  const Problem& witness_;
  const EvidenceTask& task_;
  std::stop_token stop_;
  std::optional<std::size_t> property_;  // that the comments name
  std::uint32_t k_ = 1;
  SimplePath simple_path_ = SimplePath::No;
  std::unordered_map<std::uint32_t, std::uint32_t> model_leaf_;  // by the variable in the file
  std::vector<SharedSignal> shared_;
  Circuit circuit_;
};

/// `good` as clauses, as far as its top gates go: the invariant as it was before it became a
/// circuit. Induction proves them one after another, which is much easier than all at once.
class Clauses {
 public:
  explicit Clauses(const Aig& aig) : aig_(aig), seen_(aig.num_vars(), false) {}

  std::vector<SignalClause> of(AigLit good) {
    std::vector<SignalClause> result;
    std::vector<AigLit> todo{good};
    while (!todo.empty()) {
      AigLit lit = todo.back();
      todo.pop_back();
      bool conjunction = aig_.is_and(lit.var()) && !lit.negative();
      if (conjunction && seen_[lit.var()]) continue;
      if (!conjunction) {
        result.push_back(disjunction(lit));
        continue;
      }
      seen_[lit.var()] = true;
      todo.push_back(aig_.gate_of(lit.var()).right);
      todo.push_back(aig_.gate_of(lit.var()).left);
    }
    return result;
  }

 private:
  SignalClause disjunction(AigLit lit) const {
    constexpr std::size_t kMaxExpansions = 100;  // shared gates could make a clause explode
    SignalClause clause;
    std::vector<AigLit> todo{lit};
    for (std::size_t expanded = 0; !todo.empty();) {
      AigLit each = todo.back();
      todo.pop_back();
      if (!aig_.is_and(each.var()) || !each.negative() || ++expanded > kMaxExpansions) {
        clause.push_back(each);
        continue;
      }
      todo.push_back(!aig_.gate_of(each.var()).left);
      todo.push_back(!aig_.gate_of(each.var()).right);
    }
    return clause;
  }

  const Aig& aig_;
  std::vector<bool> seen_;
};

bool is_symbol(std::string_view word) {
  return word.size() > 1 && (word[0] == 'b' || word[0] == 'o') &&
         word.find_first_not_of("0123456789", 1) == word.npos;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

/// `lemmata k-inductive k=<k> simple-path`: W's own property is k-inductive over simple paths.
std::optional<std::uint32_t> simple_path_depth(std::string_view line) {
  constexpr std::string_view kPrefix = "lemmata k-inductive k=";
  if (!line.starts_with(kPrefix)) return std::nullopt;
  std::string_view rest = line.substr(kPrefix.size());
  std::uint32_t k = 0;
  auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), k);
  bool whole = std::string_view(end, rest.data() + rest.size()) == " simple-path";
  return failed == std::errc{} && whole ? k : 0;
}

Status CertificateCheck::read_comments() {
  constexpr std::string_view kWitness = "WITNESS ";
  for (const std::string& line : witness_.source.comments) {
    if (line.starts_with("MAPPING"))
      return bad_input("unsupported: a MAPPING comment; map inputs and latches by symbol names");
    if (auto k = simple_path_depth(line)) {
      if (*k == 0) return bad_input("malformed comment '" + line + "'");
      if (simple_path_ == SimplePath::Yes) return bad_input("a second comment '" + line + "'");
      const Aig& w = witness_.aig();
      if (auto why = implausible(*k, SimplePath::Yes, w.num_vars(), w.num_latches()))
        return bad_input("unsupported: " + *why);
      k_ = *k;
      simple_path_ = SimplePath::Yes;
    }
    if (!line.starts_with(kWitness)) continue;
    std::string_view symbol = first_word(std::string_view(line).substr(kWitness.size()));
    if (!is_symbol(symbol)) continue;
    if (property_) return bad_input("a second comment '" + line + "'");
    for (std::size_t i = 0; i < model_.properties.size() && !property_; ++i) {
      const std::string& known = model_.properties[i].symbol;
      if (symbol == (known.empty() ? "b" + std::to_string(i) : known)) property_ = i;
    }
    if (!property_)
      return bad_input("the certificate is for property " + std::string(symbol) +
                       ", which the model does not have");
  }
  return Ok{};
}

Result<AigLit> CertificateCheck::model_literal(std::string_view name) const {
  std::size_t at = std::min(name.find_first_not_of(" \t", 1), name.size());
  std::uint32_t code = 0;
  auto [end, failed] = std::from_chars(name.data() + at, name.data() + name.size(), code);
  if (failed != std::errc{})
    return bad_input("symbol '" + std::string(name) + "' does not name a literal of the model");
  auto leaf = model_leaf_.find(code / 2);
  if (leaf == model_leaf_.end())
    return bad_input("symbol '" + std::string(name) + "': the model has no input or latch " +
                     std::to_string(code));
  return AigLit(leaf->second, code % 2 != 0);
}

Status CertificateCheck::map_names(std::span<const std::string> names, std::uint32_t first) {
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (!names[i].starts_with('=')) continue;
    auto lit = model_literal(names[i]);
    if (!lit) return lit.error();
    shared_.push_back({first + i, *lit});
  }
  return Ok{};
}

void CertificateCheck::map_by_position() {
  const Aig& m = model_.aig();
  const Aig& w = witness_.aig();
  for (std::uint32_t i = 0; i < std::min(m.num_inputs(), w.num_inputs()); ++i)
    shared_.push_back({w.input(i).var(), m.input(i)});
  for (std::uint32_t i = 0; i < std::min(m.num_latches(), w.num_latches()); ++i)
    shared_.push_back({w.latch(i).var(), m.latch(i)});
}

Status CertificateCheck::read_mapping() {
  const std::vector<std::uint32_t>& file_var = model_.source.file_var;
  for (std::uint32_t var = 1; var < model_.aig().first_and(); ++var)
    model_leaf_.emplace(file_var.empty() ? var : file_var[var], var);
  const Aig& w = witness_.aig();
  LEM_TRY(map_names(witness_.source.input_names, w.first_input()));
  LEM_TRY(map_names(witness_.source.latch_names, w.first_latch()));
  if (shared_.empty()) map_by_position();
  return Ok{};
}

std::vector<AigLit> CertificateCheck::fresh_leaves(const Aig& aig) {
  std::vector<AigLit> leaves;
  for (std::uint32_t var = 1; var < aig.first_and(); ++var) leaves.push_back(circuit_.fresh());
  return leaves;
}

std::vector<AigLit> CertificateCheck::witness_leaves(std::span<const AigLit> model_leaves) {
  std::vector<AigLit> leaves = fresh_leaves(witness_.aig());
  for (const SharedSignal& shared : shared_)
    leaves[shared.witness_var - 1] =
        model_leaves[shared.model_lit.var() - 1] ^ shared.model_lit.negative();
  return leaves;
}

Holds CertificateCheck::implies(std::span<const AigLit> facts,
                                std::span<const AigLit> conclusions) const {
  Refutation refutation(circuit_, stop_);
  for (AigLit fact : facts) refutation.require(fact);
  std::vector<SignalClause> wanted;
  for (AigLit conclusion : conclusions) wanted.push_back({conclusion});
  refutation.ask_for_violation(wanted);
  switch (refutation.solve()) {
    case sat::SatResult::Unsat:
      return Holds::Yes;
    case sat::SatResult::Sat:
      return Holds::No;
    case sat::SatResult::Stopped:
      return Holds::Stopped;
  }
  unreachable();
}

Holds CertificateCheck::reset() {
  const Aig& m = model_.aig();
  const Aig& w = witness_.aig();
  std::vector<AigLit> leaves = fresh_leaves(m);
  for (const SharedSignal& shared : shared_) {
    std::uint32_t var = shared.model_lit.var();
    if (!m.is_latch(var) || m.latch_of(var).reset == Reset::Free) continue;
    leaves[var - 1] = kAigFalse ^ (m.latch_of(var).reset == Reset::One);
  }
  std::vector<AigLit> mapped = witness_leaves(leaves);
  std::vector<AigLit> conclusions = constraints(w, step(w, mapped));
  for (const SharedSignal& shared : shared_) {
    if (!w.is_latch(shared.witness_var)) continue;
    Reset reset = w.latch_of(shared.witness_var).reset;
    if (reset != Reset::Free)
      conclusions.push_back(mapped[shared.witness_var - 1] ^ (reset == Reset::Zero));
  }
  return implies(constraints(m, step(m, leaves)), conclusions);
}

Holds CertificateCheck::transition() {
  const Aig& m = model_.aig();
  const Aig& w = witness_.aig();
  std::vector<AigLit> leaves = fresh_leaves(m);
  std::vector<AigLit> mapped = witness_leaves(leaves);
  Step model_now = step(m, leaves);
  Step witness_now = step(w, mapped);
  std::vector<AigLit> next_leaves = fresh_leaves(m);
  for (const SharedSignal& shared : shared_) {
    std::uint32_t var = shared.model_lit.var();
    if (m.is_latch(var)) next_leaves[var - 1] = model_now[m.latch_of(var).next];
  }
  std::vector<AigLit> next_mapped = witness_leaves(next_leaves);
  std::vector<AigLit> facts = constraints(m, model_now);
  for (AigLit lit : constraints(m, step(m, next_leaves))) facts.push_back(lit);
  for (AigLit lit : constraints(w, witness_now)) facts.push_back(lit);
  std::vector<AigLit> conclusions = constraints(w, step(w, next_mapped));
  for (const SharedSignal& shared : shared_) {
    if (!w.is_latch(shared.witness_var)) continue;
    AigLit next = witness_now[w.latch_of(shared.witness_var).next];
    conclusions.push_back(!circuit_.differ(next, next_mapped[shared.witness_var - 1]));
  }
  return implies(facts, conclusions);
}

Holds CertificateCheck::property(std::size_t index) {
  std::vector<AigLit> leaves = fresh_leaves(model_.aig());
  Step model_now = step(model_.aig(), leaves);
  Step witness_now = step(witness_.aig(), witness_leaves(leaves));
  std::vector<AigLit> facts = constraints(model_.aig(), model_now);
  for (AigLit lit : constraints(witness_.aig(), witness_now)) facts.push_back(lit);
  facts.push_back(!witness_now[witness_.properties.front().bad()]);
  AigLit good = !model_now[model_.properties[index].bad()];
  return implies(facts, {&good, 1});
}

Status CertificateCheck::report(Holds holds, const std::string& check) const {
  const std::string& file = witness_.source.file;
  std::optional<std::size_t> about = property_ ? property_ : task_.property;
  if (!about && model_.properties.size() == 1) about = 0;
  std::string name = about ? " for property '" + model_.properties[*about].name + "'" : "";
  switch (holds) {
    case Holds::Yes:
      return Ok{};
    case Holds::No:
      return Error{{file, 0, 0},
                   "the certificate" + name + " is rejected: the " + check + " check fails",
                   ErrorKind::Internal};
    case Holds::Stopped:
      return Error{{file, 0, 0},
                   "stopped during the " + check +
                       " check: the certificate is neither accepted "
                       "nor rejected",
                   ErrorKind::Internal};
  }
  unreachable();
}

Result<Accepted> CertificateCheck::run() {
  if (model_.properties.empty() || witness_.properties.empty())
    return bad_input("model and certificate must have a property each");
  if (witness_.properties.size() > 1)
    return bad_input("a witness circuit has one bad state, this one has " +
                     std::to_string(witness_.properties.size()));
  LEM_TRY(read_comments());
  LEM_TRY(read_mapping());
  LEM_TRY(report(reset(), "Reset"));
  LEM_TRY(report(transition(), "Transition"));
  Result<Accepted> proved =
      judge_properties(model_, witness_.source.file, property_, task_,
                       [&](std::size_t index) { return report(property(index), "Property"); });
  if (!proved) return proved;
  AigLit bad = witness_.properties.front().bad();
  std::vector<SignalClause> clauses = Clauses(witness_.aig()).of(!bad);
  Finding finding = check_induction({witness_.aig(), bad, clauses, k_, simple_path_}, stop_);
  Status inductive = report(finding.holds, finding.failed == Obligation::Base ? "Base" : "Step");
  if (!inductive) return inductive.error();
  proved->contents = CircuitProof{std::move(clauses), k_, simple_path_, shared_};
  return proved;
}

}  // namespace

Result<Accepted> validate_certificate(const Problem& model, const Problem& witness_circuit,
                                      const EvidenceTask& task) {
  return CertificateCheck(model, witness_circuit, task).run();
}

}  // namespace lem::check
