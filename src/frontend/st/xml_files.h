// Files that hold Structured Text in XML: PLCopen TC6 in the layouts of Beremiz/OpenPLC and of
// CODESYS/TwinCAT, and TwinCAT's own .TcPOU and .TcDUT.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/st/parser.h"
#include "model/st/syntax.h"

namespace lem::st {

bool is_container(std::string_view bytes);
/// Adds what the file declares. Bodies in other languages than ST are refused by name.
Result<std::vector<ConfiguredProgram>> read_container(const std::string& path,
                                                      std::string_view bytes, Unit& unit,
                                                      std::vector<Warning>& warnings);

}  // namespace lem::st
