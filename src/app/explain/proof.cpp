#include "app/explain/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "check/c/readable.h"
#include "ctext/places.h"
#include "explain/proofs.h"
#include "model/st/loops.h"
#include "model/st/source.h"
#include "model/step_names.h"
#include "term/smtlib/printer.h"
#include "term/traverse.h"
#include "writer/c_expression.h"
#include "writer/infix.h"
#include "writer/run_report.h"
#include "writer/st_invariant.h"

namespace lem::app {

namespace {

void mark_needed(Explanation& out, const explain::Subset& subset) {
  out.minimal = subset.minimal;
  for (std::size_t i = 0; i < subset.needed.size(); ++i) {
    ExplainedItem& item = out.items[subset.needed[i]];
    item.needed = true;
    item.kept_by = subset.support[i];
  }
  for (std::size_t lemma : subset.safety) out.items[lemma].excludes_violation = true;
}

std::string induction_note(std::uint32_t k, SimplePath simple_path) {
  if (k == 1 && simple_path == SimplePath::No) return {};
  return fmt::format(
      "the proof is by {}-induction{}: the lemmas hold after {} steps in which they "
      "hold",
      k, simple_path == SimplePath::Yes ? " over different states" : "", k);
}

// Circuits ----------------------------------------------------------------------------------------

/// Literals of a witness circuit in the names of the model; gates as formulas over those.
class BitWords {
 public:
  BitWords(const Problem& model, const Problem& circuit,
           const std::vector<check::SharedSignal>& shared)
      : model_(model), circuit_(circuit) {
    for (const check::SharedSignal& one : shared) shared_[one.witness_var] = one.model_lit;
  }

  std::string clause(const SignalClause& clause) {
    std::string out;
    for (AigLit lit : clause) out += (out.empty() ? "" : " || ") + literal(lit, 3);
    return out.empty() ? "false" : out;
  }

 private:
  std::string literal(AigLit lit, std::uint32_t depth) {
    const Aig& aig = circuit_.aig();
    if (lit.var() == 0) return lit.negative() ? "true" : "false";
    if (auto at = shared_.find(lit.var()); at != shared_.end())
      return writer::literal_name(model_, at->second ^ lit.negative());
    if (!aig.is_and(lit.var()) || depth == 0) return writer::literal_name(circuit_, lit);
    const AndGate& gate = aig.gate_of(lit.var());
    std::string both =
        "(" + literal(gate.left, depth - 1) + " && " + literal(gate.right, depth - 1) + ")";
    return lit.negative() ? "!" + both : both;
  }

  const Problem& model_;
  const Problem& circuit_;
  std::unordered_map<std::uint32_t, AigLit> shared_;
};

Result<Explanation> explain_circuit(const Problem& model, const Problem& circuit,
                                    std::size_t property, const check::CircuitProof& found,
                                    const std::stop_token& stop) {
  explain::BitProof proof{circuit.aig(),     found.clauses, found.k,
                          found.simple_path, model.aig(),   model.properties[property].bad(),
                          found.shared};
  Result<explain::Subset> subset = explain::needed_lemmas(proof, stop);
  if (!subset) return subset.error();
  Explanation out;
  BitWords words(model, circuit, found.shared);
  for (const SignalClause& clause : found.clauses) out.items.push_back({{}, words.clause(clause)});
  mark_needed(out, *subset);
  out.note = induction_note(found.k, found.simple_path);
  return out;
}

// Transition systems ------------------------------------------------------------------------------

/// What a lemma says where control is at a predicate: locations are variables of the system, and
/// the guard gives them values.
Term at_predicate(TermStore& terms, Term lemma, const HornPredicate& predicate) {
  TermMap known;
  for (Term literal : conjuncts(terms, predicate.guard)) {
    bool negative = terms.op(literal) == Op::Not;
    Term atom = negative ? terms.arg(literal, 0) : literal;
    if (terms.op(atom) == Op::Variable) known[atom] = terms.boolean(!negative);
  }
  return known.empty() ? lemma : substitute(terms, lemma, known);
}

/// `loop(x, y): x <= y`, for every predicate about which the lemma says something.
std::string horn_text(TermStore& terms, Term lemma, const std::vector<HornPredicate>& predicates) {
  std::string out;
  for (const HornPredicate& one : predicates) {
    if (!one.guard) continue;
    Term here = at_predicate(terms, lemma, one);
    if (terms.is_true(here)) continue;
    std::string params;
    for (Term param : one.params) params += (params.empty() ? "" : ", ") + terms.name(param);
    out += (out.empty() ? "" : "; ") + one.name + "(" + params +
           "): " + writer::infix_text(terms, here);
  }
  return out.empty() ? writer::infix_text(terms, lemma) : out;
}

Result<Explanation> explain_system(const Problem& model, std::size_t property,
                                   const TermInvariant& claim, const std::stop_token& stop) {
  const TransitionSystem& system = model.system();
  TermStore& terms = system.terms();
  std::vector<Term> lemmas = explain::lemmas_of(terms, claim);
  Result<explain::Subset> subset =
      explain::needed_lemmas(system, model.properties[property].bad_term(), claim, lemmas, stop);
  if (!subset) return subset.error();
  Explanation out;
  smtlib::SymbolMap symbols = step_names(system).symbols();
  for (Term lemma : lemmas)
    out.items.push_back({{},
                         horn_text(terms, lemma, model.source.predicates),
                         smtlib::term_text(terms, lemma, symbols)});
  mark_needed(out, *subset);
  out.note = induction_note(claim.k, claim.simple_path);
  return out;
}

// Programs ----------------------------------------------------------------------------------------

/// Lemmas of a C program as expressions at the lines of their loops.
class CWords {
 public:
  static Result<std::unique_ptr<CWords>> read(const Problem& program) {
    Result<ctext::CText> text = ctext::CText::read(program.source.file);
    if (!text) return text.error();
    return std::unique_ptr<CWords>(new CWords(program, *std::move(text)));
  }

  ExplainedItem item(const explain::LocationLemma& lemma) const {
    TermStore& terms = program_.cfa().terms();
    std::optional<ctext::CPlace> place = places_.place(lemma.at);
    std::uint32_t line = place ? places_.position(place->token).row : program_.cfa()[lemma.at].line;
    std::string where = fmt::format("line {}", line);
    if (!place) return {where, writer::infix_text(terms, lemma.holds)};
    writer::CNames names = [&](Term term) -> std::optional<writer::CName> {
      const CVariable* one = places_.visible(term, places_.frame(lemma.at), *place);
      if (one == nullptr) return {};
      return writer::CName{one->name, one->bits, one->sign};
    };
    auto text = writer::c_expression(terms, check::readable(terms, lemma.holds, {}), names);
    return {where, text ? *text : writer::infix_text(terms, lemma.holds)};
  }

 private:
  CWords(const Problem& program, ctext::CText text)
      : program_(program),
        text_(std::move(text)),
        places_(program.cfa(), *program.source.c, *program.source.c->marks, text_) {}

  const Problem& program_;
  ctext::CText text_;
  ctext::CPlaces places_;
};

ExplainedItem st_item(const Problem& program, const explain::LocationLemma& lemma) {
  const StSource& source = *program.source.st;
  auto text = writer::st_expression({program.cfa(), program.source.st}, lemma.holds);
  std::string words = text ? *text : writer::infix_text(program.cfa().terms(), lemma.holds);
  if (lemma.at == source.head) return {"between cycles", words};
  return {fmt::format("line {}", program.cfa()[lemma.at].line), words};
}

Result<Explanation> explain_program(const Problem& program, const LocationInvariants& claim,
                                    const std::stop_token& stop) {
  Explanation out;
  if (!claim.rounds.empty()) {
    out.note = "the proof has no lemmas: all loops are unwound to their last round";
    return out;
  }
  std::vector<explain::LocationLemma> lemmas = explain::lemmas_of(program.cfa(), claim);
  Result<explain::Subset> subset = explain::needed_lemmas(program.cfa(), claim, lemmas, stop);
  if (!subset) return subset.error();
  if (program.source.st != nullptr) {
    for (const explain::LocationLemma& lemma : lemmas) out.items.push_back(st_item(program, lemma));
  } else {
    Result<std::unique_ptr<CWords>> words = CWords::read(program);
    if (!words) return words.error();
    for (const explain::LocationLemma& lemma : lemmas) out.items.push_back((*words)->item(lemma));
  }
  mark_needed(out, *subset);
  return out;
}

Result<Explanation> explained(const Judged& evidence, std::size_t property,
                              const check::CircuitProof& proof, const std::stop_token& stop) {
  return explain_circuit(evidence.model, *evidence.circuit, property, proof, stop);
}

Result<Explanation> explained(const Judged& evidence, std::size_t property,
                              const TermInvariant& proof, const std::stop_token& stop) {
  return explain_system(evidence.model, property, proof, stop);
}

Result<Explanation> explained(const Judged& evidence, std::size_t property,
                              const LocationInvariants& proof, const std::stop_token& stop) {
  return explain_program(focus(evidence.model, property), proof, stop);
}

Result<Explanation> explained(const Judged& evidence, std::size_t /*property*/,
                              const Interpretation& /*proof*/, const std::stop_token& /*stop*/) {
  return Error{{evidence.model.source.file},
               "unsupported: which lemmas about predicates are needed",
               ErrorKind::Usage};
}

Result<Explanation> explained(const Judged& /*evidence*/, std::size_t /*property*/,
                              const Run& /*run*/, const std::stop_token& /*stop*/) {
  return Error{{}, "no proof", ErrorKind::Internal};
}

Result<Explanation> explained(const Judged& /*evidence*/, std::size_t /*property*/,
                              std::monostate /*nothing*/, const std::stop_token& /*stop*/) {
  return Error{{}, "no proof", ErrorKind::Internal};
}

}  // namespace

Result<Explanation> explain_proof(const Judged& evidence, const std::stop_token& stop) {
  const check::Contents& contents = evidence.accepted.contents;
  std::size_t property = evidence.accepted.properties.front();
  Result<Explanation> out = std::visit(
      [&](const auto& proof) { return explained(evidence, property, proof, stop); }, contents);
  if (!out) return out;
  out->property = evidence.model.properties[property].name;
  if (out->note.empty() && std::none_of(out->items.begin(), out->items.end(),
                                        [](const ExplainedItem& item) { return item.needed; }))
    out->note = "the steps of the model alone exclude the violation";
  return out;
}

}  // namespace lem::app
