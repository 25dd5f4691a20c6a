#include "arith/interpolant.h"

#include <algorithm>
#include <cassert>

namespace lem::arith {

namespace {

/// First and last part that something occurs in.
struct Range {
  std::uint32_t first = UINT32_MAX;
  std::uint32_t last = 0;
  bool is_empty() const { return first == UINT32_MAX; }
  void add(std::uint32_t part) {
    first = std::min(first, part);
    last = std::max(last, part);
  }
};

enum class Label : std::uint8_t { A, B, Both };

class Interpolation {
 public:
  Interpolation(TermStore& terms, const Dpllt& solver, const Vocabulary& vocabulary,
                std::uint32_t cuts, System system)
      : terms_(terms),
        solver_(solver),
        proof_(solver.proof()),
        vocabulary_(vocabulary),
        cuts_(cuts),
        system_(system) {}

  std::vector<Term> run() {
    assert(proof_.refutation != Proof::kNone && "interpolants are those of a refutation");
    LEM_CHECKED(is_resolution_proof(proof_), "every chain must give its clause");
    find_ranges();
    mark_needed();
    partial_.resize(proof_.steps.size());
    for (ProofId id = 0; id <= proof_.refutation; ++id) {
      if (needed_[id] == 0) continue;
      for (std::uint32_t cut = 0; cut < cuts_; ++cut) partial_[id].push_back(partial(id, cut));
    }
    return partial_[proof_.refutation];
  }

 private:
  template <class Visit>
  void for_each_column(AtomIndex atom, Visit visit) const {
    const Column column = solver_.simplex().atom(atom).column;
    if (solver_.simplex().definition(column).empty()) visit(column);
    for (const Summand& summand : solver_.simplex().definition(column)) visit(summand.column);
  }

  /// Where literals occur. Atoms that branches made occur in no part: they go to the first one that
  /// has their column.
  void find_ranges() {
    ranges_.resize(solver_.num_vars());
    std::vector<Range> columns(solver_.simplex().columns());
    for (const ProofStep& step : proof_.steps) {
      if (step.kind != ProofStep::Kind::Input) continue;
      for (Lit lit : step.clause) {
        ranges_[lit.var()].add(step.part);
        const AtomIndex atom = solver_.atom_of(lit.var());
        if (atom != Dpllt::kNoAtom)
          for_each_column(atom, [&](Column column) { columns[column].add(step.part); });
      }
    }
    for (Var var = 0; var < ranges_.size(); ++var) {
      const AtomIndex atom = solver_.atom_of(var);
      if (!ranges_[var].is_empty() || atom == Dpllt::kNoAtom) continue;
      std::uint32_t part = 0;
      for_each_column(atom, [&](Column column) {
        if (!columns[column].is_empty()) part = std::max(part, columns[column].first);
      });
      ranges_[var].add(part);
    }
  }

  void mark_needed() {
    needed_.assign(proof_.steps.size(), 0);
    needed_[proof_.refutation] = 1;
    for (ProofId id = proof_.refutation + 1; id-- > 0;)
      if (needed_[id] != 0)
        for (ProofId premise : proof_.steps[id].premises) needed_[premise] = 1;
  }

  Label label(Lit lit, std::uint32_t cut) const {
    const Range& range = ranges_[lit.var()];
    if (range.last <= cut) return Label::A;
    if (range.first > cut) return Label::B;
    switch (system_) {
      case System::McMillan:
        return Label::B;
      case System::Pudlak:
        return Label::Both;
      case System::Dual:
        return Label::A;
    }
    unreachable();
  }

  Term partial(ProofId id, std::uint32_t cut) {
    const ProofStep& step = proof_.steps[id];
    switch (step.kind) {
      case ProofStep::Kind::Input:
        return of_input(step, cut);
      case ProofStep::Kind::Theory:
        return of_conflict(step, cut);
      case ProofStep::Kind::Chain:
        return of_chain(step, cut);
    }
    unreachable();
  }

  /// A clause of A gives its literals of B; one of B the negation of its literals of A.
  Term of_input(const ProofStep& step, std::uint32_t cut) {
    const bool in_a = step.part <= cut;
    std::vector<Term> parts;
    for (Lit lit : step.clause)
      if (label(lit, cut) == (in_a ? Label::B : Label::A))
        parts.push_back(in_a ? term_of(lit) : terms_.make_not(term_of(lit)));
    return in_a ? terms_.make_or(parts) : terms_.make_and(parts);
  }

  Term of_conflict(const ProofStep& step, std::uint32_t cut) {
    std::vector<Weighted> side;
    for (std::size_t i = 0; i < step.clause.size(); ++i) {
      if (label(step.clause[i], cut) == Label::B) continue;
      const Lit bound = !step.clause[i];
      side.push_back({BoundId(solver_.atom_of(bound.var()), bound.negative()), step.weights[i]});
    }
    return sum_of(side);
  }

  Term of_chain(const ProofStep& step, std::uint32_t cut) {
    Term current = partial_[step.premises[0]][cut];
    for (std::size_t i = 0; i < step.pivots.size(); ++i) {
      const Lit pivot = step.pivots[i];  // the other premise has it, this one its negation
      const Term other = partial_[step.premises[i + 1]][cut];
      switch (label(pivot, cut)) {
        case Label::A:
          current = terms_.make_or(current, other);
          break;
        case Label::B:
          current = terms_.make_and(current, other);
          break;
        case Label::Both: {
          const Term lit = term_of(pivot);
          current = terms_.make_and(terms_.make_or(lit, other),
                                    terms_.make_or(terms_.make_not(lit), current));
        }
      }
    }
    return current;
  }

  Term term_of(Lit lit) {
    const AtomIndex atom = solver_.atom_of(lit.var());
    if (atom != Dpllt::kNoAtom) return sum_of({{BoundId(atom, lit.negative()), 1}});
    if (lit.var() == 0) return terms_.boolean(!lit.negative());
    const Term term = vocabulary_.booleans[lit.var()];
    assert(term && "a literal of an interpolant is local to a part");
    return lit.negative() ? terms_.make_not(term) : term;
  }

  /// The weighted sum of bounds as one inequality over the columns that it leaves.
  Term sum_of(const std::vector<Weighted>& bounds) {
    const Simplex& simplex = solver_.simplex();
    LinearForm form;
    Delta limit;
    for (const Weighted& each : bounds) {
      const Number factor = each.bound.is_lower() ? -each.weight : each.weight;
      const Column column = simplex.atom(each.bound.atom()).column;
      limit.add_product(simplex.bound_value(each.bound), factor);
      if (simplex.definition(column).empty()) form.push_back({factor, column});
      for (const Summand& summand : simplex.definition(column))
        form.push_back({summand.factor * factor, summand.column});
    }
    std::sort(form.begin(), form.end(),
              [](const Summand& a, const Summand& b) { return a.column < b.column; });
    LinearForm sum;
    for (Summand& summand : form) {
      if (!sum.empty() && sum.back().column == summand.column)
        sum.back().factor += summand.factor;
      else
        sum.push_back(std::move(summand));
    }
    std::erase_if(sum, [](const Summand& summand) { return summand.factor.is_zero(); });
    return inequality(sum, limit);
  }

  Term inequality(const LinearForm& sum, const Delta& limit) {
    const bool integers =
        limit.real.is_integer() && std::all_of(sum.begin(), sum.end(), [&](const Summand& each) {
          return solver_.simplex().is_integral(each.column) && each.factor.is_integer();
        });
    const Sort sort = integers ? terms_.int_sort() : terms_.real_sort();
    std::vector<Term> args{terms_.number(0, sort)};
    for (const Summand& each : sum) {
      Term variable = vocabulary_.columns[each.column];
      assert(variable && "a column of an interpolant is local to a part");
      if (!integers) variable = terms_.make_to_real(variable);
      args.push_back(terms_.make_mul(terms_.number(each.factor.rational(), sort), variable));
    }
    const Term left = terms_.make(Op::Add, args);
    const Term right = terms_.number(limit.real.rational(), sort);
    return limit.delta.sign() < 0 ? terms_.make_lt(left, right) : terms_.make_le(left, right);
  }

  TermStore& terms_;
  const Dpllt& solver_;
  const Proof& proof_;
  const Vocabulary& vocabulary_;
  std::uint32_t cuts_;
  System system_;
  std::vector<Range> ranges_;               // by variable
  std::vector<std::uint8_t> needed_;        // by step
  std::vector<std::vector<Term>> partial_;  // by step and cut
};

}  // namespace

std::vector<Term> interpolate(TermStore& terms, const Dpllt& solver, const Vocabulary& vocabulary,
                              std::uint32_t cuts, System system) {
  return Interpolation(terms, solver, vocabulary, cuts, system).run();
}

}  // namespace lem::arith
