// `lemmata check FILE --on slurm:N`: one file on a cluster. N tasks have different configurations
// and seeds of one property, or different properties, or both. A task writes its evidence into a
// folder that all hosts see. The submitting side checks that evidence itself, as `lemmata validate`
// would, and believes nothing else; the first answer that it accepts is the verdict, and what is
// not needed any more is cancelled. Docs: docs/campaigns.md. Tests: tests/cli/slurm_test.py.
#pragma once

#include <span>
#include <string>

#include "app/check/request.h"
#include "app/console.h"
#include "app/exit_code.h"

namespace lem::app {

/// `arguments`: of `lemmata check`, as the user gave them.
///   require: request.on is not empty
Result<ExitCode> check_on_cluster(const CheckRequest& request,
                                  std::span<const std::string> arguments, Console& console);

/// The arguments without some options and their values: `name`, `name=value`, `name value`.
std::vector<std::string> without_options(std::span<const std::string> arguments,
                                         std::span<const std::string_view> with_value,
                                         std::span<const std::string_view> flags);

}  // namespace lem::app
