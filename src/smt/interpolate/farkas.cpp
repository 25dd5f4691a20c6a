// Interpolation of linear arithmetic by Farkas' lemma [McMillan05]. The path is unrolled and its
// atoms made Boolean; every Boolean model is refuted by a core of linear literals, whose Farkas
// coefficients a second solver finds. The weighted sum of the literals up to a cut mentions the
// cut's variables alone: it is the interpolant of the conflict there. An interpolant of the path is
// a combination of those sums, so their conjunction at each cut has all the atoms needed; how they
// combine is left to the caller's abstraction. The results are candidates, not interpolants.
//
// Rational reasoning: a path that is infeasible only over the integers is left to other sources.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <map>

#include "smt/interpolate/interpolator.h"
#include "smt/smt_solver.h"
#include "term/implicant.h"
#include "term/rewrite.h"
#include "term/traverse.h"

namespace lem::smt {

namespace {

/// sum of factor * variable, compared with 0 from below: sum + constant (=, <=, <) 0.
struct Row {
  enum class Kind : std::uint8_t { Equal, AtMost, Less };
  Kind kind;
  std::map<Term, mpq_class> factors;
  mpq_class constant;
  std::size_t part;  // of the path: 0 first, i step i - 1, k + 1 last
};

class FarkasPath {
 public:
  FarkasPath(TermStore& terms, const Path& path, const std::stop_token& stop,
             std::uint32_t milliseconds)
      : terms_(terms),
        path_(path),
        stop_(stop),
        skeleton_(make_z3(terms, Workload::Single, stop)),
        theory_(make_z3(terms, Workload::Stream, stop)),
        weights_(make_z3(terms, Workload::Stream, stop)),
        found_(path.steps.size() + 1),
        most_conflicts_(milliseconds / 8),
        deadline_(std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds)) {}

  std::optional<Sequence> solve() {
    unroll();
    for (std::size_t round = 0; round < most_conflicts_ && !stop_.stop_requested(); ++round) {
      if (std::chrono::steady_clock::now() > deadline_) return {};
      switch (skeleton_->solve()) {
        case Answer::Unsat:
          return sequence();
        case Answer::Unknown:
          return {};
        case Answer::Sat:
          if (!refute_model()) return {};
      }
    }
    return {};
  }

 private:
  // Unrolling -----------------------------------------------------------------------------------
  void unroll() {
    std::size_t k = path_.steps.size();
    for (std::size_t cut = 0; cut <= k; ++cut) {
      std::vector<Term>& copies = cuts_.emplace_back();
      for (std::size_t i = 0; i < path_.current.size(); ++i) {
        copies.push_back(terms_.fresh("cut", terms_.sort(path_.current[i])));
        origin_[copies.back()] = {cut, path_.current[i]};
      }
    }
    assert_part(0, path_.first);
    for (std::size_t i = 0; i < k; ++i) assert_part(i + 1, path_.steps[i]);
    assert_part(k + 1, path_.last);
  }

  void assert_part(std::size_t part, Term formula) {
    TermMap map;
    std::size_t before = part == 0 ? 0 : part - 1;
    for (std::size_t i = 0; i < path_.current.size(); ++i) {
      map[path_.current[i]] = cuts_[before][i];
      if (part > 0 && part < cuts_.size()) map[path_.next[i]] = cuts_[part][i];
    }
    for (Term variable : variables_of(terms_, formula))
      if (!map.contains(variable)) map[variable] = terms_.fresh("local", terms_.sort(variable));
    part_ = part;
    purify(substitute(terms_, formula, map));
  }

  /// Names the choices inside terms: v = ite(c, a, b) becomes (c => v = a) & (!c => v = b).
  void purify(Term formula) {
    std::vector<Term> pending{formula};
    while (!pending.empty()) {
      Term next = pending.back();
      pending.pop_back();
      TermMap names;
      Term inner;
      for_each_subterm(terms_, std::span(&next, 1), [&](Term term) {
        bool choice = terms_.op(term) == Op::Ite && terms_.is_numeric(terms_.sort(term));
        if (choice && !inner) inner = term;  // arguments come first: an innermost one
      });
      if (!inner) {
        assert_skeleton(next);
        continue;
      }
      auto [at, added] = choices_.try_emplace(inner);
      if (added) {
        at->second = terms_.fresh("choice", terms_.sort(inner));
        Term c = terms_.arg(inner, 0);
        Term is_a = terms_.make_eq(at->second, terms_.arg(inner, 1));
        Term is_b = terms_.make_eq(at->second, terms_.arg(inner, 2));
        pending.push_back(terms_.make_implies(c, is_a));
        pending.push_back(terms_.make_or(c, is_b));
      }
      names[inner] = at->second;
      pending.push_back(substitute(terms_, next, names));
    }
  }

  void assert_skeleton(Term formula) {
    TermMap labels;
    for (Term atom : atoms_of(terms_, formula)) {
      bool arithmetic = !terms_.is_variable(atom);
      if (arithmetic) labels[atom] = label_of(atom);
    }
    formula_.push_back(substitute(terms_, formula, labels));
    skeleton_->add(formula_.back());
    for (Term variable : variables_of(terms_, formula))
      if (terms_.kind(variable) == SortKind::Bool) flags_.try_emplace(variable, part_);
  }

  Term label_of(Term atom) {
    auto [at, added] = labels_.try_emplace(atom);
    if (!added) return at->second;
    Term label = terms_.fresh("atom", terms_.bool_sort());
    at->second = label;
    atom_of_label_[label] = atoms_.size();
    atoms_.push_back({atom, label, part_});
    if (terms_.op(atom) == Op::Eq && terms_.is_numeric(terms_.sort(terms_.arg(atom, 0)))) {
      // What is not equal is less or greater.
      Term less = terms_.make_lt(terms_.arg(atom, 0), terms_.arg(atom, 1));
      Term more = terms_.make_gt(terms_.arg(atom, 0), terms_.arg(atom, 1));
      auto literal = [&](Term term) {
        Term inner = label_of(terms_.atom_of(term));
        return terms_.op(term) == Op::Not ? terms_.make_not(inner) : inner;
      };
      Term below = literal(less);
      Term above = literal(more);
      skeleton_->add(terms_.make_or(label, terms_.make_or(below, above)));
      for (Term side : {below, above})
        skeleton_->add(terms_.make_or(terms_.make_not(label), terms_.make_not(side)));
      sides_[label] = {below, above};
    }
    return label;
  }

  // Conflicts -----------------------------------------------------------------------------------
  /// Finds linear literals of the Boolean model that contradict each other and excludes them.
  bool refute_model() {
    std::vector<Term> literals;
    std::map<Term, std::size_t> index;
    for (Term needed : needed_labels()) {
      bool negated = terms_.op(needed) == Op::Not;
      std::size_t i = atom_of_label_.at(terms_.atom_of(needed));
      Term literal = negated ? terms_.make_not(atoms_[i].formula) : atoms_[i].formula;
      literals.push_back(literal);
      index[literal] = i;
    }
    if (theory_->solve(literals) != Answer::Unsat) return false;
    std::vector<Term> core = theory_->core();
    std::vector<Term> clause;
    std::vector<Row> rows;
    for (Term literal : core) {
      const Atom& atom = atoms_[index[literal]];
      bool negated = literal != atom.formula;
      used_.push_back(atom.formula);
      clause.push_back(negated ? atom.label : terms_.make_not(atom.label));
      std::optional<Row> row = row_of(atom, negated);
      if (!row) return false;
      rows.push_back(std::move(*row));
    }
    skeleton_->add(terms_.make_or(clause));
    return weigh(rows);
  }

  /// Labels whose values make the skeleton true; the others constrain nothing.
  std::vector<Term> needed_labels() {
    TermMap model;
    auto assign = [&](Term v) { model[v] = skeleton_->value(v); };
    for (const Atom& atom : atoms_) assign(atom.label);
    for (const auto& [flag, part] : flags_) assign(flag);
    auto holds = [&](Term literal) {
      return terms_.is_true(model[terms_.atom_of(literal)]) == (terms_.op(literal) != Op::Not);
    };
    std::vector<Term> needed;
    auto literals = implicant(terms_, terms_.make_and(formula_), model);
    assert(literals && "the skeleton has this model");
    for (Term literal : *literals) {
      if (!atom_of_label_.contains(terms_.atom_of(literal))) continue;  // a flag
      auto sides = sides_.find(terms_.atom_of(literal));
      bool unequal = terms_.op(literal) == Op::Not && sides != sides_.end();
      if (unequal)
        literal = holds(sides->second.first) ? sides->second.first : sides->second.second;
      needed.push_back(literal);
    }
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    return needed;
  }

  struct Atom {
    Term formula;
    Term label;
    std::size_t part;
  };

  std::optional<Row> row_of(const Atom& atom, bool negated) {
    Op op = terms_.op(atom.formula);
    if (op != Op::Le && op != Op::Lt && op != Op::Eq) return {};
    if (!terms_.is_numeric(terms_.sort(terms_.arg(atom.formula, 0)))) return {};
    Rewriter rewriter(terms_);
    Polynomial p = rewriter.polynomial(terms_.arg(atom.formula, 0));
    p.add(rewriter.polynomial(terms_.arg(atom.formula, 1)), -1);
    bool integers = terms_.kind(terms_.arg(atom.formula, 0)) == SortKind::Int;
    Row row{op == Op::Eq   ? Row::Kind::Equal
            : op == Op::Le ? Row::Kind::AtMost
                           : Row::Kind::Less,
            {},
            p.constant,
            atom.part};
    if (negated) {  // not (p <= 0): -p < 0, over Int -p + 1 <= 0
      p.scale(-1);
      row.constant = p.constant;
      bool weak = op == Op::Le;
      row.kind = weak ? Row::Kind::Less : Row::Kind::AtMost;
      if (weak && integers) {
        row.kind = Row::Kind::AtMost;
        row.constant += 1;
      }
    }
    for (const auto& [base, factor] : p.monomials) {
      Term key = terms_.op(base) == Op::ToReal ? terms_.arg(base, 0) : base;
      row.factors[key] += factor;
    }
    return row;
  }

  /// Farkas coefficients: a combination of the rows that reads 0 < 0. A minimal core leaves one
  /// choice up to scaling, which elimination finds; others need linear programming.
  bool weigh(const std::vector<Row>& rows) {
    std::vector<mpq_class> weights = only_combination(rows);
    if (!contradicts(rows, weights)) {
      for (mpq_class& weight : weights) weight = -weight;
      if (!contradicts(rows, weights)) weights = program(rows);
    }
    if (weights.empty()) return false;
    for (std::size_t cut = 0; cut < cuts_.size(); ++cut) add_sum(rows, weights, cut);
    return true;
  }

  static bool contradicts(const std::vector<Row>& rows, const std::vector<mpq_class>& weights) {
    if (weights.empty()) return false;
    mpq_class total = 0;
    bool strict = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].kind != Row::Kind::Equal && weights[i] < 0) return false;
      strict = strict || (rows[i].kind == Row::Kind::Less && weights[i] > 0);
      total += rows[i].constant * weights[i];
    }
    return total > 0 || (total == 0 && strict);
  }

  /// The weights that cancel all variables, if they are unique up to scaling: Gauss-Jordan over
  /// one equation a variable.
  static std::vector<mpq_class> only_combination(const std::vector<Row>& rows) {
    std::map<Term, std::vector<mpq_class>> equations;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto& [variable, factor] : rows[i].factors) {
        auto [at, added] = equations.try_emplace(variable);
        if (added) at->second.resize(rows.size());
        at->second[i] = factor;
      }
    std::vector<std::pair<std::size_t, std::vector<mpq_class>>> solved;  // pivot column, equation
    for (auto& [variable, equation] : equations) {
      auto eliminate = [&](std::vector<mpq_class>& from, const std::vector<mpq_class>& by,
                           std::size_t pivot) {
        if (from[pivot] == 0) return;
        mpq_class factor = from[pivot];
        for (std::size_t i = 0; i < from.size(); ++i)
          if (by[i] != 0) from[i] -= factor * by[i];
      };
      for (const auto& [pivot, other] : solved) eliminate(equation, other, pivot);
      auto first =
          std::find_if(equation.begin(), equation.end(), [](const auto& f) { return f != 0; });
      if (first == equation.end()) continue;
      std::size_t pivot = static_cast<std::size_t>(first - equation.begin());
      mpq_class scale = *first;
      for (mpq_class& factor : equation) factor /= scale;
      for (auto& [column, other] : solved) eliminate(other, equation, pivot);
      solved.emplace_back(pivot, std::move(equation));
    }
    if (solved.size() + 1 != rows.size()) return {};
    std::vector<mpq_class> weights(rows.size());
    std::vector<bool> bound(rows.size());
    for (const auto& [pivot, equation] : solved) bound[pivot] = true;
    auto open =
        static_cast<std::size_t>(std::find(bound.begin(), bound.end(), false) - bound.begin());
    weights[open] = 1;
    for (const auto& [pivot, equation] : solved) weights[pivot] = -equation[open];
    return weights;
  }

  std::vector<mpq_class> program(const std::vector<Row>& rows) {
    Scope scope(*weights_);
    Sort real = terms_.real_sort();
    std::vector<Term> unknowns;
    std::map<Term, Term> columns;
    Term total = terms_.real(0);
    Term strict = terms_.real(0);
    auto scaled = [&](const mpq_class& factor, Term unknown) {
      return terms_.make_mul(terms_.real(factor), unknown);
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Term unknown = terms_.variable("farkas:" + std::to_string(i), real);
      unknowns.push_back(unknown);
      const Row& row = rows[i];
      if (row.kind != Row::Kind::Equal) weights_->add(terms_.make_ge(unknown, terms_.real(0)));
      if (row.kind == Row::Kind::Less) strict = terms_.make_add(strict, unknown);
      total = terms_.make_add(total, scaled(row.constant, unknown));
      for (const auto& [variable, factor] : row.factors) {
        auto [at, added] = columns.try_emplace(variable, terms_.real(0));
        at->second = terms_.make_add(at->second, scaled(factor, unknown));
      }
    }
    for (const auto& [variable, column] : columns)
      weights_->add(terms_.make_eq(column, terms_.real(0)));
    Term zero = terms_.real(0);
    weights_->add(
        terms_.make_or(terms_.make_gt(total, zero),
                       terms_.make_and(terms_.make_ge(total, zero), terms_.make_gt(strict, zero))));
    if (weights_->solve() != Answer::Sat) return {};
    std::vector<mpq_class> weights;
    for (Term unknown : unknowns) weights.push_back(terms_.real_value(weights_->value(unknown)));
    return weights;
  }

  /// The weighted rows of the parts up to the cut, over the cut's variables.
  void add_sum(const std::vector<Row>& rows, const std::vector<mpq_class>& weights,
               std::size_t cut) {
    std::map<Term, mpq_class> sum;
    mpq_class constant = 0;
    bool strict = false;
    bool equal = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].part > cut || weights[i] == 0) continue;
      strict = strict || rows[i].kind == Row::Kind::Less;
      equal = equal && rows[i].kind == Row::Kind::Equal;
      constant += rows[i].constant * weights[i];
      for (const auto& [variable, factor] : rows[i].factors) sum[variable] += factor * weights[i];
    }
    std::erase_if(sum, [](const auto& entry) { return entry.second == 0; });
    if (sum.empty()) return;
    bool all_int = true;
    mpz_class denominators = constant.get_den();
    for (const auto& [variable, factor] : sum) {
      auto at = origin_.find(variable);
      if (at == origin_.end() || at->second.first != cut) return;
      all_int = all_int && terms_.kind(variable) == SortKind::Int;
      denominators = lcm(denominators, factor.get_den());
    }
    Sort sort = all_int ? terms_.int_sort() : terms_.real_sort();
    Term left = terms_.number(constant * denominators, sort);
    for (const auto& [variable, factor] : sum) {
      Term original = origin_[variable].second;
      if (!all_int) original = terms_.make_to_real(original);
      left = terms_.make_add(left,
                             terms_.make_mul(terms_.number(factor * denominators, sort), original));
    }
    Term zero = terms_.number(0, sort);
    found_[cut].push_back(strict ? terms_.make_lt(left, zero) : terms_.make_le(left, zero));
    // An equation is two bounds; both are added, since loops often preserve both.
    if (equal) found_[cut].push_back(terms_.make_ge(left, zero));
  }

  /// Bool variables of a cut are predicates themselves.
  Sequence sequence() {
    Sequence result;
    for (std::size_t cut = 0; cut < cuts_.size(); ++cut) {
      for (std::size_t i = 0; i < cuts_[cut].size(); ++i)
        if (flags_.contains(cuts_[cut][i])) found_[cut].push_back(path_.current[i]);
      for (Term atom : used_) add_if_at(cut, atom);
      for (Term& atom : found_[cut]) atom = terms_.atom_of(atom);  // signs might cancel out
      result.push_back(terms_.make_and(found_[cut]));
    }
    return result;
  }

  /// Atoms of conflicts that mention one cut alone.
  void add_if_at(std::size_t cut, Term atom) {
    TermMap back;
    for (Term variable : variables_of(terms_, atom)) {
      auto at = origin_.find(variable);
      if (at == origin_.end() || at->second.first != cut) return;
      back[variable] = at->second.second;
    }
    found_[cut].push_back(substitute(terms_, atom, back));
  }

  TermStore& terms_;
  const Path& path_;
  std::stop_token stop_;
  std::unique_ptr<SmtSolver> skeleton_;  // the path with arithmetic atoms as labels
  std::unique_ptr<SmtSolver> theory_;    // nothing asserted
  std::unique_ptr<SmtSolver> weights_;
  std::vector<std::vector<Term>> cuts_;                  // copies of X
  std::map<Term, std::pair<std::size_t, Term>> origin_;  // of a copy: its cut and X variable
  std::map<Term, Term> choices_;
  std::map<Term, Term> labels_;
  std::map<Term, std::size_t> flags_;
  std::map<Term, std::pair<Term, Term>> sides_;  // of the label of x = y: x < y and x > y
  std::vector<Term> formula_;                    // the path with labels
  std::vector<Atom> atoms_;
  std::map<Term, std::size_t> atom_of_label_;
  std::vector<Term> used_;  // atoms of conflicts
  std::size_t part_ = 0;
  std::vector<std::vector<Term>> found_;  // by cut
  std::size_t most_conflicts_;            // beyond, other sources are faster
  std::chrono::steady_clock::time_point deadline_;
};

class FarkasInterpolator final : public Interpolator {
 public:
  FarkasInterpolator(TermStore& terms, std::stop_token stop, std::uint32_t milliseconds)
      : terms_(terms), stop_(std::move(stop)), milliseconds_(milliseconds) {}
  std::string_view name() const override { return "farkas"; }
  std::optional<Sequence> interpolate(const Path& path) override {
    return FarkasPath(terms_, path, stop_, milliseconds_).solve();
  }

 private:
  TermStore& terms_;
  std::stop_token stop_;
  std::uint32_t milliseconds_;
};

}  // namespace

std::unique_ptr<Interpolator> make_farkas_interpolator(TermStore& terms, std::stop_token stop,
                                                       std::uint32_t milliseconds) {
  return std::make_unique<FarkasInterpolator>(terms, std::move(stop), milliseconds);
}

}  // namespace lem::smt
