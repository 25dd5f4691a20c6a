// Names of latches that transforms keep: they say which latch of the file it was, also where the
// file has no names for them.
#pragma once

#include <string>
#include <vector>

#include "model/problem.h"

namespace lem {

/// `index` counts the latches of the problem; one without a name is called after it.
inline std::string latch_name(const Problem& problem, std::uint32_t index) {
  const std::vector<std::string>& names = problem.source.latch_names;
  return index < names.size() && !names[index].empty() ? names[index] : 'l' + std::to_string(index);
}

inline std::vector<std::string> latch_names(const Problem& problem) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < problem.aig().num_latches(); ++i)
    names.push_back(latch_name(problem, i));
  return names;
}

}  // namespace lem
