// Tables of runs of PLC programs, as text, CSV or JSON (writer/st_trace.h), read back.
// Tests: tests/unit/check/st_table_test.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/st/source.h"

namespace lem::check::plc {

struct Table {
  std::optional<std::string> property{};  // by name, where the file says so
  std::size_t cycles = 0;
  /// By variable of the program: values at begin and end of each cycle, in turn; as text.
  std::map<std::string, std::vector<std::string>> rows{};
  /// By line and column: what the program left open, by cycle.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<std::string>>> open{};
};

/// The extension of `path` says which form: .csv, .json, else text. BadInput with its place if it
/// is no such table.
Result<Table> read_table(const std::string& path, std::string_view text, const StSource& source);

/// [3:5;77:-1;else:0] as an array of the sort, whose elements have the type; nothing if it is none.
std::optional<Term> read_array(TermStore& terms, std::string_view text, Sort sort,
                               const st::Type& element);
/// A literal of IEC 61131-3 as a value; nothing if it is none of the type.
std::optional<Term> read_literal(TermStore& terms, const std::string& text, const st::Type& type);
/// The same without a type: TRUE, a number of so many bits, a real.
std::optional<Term> read_open_literal(TermStore& terms, const std::string& text, Sort sort);

}  // namespace lem::check::plc
