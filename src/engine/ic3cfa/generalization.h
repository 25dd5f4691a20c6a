// Generalization of cubes at a location [Lange18 4.3]: literals go while the rest stays
// inductive along every step into the location.
//
// Along several steps [Lange18 4.3.2]: all at once (formula 4.14), each alone with the results
// united (Corollary 4.1), or one after the other, where only literals are tried that all steps
// before could spare. Along one step, before a solver is asked about single literals: lemmas of the
// frame before (Theorem 4.6), cached results (contexts.h), literals that the frame has as unit
// clauses or that the step assumes (Theorem 4.4), unsat cores, interpolants.
//
// Don't-care literals: the thesis compares literals of the cube with unit clauses of the frame;
// that holds of literals which the step leaves alone. Here lit[effect] is compared, which holds
// always.
//
// Inductivity has no !c in its premise, so it is monotone: one pass over the literals gives a
// minimal cube. No initiation is asked for: cubes are never blocked at the initial location.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engine/ic3cfa/contexts.h"
#include "engine/ic3cfa/inductivity.h"
#include "engine/ic3cfa/interpolation.h"
#include "engine/ic3cfa/relations.h"
#include "engine/parts/query/divergence.h"

namespace lem::engine {

class CfaGeneralizer {
 public:
  CfaGeneralizer(CfaSteps& steps, CfaLiterals& literals, CfaFrames& frames,
                 Inductivity& inductivity, const Ic3cfaConfig& config, const Context& ctx);

  /// require: cube is inductive relative to the frames of `level` - 1 before the location; `core`
  ///          is a part of it that is, too, or all of it
  ///   ensure: the cube implies the result, which is inductive in the same way
  std::vector<Lit> generalize(Level level, LocationId to, const Cube& cube, std::vector<Lit> core);

  /// Static generalization by a lemma of the frame before [Lange18 Thm. 4.6, Def. 4.10].
  ///   ensure: a part of the cube that is inductive along the step, if there is such a lemma
  std::optional<std::vector<Lit>> by_predecessor_cube(Level from, StepId step,
                                                      std::span<const Lit> cube);
  /// Without the literals that the step assumes or the frame has as unit clauses.
  std::vector<Lit> without_free_literals(Level from, StepId step, std::vector<Lit> cube);

 private:
  std::vector<Lit> along_all(Level from, LocationId to, std::vector<Lit> cube);
  std::vector<Lit> along(Level from, StepId step, const Cube& whole, std::vector<Lit> cube,
                         const std::vector<Lit>& fixed);
  std::vector<Lit> one_by_one(Level from, LocationId to, const Cube& whole, std::vector<Lit> cube);
  template <class Ask>
  std::vector<Lit> drop(std::vector<Lit> cube, const std::vector<Lit>& needed, Ask ask);
  std::vector<Lit> drop_on_all_edges(Level from, LocationId to, std::vector<Lit> cube,
                                     const std::vector<Lit>& needed);
  std::vector<Lit> weaken(Level from, LocationId to, std::vector<Lit> cube);
  std::optional<std::vector<Lit>> to_bits(Level from, LocationId to, const std::vector<Lit>& cube,
                                          std::size_t at, Term subject, Term value);
  bool is_bit(Term term) const {
    return terms_.kind(term) == SortKind::BitVec && terms_.width(term) == 1;
  }
  std::vector<Lit> relate(Level from, LocationId to, std::vector<Lit> cube);

  CfaSteps& steps_;
  CfaLiterals& literals_;
  CfaFrames& frames_;
  Inductivity& inductivity_;
  const Ic3cfaConfig& config_;
  const Context& ctx_;
  TermStore& terms_;
  GeneralizationContexts contexts_;
  CfaInterpolation interpolation_;
  CfaRelations relations_;
  Divergence<std::pair<LocationId, Term>> equations_;  // about one term, in lemmas
  Ic3cfaStats stats_;
};

}  // namespace lem::engine
