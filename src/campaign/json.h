// JSON with its keys in the order in which they were set.
#pragma once

#include <nlohmann/json.hpp>

namespace lem::campaign {

using Json = nlohmann::ordered_json;

}  // namespace lem::campaign
