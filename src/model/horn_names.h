// Symbols for the predicates of a Horn system in evidence files, for the side that writes them and
// the side that reads them.
#pragma once

#include <string>
#include <vector>

#include "model/horn.h"
#include "term/smtlib/printer.h"

namespace lem {

/// Plain, by predicate: their own names where SMT-LIB solvers take them.
inline std::vector<std::string> predicate_names(const HornSystem& system) {
  smtlib::Naming naming;
  std::vector<std::string> names;
  for (const Predicate& predicate : system.predicates) {
    bool reserved = predicate.name.starts_with('.') || predicate.name.starts_with('@');
    names.push_back(naming.unique((reserved ? "_" : "") + predicate.name));
  }
  return names;
}

}  // namespace lem
