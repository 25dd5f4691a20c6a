// Labels of assertions inside generate loops: Yosys 0.23 makes one cell of that name and refuses
// the second. They are taken out of the preprocessed text, which keeps its lines and columns, and
// given back to the properties by their places.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace lem::verilog {

/// File, line and column of a label.
using LabelPlace = std::tuple<std::string, std::uint32_t, std::uint32_t>;
using Labels = std::map<LabelPlace, std::string>;

/// Text without labels before assert, assume, cover and restrict; they are blanks there, and added
/// to `labels`. Items of a case statement are no labels.
///   require: text as Yosys' preprocessor writes it
std::string without_labels(const std::string& file, std::string_view text, Labels& labels);

}  // namespace lem::verilog
