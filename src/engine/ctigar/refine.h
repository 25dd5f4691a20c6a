// Refinement of the domain by interpolation of one-step queries [Birgmeier14 3.3].
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "engine/ctigar/domain.h"
#include "engine/ctigar/options.h"
#include "engine/parts/terms/path_parts.h"
#include "smt/interpolate/interpolator.h"

namespace lem::engine {

class CtigarRefiner {
 public:
  /// Borrows all.
  CtigarRefiner(TermSystem& system, Domain& domain, const CtigarConfig& config, const Context& ctx);

  /// Whether the refined abstraction of the CTI, a cube, passes the query that failed.
  using Passes = std::function<bool(std::span<const Lit> cube)>;

  /// R with s => R and R => preimage: predicates that make abstract lifting succeed.
  ///   require: s => preimage
  std::vector<Term> lifting(const Assignment& state, Term preimage, const Passes& passes);
  /// R with F & !s & Trans => R' and R => !s: predicates that make abstract consecution succeed.
  ///   require: s => preimage, where preimage is of s's successor
  std::vector<Term> consecution(const Assignment& state, Term preimage, Term frame,
                                const Passes& passes);

 private:
  /// One refinement: the CTI, and what its abstraction must pass.
  struct Task {
    const Assignment& state;
    const Passes& passes;
    std::vector<Lit> known;  // the abstraction so far
  };
  Task task(const Assignment& state, const Passes& passes) const;
  bool serves(const Task& task, std::span<const Term> candidates) const;
  std::optional<std::vector<Term>> accepted(const Task& task, std::string_view source,
                                            std::vector<Term> candidates);
  std::optional<std::vector<Term>> weakest(const Task& task, Term preimage);
  std::optional<std::vector<Term>> interpolate(const Task& task, PathParts parts);
  std::vector<Term> predicates_of(Term formula) const;
  std::vector<Term> values_of(const Assignment& state) const;

  TermSystem& system_;
  TermStore& terms_;
  Domain& domain_;
  const CtigarConfig& config_;
  const Context& ctx_;
  TermUnroller path_;
  std::vector<std::unique_ptr<smt::Interpolator>> sources_;
};

}  // namespace lem::engine
