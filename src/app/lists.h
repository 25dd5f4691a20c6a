// `lemmata engines`, `formats` and `options`: printed from the tables that the program itself uses.
#pragma once

#include <string>

namespace lem {

std::string list_engines();
std::string list_formats();
std::string list_options();

}  // namespace lem
