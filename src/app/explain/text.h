// Explanations for people and as JSON (docs/explain.md).
#pragma once

#include <string>

#include "app/explain/explain.h"

namespace lem::app {

std::string explanation_text(const Explanation& explanation);
std::string explanation_json(const std::string& file, const Explanation& explanation);

}  // namespace lem::app
