// Evidence about Horn systems, as writer/horn.h writes it. Of a certificate the definitions of the
// predicates are read, of a derivation its steps; the clauses are those of the model.
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "check/files/claims.h"
#include "check/horn.h"
#include "check/validate.h"
#include "model/horn_names.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"

namespace lem::check {

namespace {

using smtlib::Document;
using smtlib::Sexpr;
using smtlib::TermParser;

Error rejected(const Problem& model, const std::string& path, const std::string& what,
               const std::string& why) {
  return {{path},
          what + " for property '" + model.property().name + "' is rejected: " + why,
          ErrorKind::Internal};
}

/// A definition with a quantifier is that of a predicate which is what its clauses say: it is taken
/// from the clauses, not from the file.
class InterpretationReader {
 public:
  InterpretationReader(const HornSystem& system, const Document& document)
      : system_(system), document_(document), parser_(*system.terms, document) {
    std::vector<std::string> names = predicate_names(system);
    for (PredicateId p = 0; p < names.size(); ++p) number_[names[p]] = p;
    claim_.of.resize(names.size());
    defined_.resize(names.size(), false);
    parser_.on_quantifier([this](TermParser::Quantifier, std::span<const Term>, Term) {
      quantified_ = true;
      return system_.terms->boolean(true);
    });
  }

  Result<Interpretation> run() {
    for (const Sexpr& command : document_.top()) {
      if (!command.is_call("define-fun")) continue;
      if (Status ok = define(command); !ok) return ok.error();
    }
    for (PredicateId p = 0; p < defined_.size(); ++p)
      if (!defined_[p])
        return Error{{document_.path(), 1, 1},
                     "no definition of '" + system_.predicates[p].name + "'"};
    return std::move(claim_);
  }

 private:
  Status define(const Sexpr& command) {
    if (command.size() != 5 || !command[1].is_symbol())
      return document_.error(command, "expected (define-fun symbol (params) Bool formula)");
    auto known = number_.find(std::string(command[1].text));
    if (known == number_.end())
      return document_.error(command[1],
                             "the model has no predicate " + smtlib::describe(command[1]));
    if (defined_[known->second])
      return document_.error(command[1],
                             "there is already a definition of " + smtlib::describe(command[1]));
    defined_[known->second] = true;
    auto vars = parser_.sorted_vars(command[2]);
    if (!vars) return vars.error();
    PredicateMeaning& meaning = claim_.of[known->second];
    std::size_t mark = parser_.mark();
    for (const auto& var : *vars) {
      meaning.params.push_back(system_.terms->fresh(var.name, var.sort));
      parser_.shadow(var.name, meaning.params.back());
    }
    quantified_ = false;
    Result<Term> body = parser_.term(command[4], system_.terms->bool_sort());
    parser_.restore(mark);
    if (!body) return body.error();
    if (!quantified_) meaning.formula = *body;
    // Later definitions may mention the predicate, below quantifiers alone.
    std::vector<Sort> sorts;
    for (const auto& var : *vars) sorts.push_back(var.sort);
    parser_.declare_function(command[1].text, std::move(sorts), [this](std::span<const Term>) {
      quantified_ = true;
      return system_.terms->boolean(true);
    });
    return Ok{};
  }

  const HornSystem& system_;
  const Document& document_;
  TermParser parser_;
  std::map<std::string, PredicateId> number_;
  Interpretation claim_;
  std::vector<bool> defined_;
  bool quantified_ = false;
};

class DerivationReader {
 public:
  DerivationReader(const HornSystem& system, const Document& document)
      : system_(system), document_(document), parser_(*system.terms, document) {}

  Result<Derivation> run() {
    for (const Sexpr& command : document_.top()) {
      if (command.is_call("derivation")) continue;
      if (Status ok = step(command); !ok) return ok.error();
    }
    return std::move(result_);
  }

 private:
  Result<std::size_t> number(const Sexpr& expr) const {
    std::size_t value = 0;
    const char* end = expr.text.data() + expr.text.size();
    auto [stop, ec] = std::from_chars(expr.text.data(), end, value);
    if (expr.kind != smtlib::Token::Numeral || ec != std::errc{} || stop != end || value == 0)
      return document_.error(expr, "expected a number from 1 on");
    return value - 1;
  }

  /// (step k fact (clause c) (values (x v) ...) (premises i ...))
  Status step(const Sexpr& command) {
    if (!command.is_call("step") || command.size() != 6 || !command[3].is_call("clause") ||
        command[3].size() != 2 || !command[4].is_call("values") || !command[5].is_call("premises"))
      return document_.error(
          command, "expected (step number fact (clause number) (values ...) (premises ...))");
    Result<std::size_t> clause = number(command[3][1]);
    if (!clause) return clause.error();
    if (*clause >= system_.clauses.size())
      return document_.error(command[3][1], "the model has no such clause");
    std::vector<Term> variables = variables_of(system_, system_.clauses[*clause]);
    if (command[4].size() != variables.size() + 1)
      return document_.error(command[4],
                             "the clause has " + std::to_string(variables.size()) + " variables");
    Derivation::Step made{*clause, {}, {}};
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Sexpr& pair = command[4][i + 1];
      if (pair.size() != 2) return document_.error(pair, "expected (variable value)");
      Result<Term> value = parser_.term(pair[1], system_.terms->sort(variables[i]));
      if (!value) return value.error();
      made.values.push_back(*value);
    }
    for (std::size_t i = 1; i < command[5].size(); ++i) {
      Result<std::size_t> premise = number(command[5][i]);
      if (!premise) return premise.error();
      made.premises.push_back(*premise);
    }
    result_.steps.push_back(std::move(made));
    return Ok{};
  }

  const HornSystem& system_;
  const Document& document_;
  TermParser parser_;
  Derivation result_;
};

}  // namespace

Result<Accepted> validate_horn_certificate(const Problem& model, const std::string& path,
                                           std::string_view text, const EvidenceTask& task) {
  auto document = smtlib::read_document(path, text);
  if (!document) return document.error();
  Result<Interpretation> claim = InterpretationReader(model.horn(), *document).run();
  if (!claim) return claim.error();
  if (auto why = misfit(model.horn(), *claim))
    return rejected(model, path, "the certificate", *why);
  TermFinding finding = check_interpretation(model.horn(), *claim, task.stop);
  switch (finding.holds) {
    case TermHolds::Yes:
      return Accepted{{0}, *std::move(claim), {}};
    case TermHolds::No:
      return rejected(model, path, "the certificate", finding.failed + " fails");
    case TermHolds::Undecided:
    case TermHolds::Stopped:
      break;
  }
  return Accepted{{}, {}, "it is not known whether " + finding.failed + " holds"};
}

Result<Accepted> validate_horn_witness(const Problem& model, const std::string& path,
                                       std::string_view text, const EvidenceTask& /*task*/) {
  auto document = smtlib::read_document(path, text);
  if (!document) return document.error();
  Result<Derivation> derivation = DerivationReader(model.horn(), *document).run();
  if (!derivation) return derivation.error();
  if (auto wrong = replay(model.horn(), *derivation))
    return rejected(model, path, "the derivation", *wrong);
  return Accepted{{0}, Run(*std::move(derivation)), {}};
}

}  // namespace lem::check
