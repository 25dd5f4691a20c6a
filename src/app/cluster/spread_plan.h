// What each of N tasks gets when one file is checked on a cluster: properties, engine, options,
// seed. Tests: tests/cli/slurm_test.py.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/check/request.h"
#include "campaign/spec.h"
#include "model/problem.h"

namespace lem::app {

struct SpreadTask {
  std::string name;
  std::string engine;
  std::vector<std::string> settings;
  std::vector<std::size_t> places;  // in the list of chosen properties
};

/// One property: N configurations. More properties than tasks: each task has its share of them.
/// Else each property has its own tasks, with different configurations.
///   require: count > 0, some property is chosen
std::vector<SpreadTask> spread_tasks(const Problem& problem, std::span<const std::size_t> chosen,
                                     const std::string& engine, int count);

/// As runs of this program; their numbers are the positions. `lemmas`: the folder where they share
/// them; empty: they do not.
std::vector<campaign::RunSpec> spread_specs(const CheckRequest& request, const Problem& problem,
                                            std::span<const std::size_t> chosen,
                                            std::span<const SpreadTask> tasks,
                                            std::span<const std::string> arguments,
                                            const std::string& lemmas);

}  // namespace lem::app
