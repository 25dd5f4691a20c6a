#include "frontend/vmt/vmt.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"
#include "term/traverse.h"

namespace lem::vmt {

namespace {

using smtlib::Document;
using smtlib::Sexpr;
using smtlib::Token;

/// `p` of a property that reads p => q or (or (not p) q); no term for other forms. Order relations
/// do not count as negated: x <= 3 and not (x > 3) are the same term.
Term premise_of(TermStore& terms, Term property) {
  Term inner = terms.atom_of(property);
  bool negative = inner != property;
  if (terms.op(inner) != (negative ? Op::And : Op::Or)) return {};
  auto is_order = [&](Term term) {
    return terms.op(term) != Op::Variable && terms.op(term) != Op::And &&
           terms.op(term) != Op::Or && terms.op(term) != Op::Eq;
  };
  std::vector<Term> premises;
  for (Term arg : terms.args(inner)) {
    Term atom = terms.atom_of(arg);
    bool negated = (atom != arg) != negative;
    if (negated && !is_order(atom)) premises.push_back(atom);
  }
  if (premises.empty() || premises.size() == terms.args(inner).size()) return {};
  return terms.make_and(premises);
}

class VmtReader {
 public:
  explicit VmtReader(const Document& document)
      : document_(document), terms_(std::make_shared<TermStore>()), parser_(*terms_, document) {
    parser_.on_annotation(
        [this](Term term, const Sexpr& annotated) { return annotations(term, annotated); });
  }

  Result<Problem> run(Remarks* remarks) {
    for (const Sexpr& command : document_.top()) {
      if (command.is_call("exit")) break;
      if (Status ok = this->command(command); !ok) return ok.error();
    }
    return finish(remarks);
  }

 private:
  /// A formula with the place that gave it its role.
  struct Placed {
    Term term;
    const Sexpr* at;
  };

  Status command(const Sexpr& command);
  Status declare(const Sexpr& command);
  Status annotations(Term term, const Sexpr& annotated);
  Status annotation(Term term, const Sexpr& key, const Sexpr* value);
  Status next_state(Term term, const Sexpr& key, const Sexpr* value);
  Status property(std::map<std::uint32_t, Placed>& into, Term term, const Sexpr& key,
                  const Sexpr* value);
  std::vector<Property> properties() const;
  Status role(std::vector<Placed>& role, Term term, const Sexpr& key, const Sexpr* value);

  Result<Problem> finish(Remarks* remarks);
  Status check_current(const Placed& formula, const char* what) const;
  std::vector<Term> inputs_of_init() const;
  Error error(const Sexpr& at, std::string message) const {
    return document_.error(at, std::move(message));
  }

  const Document& document_;
  std::shared_ptr<TermStore> terms_;
  smtlib::TermParser parser_;
  std::vector<Term> declared_;               // in order, also implicitly
  std::map<std::string, Term> implicit_;     // named as :next, not declared so far
  std::unordered_map<Term, Term> next_;      // of each state
  std::unordered_map<Term, Term> previous_;  // of each next copy
  std::vector<Placed> init_;
  std::vector<Placed> trans_;
  std::map<std::uint32_t, Placed> properties_;
  std::map<std::uint32_t, Placed> live_;  // from some step on each holds for ever
  std::vector<Placed> hints_;
};

Status VmtReader::command(const Sexpr& command) {
  if (!command.is_list() || command.size() == 0 || !command[0].is_symbol())
    return error(command, "expected a command, found " + smtlib::describe(command));
  if (smtlib::is_idle_command(command)) return Ok{};
  if (command.is_call("declare-fun") || command.is_call("declare-const")) return declare(command);
  if (command.is_call("define-fun") || command.is_call("define-const") ||
      command.is_call("define-sort"))
    return parser_.define(command, smtlib::ResultSort::Ignored);
  if (command.is_call("assert")) {
    if (command.size() != 2) return error(command, "expected (assert term)");
    auto formula = parser_.term(command[1], terms_->bool_sort());
    if (!formula) return formula.error();
    if (!terms_->is_true(*formula) && !command[1].is_call("!"))
      return error(command[1], "unsupported: an asserted formula without annotation");
    return Ok{};
  }
  return error(command, "unsupported: command '" + std::string(command[0].text) + "'");
}

Status VmtReader::declare(const Sexpr& command) {
  if (command.size() >= 3 && command[1].is_symbol()) {
    auto early = implicit_.find(std::string(command[1].text));
    if (early != implicit_.end()) {
      auto sort = parser_.sort(command[command.size() - 1]);
      if (!sort) return sort.error();
      if (*sort != terms_->sort(early->second))
        return error(command, "the sort differs from that of the current variable");
      implicit_.erase(early);
      return Ok{};
    }
  }
  auto variable = parser_.declare_constant(command);
  if (!variable) return variable.error();
  declared_.push_back(*variable);
  return Ok{};
}

/// Keywords, each with a value or (newer MathSAT) without.
Status VmtReader::annotations(Term term, const Sexpr& annotated) {
  for (std::size_t i = 2; i < annotated.size(); ++i) {
    const Sexpr& key = annotated[i];
    if (key.kind != Token::Keyword)
      return error(key, "expected an attribute, found " + smtlib::describe(key));
    bool has_value = i + 1 < annotated.size() && annotated[i + 1].kind != Token::Keyword;
    const Sexpr* value = has_value ? &annotated[++i] : nullptr;
    if (Status ok = annotation(term, key, value); !ok) return ok;
  }
  return Ok{};
}

Status VmtReader::annotation(Term term, const Sexpr& key, const Sexpr* value) {
  if (key.text == ":next") return next_state(term, key, value);
  if (key.text == ":init") return role(init_, term, key, value);
  if (key.text == ":trans") return role(trans_, term, key, value);
  if (key.text == ":predicate") return role(hints_, term, key, value);
  if (key.text == ":invar-property") return property(properties_, term, key, value);
  if (key.text == ":live-property") return property(live_, term, key, value);
  if (key.text == ":named") {
    if (value == nullptr || !value->is_symbol()) return error(key, ":named expects a symbol");
    parser_.bind(value->text, term);
  }
  return Ok{};
}

Status VmtReader::role(std::vector<Placed>& role, Term term, const Sexpr& key, const Sexpr* value) {
  if (value != nullptr && (!value->is_symbol() || value->is_symbol("false")))
    return error(*value,
                 std::string(key.text) + " expects true, found " + smtlib::describe(*value));
  if (terms_->kind(term) != SortKind::Bool)
    return error(key, std::string(key.text) + " is for formulas");
  role.push_back({term, &key});
  return Ok{};
}

Status VmtReader::property(std::map<std::uint32_t, Placed>& into, Term term, const Sexpr& key,
                           const Sexpr* value) {
  if (terms_->kind(term) != SortKind::Bool) return error(key, "a property is a formula");
  if (value == nullptr || value->kind != Token::Numeral || value->text.size() > 9)
    return error(key, std::string(key.text) + " expects its index");
  auto index = static_cast<std::uint32_t>(std::stoul(std::string(value->text)));
  if (!into.try_emplace(index, Placed{term, &key}).second)
    return error(*value,
                 "there is already an " + std::string(key.text) + " " + std::string(value->text));
  return Ok{};
}

/// The target may be undeclared: printers drop variables that no formula mentions.
Status VmtReader::next_state(Term term, const Sexpr& key, const Sexpr* value) {
  if (value == nullptr || !value->is_symbol()) return error(key, ":next expects a symbol");
  if (!terms_->is_variable(term)) return error(key, ":next is for declared constants");
  Term target = parser_.lookup(value->text);
  if (!target) {
    if (parser_.knows(value->text)) return error(*value, ":next expects a declared constant");
    target = terms_->variable(value->text, terms_->sort(term));
    parser_.bind(value->text, target);
    implicit_[std::string(value->text)] = target;
    declared_.push_back(target);
  }
  if (!terms_->is_variable(target)) return error(*value, ":next expects a declared constant");
  if (terms_->sort(target) != terms_->sort(term))
    return error(*value, "a variable and its next copy have one sort");
  auto known = next_.find(term);
  if (known != next_.end() && known->second == target) return Ok{};
  if (known != next_.end())
    return error(*value, "'" + terms_->name(term) + "' has already the next copy '" +
                             terms_->name(known->second) + "'");
  if (previous_.contains(target) || next_.contains(target) || previous_.contains(term) ||
      target == term)
    return error(*value, "'" + terms_->name(target) + "' is already part of a state variable");
  next_[term] = target;
  previous_[target] = term;
  return Ok{};
}

/// Next copies may occur in :trans only.
Status VmtReader::check_current(const Placed& formula, const char* what) const {
  for (Term variable : variables_of(*terms_, formula.term))
    if (previous_.contains(variable))
      return error(*formula.at,
                   std::string(what) + " mentions the next copy '" + terms_->name(variable) + "'");
  return Ok{};
}

/// Inputs that the initial condition mentions become states without update: their value at step 0
/// is then part of the initial state.
std::vector<Term> VmtReader::inputs_of_init() const {
  std::vector<Term> roots;
  for (const Placed& formula : init_) roots.push_back(formula.term);
  std::vector<Term> inputs;
  for (Term variable : variables_of(*terms_, roots))
    if (!next_.contains(variable)) inputs.push_back(variable);
  return inputs;
}

/// A live property p says F G p: no run has !p infinitely often.
std::vector<Property> VmtReader::properties() const {
  std::vector<Property> all;
  for (const auto& [index, formula] : properties_)
    all.push_back({"p" + std::to_string(index), terms_->make_not(formula.term),
                   std::to_string(index), Goal::Avoid, document_.pos(*formula.at)});
  for (const auto& [index, formula] : live_)
    all.push_back({(properties_.contains(index) ? "live" : "p") + std::to_string(index),
                   Justice<Term>{{terms_->make_not(formula.term)}, 1}, std::to_string(index),
                   Goal::Avoid, document_.pos(*formula.at)});
  return all;
}

Result<Problem> VmtReader::finish(Remarks* remarks) {
  SourcePos end{document_.path(), 0, 0};
  if (init_.empty()) return Error{end, "no :init annotation"};
  if (trans_.empty()) return Error{end, "no :trans annotation"};
  for (const Placed& formula : init_)
    if (Status ok = check_current(formula, ":init"); !ok) return ok.error();
  for (const auto& [index, formula] : properties_)
    if (Status ok = check_current(formula, ":invar-property"); !ok) return ok.error();
  for (const auto& [index, formula] : live_)
    if (Status ok = check_current(formula, ":live-property"); !ok) return ok.error();

  TransitionSystemBuilder builder(terms_);
  std::vector<Term> promoted = inputs_of_init();
  for (Term variable : declared_) {
    if (previous_.contains(variable)) continue;
    if (auto next = next_.find(variable); next != next_.end())
      builder.add_state(variable, next->second);
    else if (std::find(promoted.begin(), promoted.end(), variable) != promoted.end())
      builder.add_state(variable,
                        terms_->fresh(terms_->name(variable) + ".next", terms_->sort(variable)));
    else
      builder.add_input(variable);
  }
  for (const Placed& formula : init_) builder.add_init(formula.term);
  for (const Placed& formula : trans_) builder.add_trans(formula.term);
  auto system = std::move(builder).freeze();
  if (!system) return Error{end, system.error().message, system.error().kind};

  if (remarks != nullptr) {
    for (const auto& [index, formula] : properties_)
      remarks->premises.push_back(premise_of(*terms_, formula.term));
    remarks->premises.resize(properties_.size() + live_.size());
  }
  SourceMap source;
  source.file = document_.path();
  source.format = "vmt";
  auto is_state = [this](Term variable) { return next_.contains(variable); };
  for (const Placed& hint : hints_)
    if (std::ranges::all_of(variables_of(*terms_, hint.term), is_state))
      source.hints.push_back(hint.term);
  return Problem{std::move(*system), properties(), std::move(source)};
}

}  // namespace

Result<Problem> read_vmt(const std::string& path, std::string_view bytes, Remarks* remarks) {
  auto document = smtlib::read_document(path, bytes);
  if (!document) return document.error();
  return VmtReader(*document).run(remarks);
}

}  // namespace lem::vmt
