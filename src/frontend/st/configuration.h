// The programs that a CONFIGURATION runs, as one program: its variables are the instances, its body
// calls them. Programs of one task run one after the other in every cycle. Of several tasks, any
// may run in a cycle, each as often as it likes in comparison with the others; an input of the main
// program says which. A task that could interrupt another one in the middle is refused where the
// two share a variable. Inputs of an instance that are not connected are inputs of the main
// program. Tests: tests/cli/st_edges_test.py.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/st/syntax.h"

namespace lem::st {

/// What runs programs, at its time and with its priority.
struct Task {
  Name name;
  std::string resource{};               // key; empty: none
  std::optional<mpz_class> priority{};  // tasks of one priority do not interrupt each other
  bool on_event = false;                // SINGLE := x
};

/// A program that a CONFIGURATION runs.
struct ConfiguredProgram {
  Name name;
  Name type;
  std::string resource{};
  std::optional<Task> task{};
  std::vector<Argument> connections{};  // A(x := g, y => h)
  std::string configuration{};          // key
  bool retain = false;                  // PROGRAM RETAIN p : A
};

/// The only instance, or that of a main program which is added to the unit where there are several
/// instances or connections, becomes `unit.instances`.
Status add_configuration(Unit& unit, std::vector<ConfiguredProgram> programs);

}  // namespace lem::st
