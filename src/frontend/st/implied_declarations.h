#pragma once

#include "base/result.h"
#include "model/st/syntax.h"

namespace lem::st {

Status add_implied(Unit& unit);

/// Whether another POU calls the program or names a variable of it.
bool is_used_by_name(const Unit& unit, const Pou& program);

}  // namespace lem::st
