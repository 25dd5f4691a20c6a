// Cells whose content is never read before it is written.
#pragma once

#include "frontend/c/workspace.h"

namespace lem::c {

/// Whether a copy of what has no value counts as a write.
enum class Copies : std::uint8_t { Overwrite, Keep };

/// Whether on all paths from here the cell is written before it is read.
bool overwritten_unread(const Workspace& w, CellId cell, const llvm::Instruction& from,
                        Copies copies);

/// The object that starts to have any value at this instruction (Callee::Fresh).
std::optional<ObjectId> started(const PointsTo& points_to, const llvm::Instruction& instruction);

}  // namespace lem::c
