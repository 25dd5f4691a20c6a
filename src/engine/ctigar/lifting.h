// Abstract and concrete lifting [Birgmeier14 3.1]: s & z & Trans => t', with z the inputs of the
// CTI.
//
// The paper takes Trans to be total and its successors to be fixed by the inputs. Neither holds for
// relations, so the query is asked as s => pre with pre the states that step into t as the CTI
// does: under its inputs, along its way through the disjunctions of Trans, with next states that no
// equation gives projected away. Where Trans is a total function of states and inputs the two are
// the same; elsewhere states without a successor are no preimage (docs/errata.md on [Wolff Listing
// 6]).
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/context.h"
#include "engine/ctigar/cti.h"
#include "engine/parts/query/asker.h"
#include "engine/parts/terms/frames.h"
#include "smt/smt_solver.h"

namespace lem::engine {

class Lifting {
 public:
  /// Borrows all three.
  Lifting(TermSystem& system, TermFrames& frames, const Context& ctx);

  /// The states that step into `target` as the model of X, I and X' does.
  ///   require: the model satisfies Trans and target at X', as far as it says (LazyTransition)
  ///   ensure: a formula over X that holds in the model
  Term preimage(const TermMap& model, std::span<const Term> target);

  /// A part of the cube that implies the preimage, or nothing: a lifting abstraction failure.
  std::optional<std::vector<Lit>> lift(std::span<const Lit> cube, Term preimage);
  /// A part of the assignment that implies the preimage.   require: the whole does
  Assignment lift(const Assignment& state, Term preimage);

 private:
  struct ModelPath {  // what a model does with Trans
    std::vector<Term> guards;
    TermMap next;  // values over X and I that equations give to X'
    Term value_of(Term variable) const {
      auto at = next.find(variable);
      return at == next.end() ? Term() : at->second;
    }
  };
  void follow(Term formula, Substitution* values, ModelPath& path);
  void record(Term leaf, ModelPath& path);
  Term project(Term formula, const std::vector<Term>& open, const TermMap& model);
  bool mentions_next(Term formula);
  Term label(Lit lit);

  TermSystem& system_;
  TermStore& terms_;
  TermFrames& frames_;
  std::unordered_map<Term, bool> mentions_next_;
  std::vector<Term> choices_;  // parts of Trans that only a model decides
  ModelPath common_;           // of every model
  Asker asker_;
  Labels labels_;  // by literal code
};

}  // namespace lem::engine
