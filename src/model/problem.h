// Problem: a model (an Aig, a TransitionSystem, a Cfa or a HornSystem), its properties and their
// source. Made by front ends, shared by everything else; immutable once made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/aig.h"
#include "model/c_source.h"
#include "model/cfa.h"
#include "model/horn.h"
#include "model/rung.h"
#include "model/transition_system.h"

namespace lem {

struct StSource;  // model/st/source.h

/// The property of an automaton: no run reaches this location. None given: the one that the
/// automaton has as its error, as in every problem with one property.
struct ErrorLocation {
  std::optional<LocationId> at{};
};

/// The property of a Horn system: no clause without a head has a derivation.
struct NoQuery {};

/// A justice property: no infinite run that keeps all constraints has each of `often` infinitely
/// often, as in AIGER 1.9. The fairness of the model is part of it, so that nothing can answer the
/// property without it.
template <class Signal>
struct Justice {
  std::vector<Signal> often;  // its own, then the fairness of the model
  std::size_t own = 0;        // how many of them the property states itself
};

/// What a property asks for. Reach: a run to `target` is what its user hopes for.
enum class Goal : std::uint8_t { Avoid, Reach };

/// A safety property: `bad` must never hold at a step at which all constraints hold (now and
/// before). Or a justice property, which has no bad state: no engine for safety can read it.
struct Property {
  std::string name;
  // Of the kind of the model; a Term is over X and I.
  std::variant<AigLit, Term, ErrorLocation, NoQuery, Justice<AigLit>, Justice<Term>> target;
  std::string symbol{};  // its place in the input file: "b2", "o0"; "" if derived
  Goal goal = Goal::Avoid;
  SourcePos at{};  // where it is stated, as far as that is known

  bool is_justice() const {
    return std::holds_alternative<Justice<AigLit>>(target) ||
           std::holds_alternative<Justice<Term>>(target);
  }
  const std::vector<AigLit>& often() const {
    assert(std::holds_alternative<Justice<AigLit>>(target) && "no justice property over signals");
    return std::get_if<Justice<AigLit>>(&target)->often;
  }
  const std::vector<Term>& often_terms() const {
    assert(std::holds_alternative<Justice<Term>>(target) && "no justice property over terms");
    return std::get_if<Justice<Term>>(&target)->often;
  }
  const AigLit& bad() const {
    assert(std::holds_alternative<AigLit>(target) && "the property has no bad signal");
    return *std::get_if<AigLit>(&target);
  }
  const Term& bad_term() const {
    assert(std::holds_alternative<Term>(target) && "the property has no bad term");
    return *std::get_if<Term>(&target);
  }
};

/// One way to derive an inlined predicate: from(args) & formula, for some values of the variables
/// that are not parameters of the predicate.
struct HornRule {
  std::optional<std::size_t> from;  // index of a predicate; none: formula alone
  std::vector<Term> args;           // of `from`
  Term formula;
};

/// A predicate of a Horn system as the front end encoded it: P(params) is the invariant where
/// `guard` holds. Inlined predicates hold where one of their rules does.
struct HornPredicate {
  std::string name;
  std::vector<Term> params;  // variables: states of the system; of their own where inlined
  Term guard{};              // over states: "control is at this predicate"; none: inlined
  std::vector<HornRule> rules{};
};

/// How the model's signals are called in the input file. Vectors may be empty (derived models).
struct SourceMap {
  std::string file;
  std::string format;                    // "aiger"
  std::vector<std::string> input_names;  // "" where the file gives none
  std::vector<std::string> latch_names;
  std::vector<std::uint32_t> file_var;  // AIGER variable of each Aig variable
  std::vector<std::string> comments;    // the comment section, a line each
  std::vector<std::string> constraint_names{};
  std::vector<HornPredicate> predicates{};  // CHC alone, in order of declaration
  std::vector<Term> hints{};                // VMT: predicates over X that may help an abstraction
  /// Lustre: variables of the main node that are neither states nor inputs, over both.
  std::vector<std::pair<std::string, Term>> observed{};
  std::shared_ptr<const CSource> c{};    // C programs: of the automaton as the front end made it
  std::shared_ptr<const StSource> st{};  // PLC programs, likewise
};

struct Problem {
  std::variant<Aig, TransitionSystem, Cfa, HornSystem> model;
  std::vector<Property> properties;
  SourceMap source;

  Rung rung() const;
  bool is_bits() const { return std::holds_alternative<Aig>(model); }
  bool is_terms() const { return std::holds_alternative<TransitionSystem>(model); }
  bool is_program() const { return std::holds_alternative<Cfa>(model); }
  bool is_horn() const { return std::holds_alternative<HornSystem>(model); }
  const Aig& aig() const {
    assert(is_bits() && "the model is no AIG");
    return *std::get_if<Aig>(&model);
  }
  const TransitionSystem& system() const {
    assert(is_terms() && "the model is no transition system");
    return *std::get_if<TransitionSystem>(&model);
  }
  const Cfa& cfa() const {
    assert(is_program() && "the model is no automaton");
    return *std::get_if<Cfa>(&model);
  }
  const HornSystem& horn() const {
    assert(is_horn() && "the model is no Horn system");
    return *std::get_if<HornSystem>(&model);
  }

  /// Where its terms are; nullptr if it has none.
  TermStore* store() const;

  /// The one property of a problem handed to a transform or an engine.
  const Property& property() const {
    assert(properties.size() == 1 && "engines take one property at a time");
    return properties.front();
  }
  bool has_justice() const {
    return std::any_of(properties.begin(), properties.end(),
                       [](const Property& one) { return one.is_justice(); });
  }
};

/// The same model with property `index` alone; an automaton's error is that of the property.
///   require: there is such a property
Problem focus(const Problem& problem, std::size_t index);
/// Where the property of an automaton fails.   require: a program, and there is such a property
LocationId error_of(const Problem& problem, std::size_t index);
/// The same automaton with another error location.  require: no edge leaves it
Cfa with_error(const Cfa& cfa, LocationId error);

}  // namespace lem
