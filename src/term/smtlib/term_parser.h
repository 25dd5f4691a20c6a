// Terms from S-expressions, over a scope of symbols. Iterative: nesting costs heap, never stack;
// abbreviations (define-fun without parameters, let) denote terms, so a DAG of them costs its size.
// Errors name the place. Tests: tests/unit/term/smtlib_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "term/smtlib/sexpr.h"
#include "term/term_store.h"

namespace lem::smtlib {

/// Ignored: an abbreviation has the sort of its body, whatever the text claims.
enum class ResultSort : std::uint8_t { Checked, Ignored };

class TermParser {
 public:
  /// Borrows both.
  TermParser(TermStore& terms, const Document& document) : t_(terms), document_(document) {}

  /// Makes a symbol denote a term, from now on and whatever it denoted before.
  void bind(std::string_view symbol, Term term);
  /// The term of a symbol, no term if it denotes none.
  Term lookup(std::string_view symbol) const;
  bool knows(std::string_view symbol) const;

  /// Binds until restore(mark) with the mark taken before.
  void shadow(std::string_view symbol, Term term);
  std::size_t mark() const { return saved_.size(); }
  void restore(std::size_t mark);

  /// Called for every `(! term attributes...)` with the term and the whole expression, whose items
  /// from the third on are the attributes. Without a handler they are skipped.
  using AnnotationHandler = std::function<Status(Term term, const Sexpr& annotated)>;
  void on_annotation(AnnotationHandler handler) { annotation_ = std::move(handler); }

  /// Called for every quantifier inside a term, with variables of its own and its body; its value
  /// stands for the quantified formula. Without a handler quantifiers are refused.
  enum class Quantifier : std::uint8_t { Forall, Exists };
  using QuantifierHandler =
      std::function<Term(Quantifier kind, std::span<const Term> bound, Term body)>;
  void on_quantifier(QuantifierHandler handler) { quantifier_ = std::move(handler); }

  /// Makes a symbol an uninterpreted function; `apply` gets arguments of the given sorts.
  using Application = std::function<Term(std::span<const Term> args)>;
  void declare_function(std::string_view symbol, std::vector<Sort> params, Application apply);

  Result<Term> term(const Sexpr& expr);
  /// The same, of the given sort (Int becomes Real).
  Result<Term> term(const Sexpr& expr, Sort wanted);
  Result<Sort> sort(const Sexpr& expr) { return sort(expr, 0); }

  /// declare-const, or declare-fun without parameters: makes and binds the variable.
  Result<Term> declare_constant(const Sexpr& command);
  /// define-fun, define-const, define-sort without parameters.
  Status define(const Sexpr& command, ResultSort result = ResultSort::Checked);
  /// `((x S) ...)`
  struct SortedVar {
    std::string_view name;
    Sort sort;
    const Sexpr* at;
  };
  Result<std::vector<SortedVar>> sorted_vars(const Sexpr& list);

  Error error(const Sexpr& at, std::string message) const {
    return document_.error(at, std::move(message));
  }

 private:
  struct Function {
    std::vector<Sort> sorts;
    std::vector<Term> params;  // of a macro
    Term body{};               // of a macro
    Application apply{};       // of an uninterpreted function
  };
  struct Meaning {
    Term term{};
    std::shared_ptr<const Function> function{};  // shared by the scopes that save and restore it
    explicit operator bool() const { return term || function; }
  };
  struct Frame {
    enum class Kind : std::uint8_t { Call, Let, Annotation, Binder };
    Kind kind;
    const Sexpr* expr;
    std::size_t next;    // the item to visit
    std::size_t values;  // below: values of outer frames
    std::size_t saved;   // below: bindings saved by outer frames
  };

  Meaning& slot(std::string_view symbol) { return scope_[std::string(symbol)]; }
  const Meaning* find(std::string_view symbol) const;

  Result<Term> run(const Sexpr& root);
  Status visit(const Sexpr& expr);
  Status visit_call(const Sexpr& expr);
  Status step();
  Status step_let(Frame& frame);
  Status step_binder(Frame& frame);
  Status finish(const Frame& frame);
  void push_value(Term value) { values_.push_back(value); }

  Result<Sort> sort(const Sexpr& expr, std::uint32_t depth);
  Result<Term> atom(const Sexpr& expr);
  Result<Term> symbol(const Sexpr& expr);
  Result<Term> indexed_constant(const Sexpr& expr);
  Result<Term> float_constant(const Sexpr& expr);
  Result<FloatFormat> float_format(const Sexpr& expr) const;
  std::optional<Rounding> rounding(const Sexpr& call) const;
  Result<Term> apply(const Sexpr& call, std::span<const Term> args);
  Result<Term> apply_function(const Sexpr& call, const Function& function,
                              std::span<const Term> args);
  Result<Term> apply_head_list(const Sexpr& call, std::span<const Term> args);
  Result<std::uint32_t> index(const Sexpr& expr) const;
  Status define_function(const Sexpr& command, std::size_t body);

  TermStore& t_;
  const Document& document_;
  std::unordered_map<std::string, Meaning> scope_;
  std::unordered_map<std::string, Sort> sorts_;
  AnnotationHandler annotation_;
  QuantifierHandler quantifier_;
  std::vector<Frame> frames_;
  std::vector<Term> values_;
  std::vector<std::pair<Meaning*, Meaning>> saved_;  // map nodes stay where they are
};

/// Commands that say nothing about the system: set-info, set-logic, set-option, echo, get-..., ...
bool is_idle_command(const Sexpr& command);

}  // namespace lem::smtlib
