// What a front end returns besides the problem: warnings, and premises of properties.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "term/term.h"

namespace lem {

/// Accepted input that the user should know about.
struct Warning {
  SourcePos at;
  std::string message;  // lower case, no full stop

  /// `file:line:col: warning: message`, leaving out what is not known.
  std::string text() const {
    std::string out = at.file;
    for (std::uint32_t number : {at.line, at.column})
      if (number != 0) out += ':' + std::to_string(number);
    return out + ": warning: " + message;
  }
};

struct Remarks {
  std::vector<Warning> warnings;
  /// Of each property, in order, that reads `premise => conclusion`: the premise; no term for
  /// others. Missing at the end: no term.
  std::vector<Term> premises;

  Term premise(std::size_t property) const {
    return property < premises.size() ? premises[property] : Term();
  }
};

}  // namespace lem
