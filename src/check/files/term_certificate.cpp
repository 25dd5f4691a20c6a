// SMT-LIB certificates: the invariant is read, everything else is rebuilt from the model, so that a
// file cannot weaken the obligations. Definitions of the system and the property in the file must
// agree with the model.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "check/files/claims.h"
#include "check/question.h"
#include "check/term_obligations.h"
#include "check/terms.h"
#include "check/validate.h"
#include "model/step_names.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"

namespace lem::check {

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
    for (const StateVar& state : system_.states()) next_[naming.plain(state.next)] = state.next;
  }

  struct Certificate {
    std::optional<std::size_t> property{};
    TermInvariant claim{};
    /// The file's definitions of the system, by name: init, trans, constraint, property.
    std::map<std::string_view, Term> system{};
  };

  Result<Certificate> run() {
    for (const Sexpr& command : document_.top()) {
      Status status = known(command);
      if (status.ok() && command.is_call("set-info")) status = info(command);
      // What follows the invariant (interpretations of predicates) is not needed.
      bool defines = status.ok() && command.is_call("define-fun");
      if (defines && certificate_.claim.invariant && command.size() > 1 &&
          command[1].is_symbol("inv"))
        status = document_.error(command[1], "there is already a definition of 'inv'");
      if (defines && !certificate_.claim.invariant) status = define(command);
      if (!status) return status.error();
    }
    if (!certificate_.claim.invariant)
      return Error{{document_.path(), 1, 1}, "no definition of 'inv'"};
    return certificate_;
  }

 private:
  Status known(const Sexpr& command) const;
  Status info(const Sexpr& command);
  Status property(const Sexpr& name);
  Status define(const Sexpr& command);
  Result<Term> formula(const Sexpr& command, bool over_next);

  const Problem& model_;
  const TransitionSystem& system_;
  const smtlib::Document& document_;
  smtlib::TermParser parser_;
  std::map<std::string, Term> names_;
  std::map<std::string, Term> next_;
  std::set<std::string_view> told_;  // set-info of ours
  Certificate certificate_;
};

Status CertificateReader::known(const Sexpr& command) const {
  static constexpr std::array<std::string_view, 8> kCommands = {
      "define-fun", "declare-fun", "declare-const", "assert", "check-sat", "push", "pop", "exit"};
  bool ours = std::ranges::any_of(kCommands, [&](auto name) { return command.is_call(name); });
  if (ours || smtlib::is_idle_command(command)) return Ok{};
  return document_.error(command, "unexpected command " + smtlib::describe(command));
}

Status CertificateReader::property(const Sexpr& name) {
  for (std::size_t i = 0; i < model_.properties.size(); ++i) {
    if (smtlib::symbol_text(model_.properties[i].name) != smtlib::symbol_text(name.text)) continue;
    certificate_.property = i;
    return Ok{};
  }
  return document_.error(name, "the model has no property " + smtlib::describe(name));
}

Status CertificateReader::info(const Sexpr& command) {
  if (command.size() < 2 || !command[1].text.starts_with(":lemmata-")) return Ok{};
  std::string_view key = command[1].text;
  if (command.size() != 3) return document_.error(command, "expected one value");
  if (!told_.insert(key).second)
    return document_.error(command, "there is already a value of " + std::string(key));
  const Sexpr& value = command[2];
  if (key == ":lemmata-property") return property(value);
  if (key == ":lemmata-simple-path") {
    if (!value.is_symbol("true") && !value.is_symbol("false"))
      return document_.error(value, "expected true or false");
    certificate_.claim.simple_path = value.is_symbol("true") ? SimplePath::Yes : SimplePath::No;
    return Ok{};
  }
  if (key != ":lemmata-k") return document_.error(command[1], "unknown claim " + std::string(key));
  std::uint32_t& k = certificate_.claim.k;
  const char* end = value.text.data() + value.text.size();
  auto [stop, ec] = std::from_chars(value.text.data(), end, k);
  if (ec == std::errc::result_out_of_range)
    k = std::numeric_limits<std::uint32_t>::max();
  else if (ec != std::errc{} || stop != end || k == 0)
    return document_.error(value, "k must be a positive number");
  // Assumes simple paths here: the file may state that later.
  std::size_t states = system_.states().size();
  auto why = implausible(k, SimplePath::No, states + system_.inputs().size(), states);
  if (why) return document_.error(value, "unsupported: " + *why);
  return Ok{};
}

/// The body of a definition, over the model's own variables.
Result<Term> CertificateReader::formula(const Sexpr& command, bool over_next) {
  auto params = parser_.sorted_vars(command[2]);
  if (!params) return params.error();
  std::size_t mark = parser_.mark();
  for (const auto& param : *params) {
    std::string name(param.name);
    auto variable = names_.find(name);
    auto end = names_.end();
    if (variable == end && over_next) {
      variable = next_.find(name);
      end = next_.end();
    }
    if (variable == end)
      return document_.error(*param.at, "the model has no state or input '" + name + "'");
    if (system_.terms().sort(variable->second) != param.sort)
      return document_.error(*param.at, "'" + name + "' has another sort in the model");
    parser_.shadow(param.name, variable->second);
  }
  auto body = parser_.term(command[4], system_.terms().bool_sort());
  parser_.restore(mark);
  return body;
}

Status CertificateReader::define(const Sexpr& command) {
  if (command.size() != 5) return parser_.define(command);
  std::string_view name = command[1].text;
  static constexpr std::array<std::string_view, 4> kSystem = {"init", "trans", "constraint",
                                                              "property"};
  bool system = std::ranges::find(kSystem, name) != kSystem.end();
  if (!system && name != "inv") return parser_.define(command);
  auto body = formula(command, name == "trans");
  if (!body) return body.error();
  if (name == "inv") {
    certificate_.claim.invariant = *body;
    return Ok{};
  }
  if (!certificate_.system.emplace(name, *body).second)
    return document_.error(command[1],
                           "there is already a definition of '" + std::string(name) + "'");
  return parser_.define(command);
}

/// Whether the file is about this model and this property: "" if it is, else what differs.
std::string difference(const TransitionSystem& system, Term bad,
                       const std::map<std::string_view, Term>& told, const std::stop_token& stop) {
  TermStore& terms = system.terms();
  const std::map<std::string_view, Term> model = {{"init", system.init_formula()},
                                                  {"trans", system.trans_formula()},
                                                  {"constraint", system.constraint()},
                                                  {"property", terms.make_not(bad)}};
  for (const auto& [name, formula] : told) {
    Term differs = terms.make_not(terms.make_eq(formula, model.at(name)));
    if (terms.is_false(differs)) continue;
    if (Question(terms, stop).excludes(differs) != TermHolds::Yes)
      return "its '" + std::string(name) + "' is not that of the model";
  }
  return {};
}

}  // namespace

Result<Accepted> validate_term_certificate(const Problem& model, const std::string& path,
                                           std::string_view text, const EvidenceTask& task) {
  auto document = smtlib::read_document(path, text);
  if (!document) return document.error();
  auto certificate = CertificateReader(model, *document).run();
  if (!certificate) return certificate.error();
  const TransitionSystem& system = model.system();
  std::size_t states = system.states().size();
  const TermInvariant& claim = certificate->claim;
  if (auto why = implausible(claim.k, claim.simple_path, states + system.inputs().size(), states))
    return Error{{path, 1, 1}, "unsupported: " + *why};
  if (Status asked = check_obligations_of_text(system, claim, *document); !asked)
    return asked.error();
  Result<Accepted> accepted =
      judge_properties(model, path, certificate->property, task, [&](std::size_t index) -> Status {
        const Property& property = model.properties[index];
        std::string other = difference(system, property.bad_term(), certificate->system, task.stop);
        if (!other.empty())
          return Error{{path},
                       "the certificate for property '" + property.name + "' is rejected: " + other,
                       ErrorKind::Internal};
        return judge_certificate(model, index, path, claim, task.stop);
      });
  if (accepted) accepted->contents = claim;
  return accepted;
}

}  // namespace lem::check
