// Edge-relative inductivity [Lange18 Def. 4.6], as one module with the variants of section 5.1.3:
// along one step, along all steps into a location at once, and cheap static answers before either.
// A query says T_e & c' (relInd), or wep(cmd, c) without primed variables (relIndAlt, Definition
// 4.9); both are equivalent (Theorem 4.3). The premise has no !c (Theorem 4.2), so that results of
// several edges may be united (Corollary 4.1).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/context.h"
#include "engine/ic3cfa/answers.h"
#include "engine/ic3cfa/frames.h"
#include "engine/ic3cfa/options.h"
#include "engine/ic3cfa/stats.h"
#include "engine/parts/cfa/literals.h"
#include "engine/parts/cfa/steps.h"
#include "engine/parts/query/asker.h"
#include "smt/smt_solver.h"

namespace lem::engine {

/// The literals of both, in this order.
inline std::vector<Lit> united(std::vector<Lit> a, std::span<const Lit> b) {
  for (Lit lit : b)
    if (std::find(a.begin(), a.end(), lit) == a.end()) a.push_back(lit);
  return a;
}

/// Whether the search can go on without the answer [Lange18 5.1.3]: with Optional queries a
/// timeout counts as a failed attempt.
enum class Need : std::uint8_t { Critical, Optional };

class Inductivity {
 public:
  Inductivity(const Cfa& cfa, CfaSteps& steps, CfaLiterals& literals, CfaFrames& frames,
              const Ic3cfaConfig& config, const Context& ctx);

  struct Reply {
    smt::Answer answer;
    std::vector<Lit> core = {};  // of an inductive cube: the literals that were needed
    bool inductive() const { return answer == smt::Answer::Unsat; }
  };
  /// check_single_edge: F_(from, l) & T_e & cube' for the step from l.
  Reply on_edge(Level from, StepId step, std::span<const Lit> cube, Need need);
  /// check: the disjunction over all steps into the location [Lange18 formula 4.14], in one query.
  Reply on_edges_at_once(Level from, LocationId to, std::span<const Lit> cube, Need need);
  /// check_by_filter: edge by edge, up to the first violation; the core is that of all edges.
  Reply inductive_on_all_edges(Level from, LocationId to, std::span<const Lit> cube, Need need);
  /// F_(level, at) & cube, with no step: whether the frame excludes the cube semantically.
  smt::Answer meets(Level level, LocationId at, std::span<const Lit> cube);

  /// After Sat of on_edge(): the value in the model of a term over the variables and the step's
  /// fresh ones; nothing if no model could be had, and the search is to give up.
  std::optional<Term> value(StepId step, Term term);
  smt::Projector* projector(StepId step);

  /// The step can be taken from no state of level 0: F_(0,l) = false but at the initial location.
  bool impossible(Level from, StepId step) const {
    return from == Level{0} && steps_[step].from != cfa_.initial();
  }
  bool gave_up() const { return gave_up_; }

  TermStore& terms() const { return terms_; }
  const std::vector<Term>& next() const { return next_; }  // X'
  std::span<const Term> current() const { return cfa_.variables(); }

 private:
  /// What is asked about one target location: the steps into it, the lemmas before them, literals.
  struct Target {
    explicit Target(TermStore& terms) : levels(terms, "level") {}
    Asker asker;                                  // its literals are by step, below
    Labels levels;                                // switches; each implies the next
    std::vector<std::pair<LocationId, Term>> at;  // sources: a step from there is taken
    std::vector<std::size_t> asserted;            // by source: so much of its history
    std::vector<Term> taken;                      // by step into the location
    std::vector<Seen> literals;                   // by step: asserted, by literal's code
    Term any;                                     // one of the steps is taken
    std::uint32_t limit = 0;                      // milliseconds for a query
  };
  Target& target(LocationId to);
  void open(Target& target, LocationId to);
  void assert_lemmas(Target& target, std::size_t source);
  void assert_literal(Target& target, LocationId to, std::size_t step, Lit lit);
  Term after(StepId step, Term formula);
  Term level_switch(Target& target, Level level);
  Reply ask(Target& target, std::vector<Term> assumptions, std::span<const Lit> cube, Need need);
  Reply ask_step(Level from, StepId step, std::span<const Lit> cube, Need need);
  smt::SmtSolver& with_model(StepId step);
  std::uint32_t limit(Need need) const {
    return need == Need::Critical ? 0 : config_.optional_ms;  // 0: no limit
  }
  std::unique_ptr<smt::SmtSolver> new_solver() const;

  const Cfa& cfa_;
  CfaSteps& steps_;
  CfaLiterals& literals_;
  CfaFrames& frames_;
  const Ic3cfaConfig& config_;
  const Context& ctx_;
  TermStore& terms_;
  std::vector<Term> next_;       // X'
  std::vector<Target> targets_;  // by target location, opened when needed
  std::vector<Target> local_;    // by location: its own lemmas, no steps
  CfaAnswers answers_;
  std::optional<CfaAnswers::Question> pending_;  // answered Sat without a model
  bool gave_up_ = false;
  Ic3cfaStats stats_;
};

}  // namespace lem::engine
