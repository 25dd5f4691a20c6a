// From a question to certified answers: the one service that proves. It hands the open properties
// to jobs (jobs.h), which ask engines, and certifies what they find on the problem as it is
// (open.h).
#pragma once

#include <cstddef>
#include <span>

#include "base/context.h"
#include "base/result.h"
#include "check/certify.h"
#include "model/problem.h"
#include "run/open.h"
#include "run/selection.h"

namespace lem::run {

/// Reports a usage error if the selected engine cannot take one of several properties, before it
/// runs on the first.
Status check_fits(const Problem& problem, std::span<const std::size_t> properties,
                  const Selectable& selected, const Context& ctx);

/// Every property gets its answer when it is known. Rejected evidence is an internal error; an
/// engine that does not take the model a usage error. An engine that the user chose answers alone,
/// no other method does under its name.
///   require: at least one property, ascending; ctx.options has declared_options()
///   ensure: every one was settled, unless an error is returned
Status prove_all(const Problem& problem, std::span<const std::size_t> properties,
                 const Selectable& selected, const Settings& settings, const OnSettled& on_settled,
                 const Context& ctx);

/// The only property of a problem.
Result<check::Certified> prove(const Problem& problem, const Selectable& selected,
                               const Settings& settings, const Context& ctx);

}  // namespace lem::run
