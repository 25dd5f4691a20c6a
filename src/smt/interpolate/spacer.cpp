// Spacer as interpolator [Gurfinkel, Komuravelli]: one relation for each cut of the path, one rule
// for each step. The transformations are off, since they would inline the relations away.
#include <z3++.h>

#include <algorithm>
#include <string>

#include "smt/interpolate/interpolator.h"
#include "smt/z3_terms.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

class HornPath {
 public:
  HornPath(TermStore& terms, const Path& path)
      : terms_(terms), path_(path), translate_(ctx_, terms), fixedpoint_(ctx_) {
    z3::params params(ctx_);
    params.set("engine", ctx_.str_symbol("spacer"));
    params.set("xform.slice", false);
    params.set("xform.inline_linear", false);
    params.set("xform.inline_eager", false);
    fixedpoint_.set(params);
    declare();
  }

  std::optional<Sequence> solve() {
    std::size_t k = path_.steps.size();
    add_rule(path_.first, {}, at(0, path_.current));
    for (std::size_t i = 0; i < k; ++i)
      add_rule(path_.steps[i], at(i, path_.current), at(i + 1, path_.next));
    z3::func_decl error = ctx_.function("error", 0, nullptr, ctx_.bool_sort());
    fixedpoint_.register_relation(error);
    add_rule(path_.last, at(k, path_.current), error());
    z3::expr goal = error();
    if (fixedpoint_.query(goal) != z3::unsat) return {};
    return read(fixedpoint_.get_answer());
  }

 private:
  void declare() {
    z3::sort_vector sorts(ctx_);
    for (Term variable : path_.current) sorts.push_back(translate_.to_z3(terms_.sort(variable)));
    for (std::size_t i = 0; i <= path_.steps.size(); ++i) {
      std::string name = "J" + std::to_string(i);
      cuts_.push_back(ctx_.function(name.c_str(), sorts, ctx_.bool_sort()));
      fixedpoint_.register_relation(cuts_.back());
    }
  }

  z3::expr at(std::size_t cut, std::span<const Term> variables) {
    z3::expr_vector args(ctx_);
    for (Term variable : variables) args.push_back(translate_.to_z3(variable));
    return cuts_[cut](args);
  }

  void add_rule(Term formula, std::optional<z3::expr> from, const z3::expr& head) {
    z3::expr body = translate_.to_z3(formula);
    if (from) body = *from && body;
    z3::expr_vector bound(ctx_);
    std::vector<Term> variables = variables_of(terms_, formula);
    auto bind = [&](std::span<const Term> more) {
      variables.insert(variables.end(), more.begin(), more.end());
    };
    bind(path_.current);
    bind(path_.next);
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    for (Term variable : variables) bound.push_back(translate_.to_z3(variable));
    z3::expr rule = z3::forall(bound, z3::implies(body, head));
    z3::symbol name = ctx_.str_symbol(("r" + std::to_string(rules_++)).c_str());
    fixedpoint_.add_rule(rule, name);
  }

  /// The answer is a conjunction of (forall (x) (= (J_i x) body)).
  std::optional<Sequence> read(const z3::expr& answer) {
    Sequence sequence(path_.steps.size() + 1, terms_.boolean(true));
    std::vector<z3::expr> parts{answer};
    while (!parts.empty()) {
      z3::expr part = parts.back();
      parts.pop_back();
      if (part.is_and()) {
        for (unsigned i = 0; i < part.num_args(); ++i) parts.push_back(part.arg(i));
        continue;
      }
      if (!read_definition(part.is_quantifier() ? part.body() : part, sequence)) return {};
    }
    return sequence;
  }

  bool read_definition(const z3::expr& definition, Sequence& sequence) {
    if (!definition.is_eq()) return true;
    z3::expr head = definition.arg(0);
    z3::expr body = definition.arg(1);
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      if (!z3::eq(head.decl(), cuts_[i])) continue;
      std::vector<Term> bound(path_.current.size());
      for (unsigned j = 0; j < head.num_args(); ++j) {
        if (!head.arg(j).is_var()) return false;
        bound[Z3_get_index_value(ctx_, head.arg(j))] = path_.current[j];
      }
      std::optional<Term> term = translate_.from_z3(body, bound);
      if (!term) return false;
      sequence[i] = *term;
    }
    return true;
  }

  TermStore& terms_;
  const Path& path_;
  z3::context ctx_;
  Z3Terms translate_;
  z3::fixedpoint fixedpoint_;
  std::vector<z3::func_decl> cuts_;
  int rules_ = 0;
};

class SpacerInterpolator final : public Interpolator {
 public:
  explicit SpacerInterpolator(TermStore& terms) : terms_(terms) {}
  std::string_view name() const override { return "spacer"; }
  std::optional<Sequence> interpolate(const Path& path) override {
    try {
      return HornPath(terms_, path).solve();
    } catch (const z3::exception&) {
      return {};
    }
  }

 private:
  TermStore& terms_;
};

}  // namespace

std::unique_ptr<Interpolator> make_spacer_interpolator(TermStore& terms) {
  return std::make_unique<SpacerInterpolator>(terms);
}

}  // namespace lem::smt
