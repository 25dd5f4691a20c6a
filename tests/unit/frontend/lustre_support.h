// Running small Lustre programs: the system that the front end makes, step by step.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "frontend/lustre/lustre.h"
#include "model/problem.h"
#include "term/traverse.h"

namespace lem::frontend {

/// Values as text: "true", "-3", "1/2"; bit-vectors in two's complement.
class LustreRun {
 public:
  using Values = std::map<std::string, std::string>;

  /// States without an initial value start with that of `arbitrary`, else with 0 or false.
  explicit LustreRun(const std::string& program, const Values& arbitrary = {})
      : problem_(lustre::read_lustre("test.lus", program)) {
    if (!problem_) {
      ADD_FAILURE() << problem_.error().text();
      return;
    }
    for (const StateVar& state : system().states()) {
      auto given = arbitrary.find(terms().name(state.current));
      if (given != arbitrary.end())
        now_[state.current] = parse(given->second, terms().sort(state.current));
      else if (state.init)
        now_[state.current] = evaluate(terms(), state.init, {});
      else
        now_[state.current] = terms().default_value(terms().sort(state.current));
    }
  }

  bool ok() const { return problem_.ok(); }
  const Problem& problem() const { return *problem_; }
  const TransitionSystem& system() const { return problem_->system(); }
  TermStore& terms() const { return system().terms(); }

  /// One step with these inputs; inputs that are not given are 0 or false.
  void step(const Values& inputs = {}) {
    if (!ok()) return;
    TermMap next;
    for (Term input : system().inputs()) {
      auto given = inputs.find(terms().name(input));
      Sort sort = terms().sort(input);
      now_[input] =
          given == inputs.end() ? terms().default_value(sort) : parse(given->second, sort);
    }
    seen_ = now_;
    for (const StateVar& state : system().states())
      next[state.current] = evaluate(terms(), state.update, now_);
    now_ = std::move(next);
  }

  /// The value of an observed variable at the last step.
  std::string value(const std::string& name) const {
    for (const auto& [observed, term] : problem_->source.observed)
      if (observed == name) return text(evaluate(terms(), term, seen_));
    return "no such variable";
  }
  bool violates(const std::string& property) const {
    for (const Property& p : problem_->properties)
      if (p.name == property) return text(evaluate(terms(), p.bad_term(), seen_)) == "true";
    ADD_FAILURE() << "no property " << property;
    return false;
  }
  bool constrained() const {
    return text(evaluate(terms(), system().constraint(), seen_)) == "true";
  }

  /// The values of one variable over several steps.
  std::vector<std::string> stream(const std::string& name, const std::vector<Values>& inputs) {
    std::vector<std::string> out;
    for (const Values& values : inputs) {
      step(values);
      if (ok()) out.push_back(value(name));
    }
    return out;
  }

 private:
  Term parse(const std::string& value, Sort sort) const {
    if (terms().kind(sort) == SortKind::Bool) return terms().boolean(value == "true");
    return terms().number(mpq_class(value), sort);
  }
  std::string text(Term value) const {
    switch (terms().kind(value)) {
      case SortKind::Bool:
        return terms().is_true(value) ? "true" : "false";
      case SortKind::BitVec:
        return terms().signed_value(value).get_str();
      default:
        return terms().number_value(value).get_str();
    }
  }

  Result<Problem> problem_;
  TermMap now_;
  TermMap seen_;
};

inline std::string lustre_error(const std::string& program) {
  auto problem = lustre::read_lustre("f.lus", program);
  return problem ? "no error" : problem.error().text();
}

inline std::vector<std::string> property_names(const std::string& program) {
  std::vector<std::string> out;
  auto problem = lustre::read_lustre("f.lus", program);
  if (!problem) return {problem.error().text()};
  for (const Property& property : problem->properties) out.push_back(property.name);
  return out;
}

using Strings = std::vector<std::string>;

}  // namespace lem::frontend
