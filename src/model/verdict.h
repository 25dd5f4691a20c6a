// Verdicts with their evidence. Evidence refers to the problem it is given with; back-translators
// turn evidence about the engine's problem into evidence about the user's.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "model/aig.h"
#include "model/cfa_evidence.h"
#include "term/term.h"

namespace lem {

/// A finite run: values of all latches at step 0, then the inputs of every step. The property
/// fails at the last step; `inputs` is never empty.
struct Trace {
  std::vector<bool> initial;
  std::vector<std::vector<bool>> inputs;
  friend bool operator==(const Trace&, const Trace&) = default;
};

/// A finite run of a transition system: values (terms that are values) of all states and all
/// inputs, in the system's order, at every step. The property fails at the last step.
struct TermTrace {
  struct Step {
    std::vector<Term> states;
    std::vector<Term> inputs;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;
  friend bool operator==(const TermTrace&, const TermTrace&) = default;
};

/// A disjunction of signals. Literals may name any signal of the model, gates and inputs included
/// (equivalences found by sequential sweeping are pairs of such clauses).
using SignalClause = std::vector<AigLit>;

/// Inv = not bad & all clauses, over the signals of one step, with C the constraints:
///   initiation   reset(X) & C(X,I)                        => Inv(X,I)
///   consecution  Inv(X,I) & C(X,I) & X'=next(X,I) & C(X',I') => Inv(X',I')
struct InductiveInvariant {
  std::vector<SignalClause> clauses;
  friend bool operator==(const InductiveInvariant&, const InductiveInvariant&) = default;
};

enum class SimplePath : std::uint8_t { No, Yes };

/// k-induction: with Q = not bad & all clauses, no trace of length < k from reset violates Q, and
/// k consecutive Q-steps (if `simple_path`, of pairwise different states, where only latches that Q
/// and the constraints depend on count) are followed by a Q-step.
struct KInductive {
  std::uint32_t k = 1;
  SimplePath simple_path = SimplePath::No;
  std::vector<SignalClause> clauses;
  friend bool operator==(const KInductive&, const KInductive&) = default;
};

/// The same for transition systems: Q = not bad & invariant, over the states and inputs of a step,
/// is k-inductive where the constraints hold. k = 1: an inductive invariant.
struct TermInvariant {
  Term invariant;
  std::uint32_t k = 1;
  SimplePath simple_path = SimplePath::No;
  friend bool operator==(const TermInvariant&, const TermInvariant&) = default;
};

using Certificate = std::variant<InductiveInvariant, KInductive, TermInvariant, LocationInvariants>;
/// require: a certificate about an AIG.
std::vector<SignalClause>& clauses_of(Certificate& certificate);

enum class Reason : std::uint8_t {
  Stopped,       // asked to stop; the application knows why (timeout, memory, Ctrl-C)
  BoundReached,  // an option limits the depth
  GaveUp,        // the method is incomplete on this model
  Crashed,       // all workers of a portfolio died
  Undecided,     // evidence is there, but the checker's solver could not decide it
  NotNative,     // a run of a C program's automaton that the compiled program does not have
  OutOfMemory,   // no engine knows, and some were ended because the memory was full
};
std::string_view name(Reason reason);

using Run = std::variant<Trace, TermTrace, CfaTrace>;

struct Safe {
  Certificate certificate;
  friend bool operator==(const Safe&, const Safe&) = default;
};
struct Unsafe {
  Run run;
  const Trace& trace() const { return *std::get_if<Trace>(&run); }
  const TermTrace& term_trace() const { return *std::get_if<TermTrace>(&run); }
  const CfaTrace& cfa_trace() const { return *std::get_if<CfaTrace>(&run); }
  friend bool operator==(const Unsafe&, const Unsafe&) = default;
};
struct Unknown {
  Reason reason;
  friend bool operator==(const Unknown&, const Unknown&) = default;
};
using Verdict = std::variant<Safe, Unsafe, Unknown>;

}  // namespace lem
