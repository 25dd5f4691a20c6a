// SMT-LIB certificates: the invariant is read, everything else is rebuilt from the model, so that a
// file cannot weaken what is to be proved.
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "check/terms.h"
#include "check/validate.h"
#include "model/step_names.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"

namespace lem {

namespace {

using smtlib::Sexpr;
using smtlib::Token;

class CertificateReader {
 public:
  CertificateReader(const Problem& model, const smtlib::Document& document)
      : model_(model),
        system_(model.system()),
        document_(document),
        parser_(system_.terms(), document) {
    smtlib::Naming naming = step_names(system_);
    for (const StateVar& state : system_.states())
      names_[naming.plain(state.current)] = state.current;
    for (Term input : system_.inputs()) names_[naming.plain(input)] = input;
  }

  struct Certificate {
    std::size_t property = 0;
    TermInvariant claim{};
  };

  Result<Certificate> run() {
    for (const Sexpr& command : document_.top()) {
      Status status = Ok{};
      if (command.is_call("set-info")) status = info(command);
      // What follows the invariant (interpretations of predicates) is not needed.
      if (command.is_call("define-fun") && !certificate_.claim.invariant) status = define(command);
      if (!status) return status.error();
    }
    if (!certificate_.claim.invariant)
      return Error{{document_.path(), 0, 0}, "no definition of 'inv'"};
    return certificate_;
  }

 private:
  Status info(const Sexpr& command) {
    if (command.size() != 3) return Ok{};
    const Sexpr& value = command[2];
    if (command[1].text == ":lemmata-property") {
      for (std::size_t i = 0; i < model_.properties.size(); ++i) {
        certificate_.property = i;
        if (smtlib::symbol_text(model_.properties[i].name) == smtlib::symbol_text(value.text))
          return Ok{};
      }
      return document_.error(value, "the model has no property " + smtlib::describe(value));
    }
    if (command[1].text == ":lemmata-simple-path")
      certificate_.claim.simple_path = value.is_symbol("true") ? SimplePath::Yes : SimplePath::No;
    if (command[1].text == ":lemmata-k") {
      const char* end = value.text.data() + value.text.size();
      auto [stop, ec] = std::from_chars(value.text.data(), end, certificate_.claim.k);
      if (ec != std::errc{} || stop != end || certificate_.claim.k == 0)
        return document_.error(value, "k must be a positive number");
    }
    return Ok{};
  }
  Status define(const Sexpr& command) {
    if (command.size() != 5 || !command[1].is_symbol("inv")) return parser_.define(command);
    auto params = parser_.sorted_vars(command[2]);
    if (!params) return params.error();
    std::size_t mark = parser_.mark();
    for (const auto& param : *params) {
      auto variable = names_.find(std::string(param.name));
      if (variable == names_.end())
        return document_.error(*param.at,
                               "the model has no state or input '" + std::string(param.name) + "'");
      if (system_.terms().sort(variable->second) != param.sort)
        return document_.error(*param.at,
                               "'" + std::string(param.name) + "' has another sort in the model");
      parser_.shadow(param.name, variable->second);
    }
    auto body = parser_.term(command[4], system_.terms().bool_sort());
    parser_.restore(mark);
    if (!body) return body.error();
    certificate_.claim.invariant = *body;
    return Ok{};
  }

  const Problem& model_;
  const TransitionSystem& system_;
  const smtlib::Document& document_;
  smtlib::TermParser parser_;
  std::map<std::string, Term> names_;
  Certificate certificate_;
};

}  // namespace

Status validate_term_certificate(const Problem& model, const std::string& path,
                                 std::string_view text, std::stop_token stop) {
  auto document = smtlib::read_document(path, text);
  if (!document) return document.error();
  auto certificate = CertificateReader(model, *document).run();
  if (!certificate) return certificate.error();
  const Property& property = model.properties[certificate->property];
  check::TermFinding finding = check::check_induction(model.system(), property.bad_term(),
                                                      certificate->claim, std::move(stop));
  if (finding.holds == check::TermHolds::Yes) return Ok{};
  std::string why = finding.holds == check::TermHolds::No ? finding.failed + " fails"
                                                          : finding.failed + " was not decided";
  return Error{{path, 0, 0},
               "the certificate for property '" + property.name + "' is rejected: " + why,
               ErrorKind::Internal};
}

}  // namespace lem
