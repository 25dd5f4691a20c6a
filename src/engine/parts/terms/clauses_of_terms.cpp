#include "engine/parts/terms/clauses_of_terms.h"

#include <map>
#include <utility>

namespace lem::engine {

namespace {

using Clauses = std::vector<std::vector<Term>>;
constexpr std::size_t kMaxClauses = 32;     // of one disjunction
constexpr std::size_t kMostClauses = 1000;  // of one conjunction; more stay a literal

class Clausifier {
 public:
  explicit Clausifier(TermStore& terms) : terms_(terms) {}

  /// `depth` bounds the recursion: what is deeper stays a literal. Interpolants from proofs share
  /// subterms over and over, so every one is looked at once.
  const Clauses& clauses(Term formula, std::uint32_t depth) {
    if (auto known = known_.find(formula); known != known_.end()) return known->second;
    Clauses made = make(formula, depth);
    return known_.emplace(formula, std::move(made)).first->second;
  }

 private:
  Clauses make(Term formula, std::uint32_t depth) {
    if (terms_.is_true(formula)) return {};
    if (terms_.is_false(formula)) return {{}};
    bool negated = terms_.op(formula) == Op::Not;
    Term atom = terms_.atom_of(formula);
    Op op = terms_.op(atom);
    if (depth == 0 || (op != Op::And && op != Op::Or)) return {{formula}};
    Clauses result;
    if ((op == Op::And) != negated) {
      for (Term arg : terms_.args(atom)) {
        const Clauses& more = clauses(negated ? terms_.make_not(arg) : arg, depth - 1);
        if (result.size() + more.size() > kMostClauses) return {{formula}};
        result.insert(result.end(), more.begin(), more.end());
      }
      return result;
    }
    result.emplace_back();
    for (Term arg : terms_.args(atom)) {
      Term part = negated ? terms_.make_not(arg) : arg;
      const Clauses& more = clauses(part, depth - 1);
      bool few = more.size() * result.size() <= kMaxClauses;
      result = product(result, few ? more : Clauses{{part}});
    }
    return result;
  }

  static Clauses product(const Clauses& left, const Clauses& right) {
    Clauses result;
    for (const std::vector<Term>& a : left)
      for (const std::vector<Term>& b : right) {
        result.push_back(a);
        result.back().insert(result.back().end(), b.begin(), b.end());
      }
    return result;
  }

  TermStore& terms_;
  std::map<Term, Clauses> known_;
};

}  // namespace

Clauses clauses_of_term(TermStore& terms, Term formula) {
  return Clausifier(terms).clauses(formula, 64);
}

}  // namespace lem::engine
