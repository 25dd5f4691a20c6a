// What all parts of one translation share: facts about the prepared main, which do not change, and
// the automaton that they write. Each part owns the variables of its own matter besides.
#pragma once

#include <llvm/IR/Function.h>

#include <string>

#include "base/result.h"
#include "frontend/c/automaton.h"
#include "frontend/c/c.h"
#include "frontend/c/cells.h"
#include "frontend/c/chains.h"
#include "frontend/c/encoding.h"
#include "frontend/c/place.h"
#include "frontend/c/points_to.h"
#include "frontend/c/values.h"

namespace lem::c {

struct Workspace {
  Workspace(const llvm::Function& prepared, const std::string& file, const COptions& chosen)
      : main(prepared),
        path(file),
        options(chosen),
        chains(main),
        points_to(main),
        cells(main, path, options, points_to),
        automaton(main, path),
        terms(automaton.terms()),
        encoding(terms, options.arith, points_to),
        values(chains, automaton) {}

  /// Finds objects and cells. To be called before anything is translated.
  Status analyse() {
    points_to.analyse(chains.blocks());
    return cells.collect(chains.blocks());
  }

  bool checks(CRule rule) const { return options.checks.contains(rule); }
  Error refuse(const llvm::Instruction& at, const std::string& construct) const {
    return unsupported(at, path, construct);
  }
  /// What a value of this type takes in memory.
  std::uint64_t bytes(llvm::Type* type) const {
    return points_to.layout().getTypeStoreSize(type).getFixedSize();
  }

  const llvm::Function& main;
  const std::string& path;
  const COptions& options;
  Chains chains;
  PointsTo points_to;
  Cells cells;
  Automaton automaton;
  TermStore& terms;
  Encoding encoding;
  Values values;
};

}  // namespace lem::c
