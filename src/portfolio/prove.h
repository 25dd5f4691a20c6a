// From one property to its certified verdict: transforms forward, engine or portfolio, evidence
// back, certification on the original problem.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/context.h"
#include "base/growth.h"
#include "base/result.h"
#include "check/certify.h"
#include "model/problem.h"
#include "portfolio/selection.h"

namespace lem::portfolio {

enum class Certify { No, Yes };

struct ProveOptions {
  Certify certify = Certify::Yes;
  check::Native native = check::Native::Sandbox;
  Growth* growth = nullptr;  // where members of a portfolio report what they count; borrowed
};

/// Reports a usage error if the selected engine cannot take one of several properties, before it
/// runs on the first.
Status check_fits(const Problem& problem, std::span<const std::size_t> properties,
                  const Selectable& selected, const Context& ctx);

/// A certified verdict, and the id of the engine that gave it; of a portfolio that of the member.
struct Decision {
  check::Certified outcome;
  std::string engine;
};

/// Rejected evidence is an internal error; an engine that does not take the model a usage error.
/// require: `original` has one property.
Result<Decision> prove(const Problem& original, const Selectable& selected,
                       const ProveOptions& options, const Context& ctx);

}  // namespace lem::portfolio
