// Pragmas that decide what the program is: {define x}, {undefine x}, {IF defined (x)}, {ELSIF ...},
// {ELSE}, {END_IF}, as CODESYS and TwinCAT have them. Other conditions ask for what the project
// around the file declares and are refused. Tests: tests/cli/st_edges_test.py.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::st {

class ConditionalText {
 public:
  /// `elsewhere`: names that other texts of the same file define; those of this one are added at
  /// its end. None: the file is one text.
  explicit ConditionalText(std::set<std::string>* elsewhere) : elsewhere_(elsewhere) {}
  /// Reads one pragma; `text` is what stands between its braces.
  Status pragma(std::string_view text, const SourcePos& at);
  /// Whether the text here is part of the program.
  bool active() const { return branches_.empty() || branches_.back().active; }
  /// A keyword of the program; END_PROGRAM and its like end the reach of definitions.
  void word(std::string_view key);
  /// Fails where an {IF} is open at the end of the text.
  Status end() const;

 private:
  struct Branch {
    SourcePos at;
    bool outer = true;     // the text around {IF} is part of the program
    bool decided = false;  // a condition so far held
    bool active = false;   // this branch is part of the program
    bool last = false;     // {ELSE} was read
  };
  Status branch(const std::string& word, std::string_view rest, const SourcePos& at);
  Status define(const std::string& word, std::string_view rest, const SourcePos& at);
  Result<bool> holds(std::string_view condition, const SourcePos& at) const;

  std::vector<Branch> branches_;
  std::map<std::string, std::size_t> defined_;  // lower case name: the POU of its definition
  std::size_t pous_ = 0;                        // that have ended
  std::set<std::string> ever_;                  // all names that were defined
  std::set<std::string>* elsewhere_;            // borrowed
};

}  // namespace lem::st
