// SMT-LIB 2 text of sorts, terms and declarations. What is printed parses back to the same term:
// constructors rewrite into a normal form that the printer leaves as it is.
// Tests: tests/unit/term/smtlib_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "term/term_store.h"

namespace lem::smtlib {

/// As a symbol of SMT-LIB, between bars where needed. The characters | and \ cannot be written in a
/// symbol and become _, as all that is not printable ASCII: see Naming where names must stay apart.
std::string symbol_text(std::string_view name);

std::string sort_text(const TermStore& terms, Sort sort);

/// Symbols (ready to print) of variables that are not to be called by their own name.
using SymbolMap = std::unordered_map<Term, std::string>;

/// Subterms that occur several times are bound by `let`, unless the whole is small. No binding
/// depends on another of the same `let`, so that nesting is as deep as the chain of dependencies.
std::string term_text(const TermStore& terms, Term term, const SymbolMap& symbols = {});

/// (declare-fun symbol () sort)
std::string declaration_text(const TermStore& terms, Term variable, const SymbolMap& symbols = {});

/// (define-fun name ((param sort) ...) sort body)
std::string definition_text(const TermStore& terms, std::string_view name,
                            std::span<const Term> params, Term body, const SymbolMap& symbols = {});

/// Different symbols for different variables, given in order: their own name if it can be written
/// and neither the theories nor an earlier variable has it, else that name with a suffix.
class Naming {
 public:
  /// ensure: the result differs from all earlier ones; the same sequence gives the same symbols
  std::string unique(std::string_view name);
  void add(const TermStore& terms, Term variable);
  /// Plain, without bars.
  const std::string& plain(Term variable) const;
  /// Ready to print.
  std::string symbol(Term variable) const { return symbol_text(plain(variable)); }
  SymbolMap symbols() const;

 private:
  std::unordered_map<Term, std::string> names_;
  std::unordered_set<std::string> taken_;
};

}  // namespace lem::smtlib
