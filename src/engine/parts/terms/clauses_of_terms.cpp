#include "engine/parts/terms/clauses_of_terms.h"

#include <utility>

namespace lem::engine {

namespace {

using Clauses = std::vector<std::vector<Term>>;
constexpr std::size_t kMaxClauses = 32;  // of one disjunction

class Clausifier {
 public:
  explicit Clausifier(TermStore& terms) : terms_(terms) {}

  /// `depth` bounds the recursion: interpolants are shallow, and what is not stays a literal.
  Clauses clauses(Term formula, std::uint32_t depth) {
    if (terms_.is_true(formula)) return {};
    if (terms_.is_false(formula)) return {{}};
    bool negated = terms_.op(formula) == Op::Not;
    Term atom = terms_.atom_of(formula);
    Op op = terms_.op(atom);
    if (depth == 0 || (op != Op::And && op != Op::Or)) return {{formula}};
    Clauses result;
    if ((op == Op::And) != negated) {
      for (Term arg : terms_.args(atom)) {
        Clauses more = clauses(negated ? terms_.make_not(arg) : arg, depth - 1);
        result.insert(result.end(), more.begin(), more.end());
      }
      return result;
    }
    result.emplace_back();
    for (Term arg : terms_.args(atom)) {
      Term part = negated ? terms_.make_not(arg) : arg;
      Clauses more = clauses(part, depth - 1);
      if (more.size() * result.size() > kMaxClauses) more = {{part}};
      result = product(result, more);
    }
    return result;
  }

 private:
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
};

}  // namespace

Clauses clauses_of_term(TermStore& terms, Term formula) {
  return Clausifier(terms).clauses(formula, 64);
}

}  // namespace lem::engine
