// `lemmata engines`, `formats` and `options`: what there is, straight from the tables that the
// program itself runs on.
#pragma once

#include <string>

namespace lem {

std::string list_engines();
std::string list_formats();
std::string list_options();

}  // namespace lem
