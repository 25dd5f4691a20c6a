// What a front end returns besides the problem: warnings, premises of properties, names and places
// that only reports need.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "term/term.h"

namespace lem {

struct VerilogSource;  // model/verilog_source.h

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

/// A property that the file states and nothing here checks; its verdict is `unknown`.
struct Unchecked {
  std::string name;
  SourcePos at;
  std::string why;
};

struct Remarks {
  std::vector<Warning> warnings;
  std::vector<Unchecked> unchecked{};
  /// Of each property, in order, that reads `premise => conclusion`: the premise; no term for
  /// others. Missing at the end: no term.
  std::vector<Term> premises{};
  std::shared_ptr<const VerilogSource> verilog{};  // of Verilog designs

  Term premise(std::size_t property) const {
    return property < premises.size() ? premises[property] : Term();
  }
};

}  // namespace lem
