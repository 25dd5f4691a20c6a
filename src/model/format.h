// What the input formats differ in beyond their readers (frontend/frontend.h) and the forms of
// their evidence files (app/evidence/form.cpp): one row for each. Tests:
// tests/unit/model/format_test.cpp.
#pragma once

#include <string_view>

namespace lem {

struct FormatFacts {
  std::string_view id;                     // "aiger", as SourceMap::format has it
  std::string_view property = "property";  // what it calls what must not happen
  std::string_view goal = "reachability";  // and what should
  std::string_view output = "";            // a property that the file has as an output
  std::string_view texts = "";   // extensions of files that people read beside a run; "*": all
  std::string_view memory = "";  // states whose names begin so are no variables of the user
  bool waves = false;            // runs are looked at as waveforms
  bool hwmcc = false;            // a format of the hardware model checking competition
  bool labels = false;           // the symbol of a property is a second name for it
  bool enumerations = false;     // numbers may stand for names that the front end knows
  bool sized_numbers = false;    // words are written with their width: 8'd17
  bool assumes = true;           // assumptions that no run keeps are a mistake
};

/// The row of a format; a plain one for models that were made by no front end.
const FormatFacts& facts_of(std::string_view format);

/// Whether a state of such a model has a name of the user's.
bool is_users_state(const FormatFacts& facts, std::string_view name);

}  // namespace lem
