#pragma once

#include "base/result.h"
#include "model/st/program.h"

namespace lem::st {

/// STRING of this unit: its values are the texts that the unit has, by number, and further numbers
/// for all other texts.
Result<Type> text_type(const Unit& unit);

}  // namespace lem::st
