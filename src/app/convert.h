// `lemmata convert FILE -o OUT`.
#pragma once

#include <string>

#include "base/result.h"

namespace lem {

/// Rewrites a model in the format that the extension of `out` names: .aag or .aig.
Status convert_file(const std::string& in, const std::string& out);

}  // namespace lem
