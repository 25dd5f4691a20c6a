// The safety problems that a justice property becomes, as model/evidence/live.h defines them, with
// the way back: a run into the bad state becomes a lasso, a proof a proof of the property. The
// engines that prove the product know nothing of justice.
// Tests: tests/unit/run/live_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "run/question.h"

namespace lem::run {

/// The latches or states whose values a lasso must repeat: those that the property and the
/// constraints depend on. Of a system with a transition relation: all.
///   require: the one property is a justice property
std::vector<std::uint32_t> recurring_states(const Problem& problem);

class Product final : public Step {
 public:
  /// Borrows the problem.   require: its one property is a justice property
  Product(const Problem& problem, ProductShape shape);

  /// With one safety property.
  const Problem& problem() const override { return product_; }
  /// nullopt for a run without a repeated state, which the product Counter may have.
  std::optional<Found> back(Found found) const override;

 private:
  const Problem& original_;
  ProductShape shape_;
  Problem product_;
};

}  // namespace lem::run
