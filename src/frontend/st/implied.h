#pragma once

#include "base/result.h"
#include "model/st/syntax.h"

namespace lem::st {

Status add_implied(Unit& unit);

}  // namespace lem::st
