// Walks over term DAGs: substitution, evaluation, free variables, atoms. Iterative, so that deep
// terms do not overflow the stack; each visits a shared subterm once.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "term/term_store.h"

namespace lem {

using TermMap = std::unordered_map<Term, Term>;

/// Replaces terms by terms, simultaneously, and rewrites what changes. Keeps its results, so a
/// second term that shares subterms with the first costs only what is new.
class Substitution {
 public:
  explicit Substitution(TermStore& terms) : terms_(terms) {}
  Substitution(TermStore& terms, TermMap map) : terms_(terms), done_(std::move(map)) {}
  /// require: before the first apply()
  void add(Term from, Term to) { done_[from] = to; }
  Term apply(Term term);

 private:
  TermStore& terms_;
  TermMap done_;
  std::vector<Term> stack_;
};

Term substitute(TermStore& terms, Term term, const TermMap& map);

/// The value of `term` when variables have the values of `assignment`; variables it does not
/// mention get the default of their sort. The result is a value.
Term evaluate(TermStore& terms, Term term, const TermMap& assignment);

/// Calls `visit` once on every subterm of the roots, arguments before applications.
void for_each_subterm(const TermStore& terms, std::span<const Term> roots,
                      const std::function<void(Term)>& visit);

/// Variables of the roots, in order of creation.
std::vector<Term> variables_of(const TermStore& terms, std::span<const Term> roots);
std::vector<Term> variables_of(const TermStore& terms, Term root);

/// Conjuncts of a formula (nested And flattened); a formula that is not an And is its only one.
std::vector<Term> conjuncts(const TermStore& terms, Term formula);
std::vector<Term> disjuncts(const TermStore& terms, Term formula);

/// Atoms: Bool subterms without Boolean structure, each once, in order of creation, without Not.
/// Bool variables are atoms; equality of Bools, Not, And, Or and Ite over Bool are structure.
std::vector<Term> atoms_of(const TermStore& terms, Term formula);

/// Number of distinct subterms.
std::size_t dag_size(const TermStore& terms, Term root);

}  // namespace lem
