// Generalization by interpolants [Lange18 4.3.5]: J with F_(i,l) & T_e => J' and c & J
// unsatisfiable; !J then takes the cube's place. Off, along edges into locations on loops, or
// everywhere. Edges that enter a loop count as loop edges: Figure 4.4 ends because of the
// interpolant along the edge into the loop; along the self-loop none exists.
//
// Sources are those of smt/interpolate/interpolator.h, fast ones first. They give candidates only:
// a clause C of J is used when c implies !C and the step cannot reach !C, both asked of a solver. J
// may have literals that the cube has not; united with what other steps need it is still implied by
// the cube.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "engine/ic3cfa/inductivity.h"
#include "smt/interpolate/interpolator.h"

namespace lem::engine {

class CfaInterpolation {
 public:
  CfaInterpolation(CfaSteps& steps, CfaLiterals& literals, CfaFrames& frames,
                   Inductivity& inductivity, const Ic3cfaConfig& config, const Context& ctx);

  /// Literals that the cube implies and that are inductive along the step; nothing if interpolation
  /// is off here or did not help.
  ///   require: the cube is inductive along the step
  std::optional<std::vector<Lit>> along(Level from, StepId step, std::span<const Lit> cube);

 private:
  using Found = std::optional<std::vector<Lit>>;
  Found usable(Level from, StepId step, std::span<const Lit> cube, Term interpolant);
  Found as_cube(Term clause);
  bool implies(std::span<const Lit> cube, const std::vector<Lit>& weaker);
  std::vector<std::unique_ptr<smt::Interpolator>>& sources();

  CfaSteps& steps_;
  CfaLiterals& literals_;
  CfaFrames& frames_;
  Inductivity& inductivity_;
  const Ic3cfaConfig& config_;
  const Context& ctx_;
  TermStore& terms_;
  std::vector<std::unique_ptr<smt::Interpolator>> sources_;
  std::unique_ptr<smt::SmtSolver> scratch_;  // nothing asserted
  struct Cached {
    StepId step;
    Term frame;
    std::vector<Lit> cube;
    Found found;
  };
  std::list<Cached> cache_;  // the most recently used first
  Ic3cfaStats stats_;
};

}  // namespace lem::engine
