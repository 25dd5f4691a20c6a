#include "app/check/choose.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/near_names.h"
#include "frontend/frontend.h"
#include "model/format.h"

namespace lem::app {

/// Marks what `wanted` means as a name or pattern of `names`; false if that is nothing.
static bool mark(const std::string& wanted, std::span<const std::string> names,
                 std::vector<bool>& chosen) {
  bool exact = std::find(names.begin(), names.end(), wanted) != names.end();
  bool any = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    bool means = exact ? names[i] == wanted : fnmatch(wanted.c_str(), names[i].c_str(), 0) == 0;
    if (means) chosen[i] = any = true;
  }
  return any;
}

Result<std::vector<std::size_t>> choose_properties(const Problem& problem,
                                                   std::span<const std::string> wanted) {
  if (problem.properties.empty())
    return frontend::nothing_to_check(problem.source.file, problem.source.format);
  // In Verilog a name is place and label; the label alone will do.
  bool labels_too = facts_of(problem.source.format).labels;
  std::vector<std::string> names;
  std::vector<std::string> labels;
  for (const Property& property : problem.properties) {
    names.push_back(property.name);
    labels.push_back(labels_too ? property.symbol : "");
  }
  std::vector<bool> chosen(names.size(), wanted.empty());
  for (const std::string& one : wanted)
    if (!mark(one, names, chosen) && !(labels_too && mark(one, labels, chosen)))
      return Error{{problem.source.file},
                   "no property is called '" + one + "'" + near_names(one, names),
                   ErrorKind::Usage};
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) result.push_back(i);
  return result;
}

}  // namespace lem::app
