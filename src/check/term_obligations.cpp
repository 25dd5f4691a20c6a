#include "check/term_obligations.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/step_names.h"

namespace lem::check {

namespace {

using smtlib::Sexpr;

/// One spelling for each expression; bars around symbols do not count.
std::string spelling(const Sexpr& expr) {
  if (!expr.is_list()) return std::string(expr.text);
  std::string text = "(";
  for (const Sexpr& item : expr) text += (text.size() > 1 ? " " : "") + spelling(item);
  return text + ")";
}

/// What is expected, in the words of the file.
class Obligations {
 public:
  Obligations(const TransitionSystem& system, const TermInvariant& claim)
      : system_(system), claim_(claim), naming_(step_names(system)) {
    for (const StateVar& state : system.states()) current_.push_back(state.current);
    step_ = current_;
    step_.insert(step_.end(), system.inputs().begin(), system.inputs().end());
  }

  /// Whether a constant of that name and sort belongs to some step.
  bool has(std::string_view name, const std::string& sort) const {
    std::size_t dot = name.find('.');
    if (!name.starts_with('s') || dot == std::string_view::npos) return false;
    std::uint32_t k = 0;
    auto [end, failed] = std::from_chars(name.data() + 1, name.data() + dot, k);
    if (failed != std::errc{} || end != name.data() + dot || k > claim_.k) return false;
    return std::any_of(step_.begin(), step_.end(), [&](Term variable) {
      return naming_.plain(variable) == name.substr(dot + 1) &&
             smtlib::sort_text(system_.terms(), system_.terms().sort(variable)) == sort;
    });
  }
  std::uint64_t count() const { return std::uint64_t{claim_.k} + 2; }
  /// One after the other, since all of them together are long.
  ///   require: called at most count() times
  std::string next() {
    std::uint32_t k = made_++;
    if (k < claim_.k) {
      base_ += (k == 0 ? " " + at("init", current_, 0) : "") + " " + at("constraint", step_, k);
      std::string out = obligation(base_, at("inv", step_, k));
      base_ += " " + at("inv", step_, k) + " " + moves(k);
      return out;
    }
    return k == claim_.k ? induction_step() : safety();
  }

 private:
  std::string constant(Term variable, std::uint32_t k) const {
    return "s" + std::to_string(k) + "." + naming_.plain(variable);
  }
  std::string at(const std::string& name, const std::vector<Term>& params, std::uint32_t k) const {
    if (params.empty()) return name;
    std::string text = "(" + name;
    for (Term param : params) text += " " + constant(param, k);
    return text + ")";
  }
  std::string moves(std::uint32_t k) const {
    if (step_.empty()) return "trans";
    std::string text = "(trans";
    for (Term param : step_) text += " " + constant(param, k);
    for (Term state : current_) text += " " + constant(state, k + 1);
    return text + ")";
  }
  std::string differ(std::uint32_t i, std::uint32_t j) const {
    std::string text = "(or false";
    for (Term state : current_)
      text += " (not (= " + constant(state, i) + " " + constant(state, j) + "))";
    return text + ")";
  }
  std::string induction_step() const {
    std::string premises;
    for (std::uint32_t k = 0; k < claim_.k; ++k)
      premises += " " + at("inv", step_, k) + " " + at("constraint", step_, k) + " " + moves(k);
    premises += " " + at("constraint", step_, claim_.k);
    if (claim_.simple_path == SimplePath::Yes)
      for (std::uint32_t i = 0; i <= claim_.k; ++i)
        for (std::uint32_t j = 0; j < i; ++j) premises += " " + differ(i, j);
    return obligation(premises, at("inv", step_, claim_.k));
  }
  std::string safety() const {
    return obligation(" " + at("inv", step_, 0) + " " + at("constraint", step_, 0),
                      at("property", step_, 0));
  }
  static std::string obligation(const std::string& premises, const std::string& conclusion) {
    return "(assert (not (=> (and true" + premises + ") " + conclusion + ")))";
  }

  const TransitionSystem& system_;
  const TermInvariant& claim_;
  smtlib::Naming naming_;
  std::vector<Term> current_;
  std::vector<Term> step_;
  std::string base_;  // what the base case assumes so far
  std::uint32_t made_ = 0;
};

}  // namespace

Status check_obligations_of_text(const TransitionSystem& system, const TermInvariant& claim,
                                 const smtlib::Document& document) {
  const std::vector<Sexpr>& commands = document.top();
  auto is = [&](std::size_t i, std::string_view text) {
    return i < commands.size() && spelling(commands[i]) == text;
  };
  Obligations wanted(system, claim);
  std::set<std::string_view> declared;
  std::uint64_t found = 0;
  const Sexpr* last = nullptr;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const Sexpr& command = commands[i];
    bool declares = command.is_call("declare-fun") || command.is_call("declare-const");
    bool asks = command.is_call("push") || command.is_call("pop") || command.is_call("assert") ||
                command.is_call("check-sat");
    if (!declares && !asks) continue;
    last = &command;
    if (declares) {
      bool constant = command.size() >= 3 && declared.insert(command[1].text).second &&
                      wanted.has(command[1].text, spelling(command[command.size() - 1]));
      if (constant) continue;
      return document.error(command, "this declares no state or input of a step");
    }
    bool good = found < wanted.count() && is(i, "(push 1)") && is(i + 1, wanted.next()) &&
                is(i + 2, "(check-sat)") && is(i + 3, "(pop 1)");
    if (!good)
      return document.error(i + 1 < commands.size() ? commands[i + 1] : command,
                            "this is not the obligation that belongs here");
    ++found;
    i += 3;
  }
  if (last != nullptr && found < wanted.count())
    return document.error(*last, "obligations are missing");
  return Ok{};
}

}  // namespace lem::check
