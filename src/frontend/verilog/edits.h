// Changes to the words of a design, and the text with them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/verilog/syntax.h"

namespace lem::verilog {

class Edits {
 public:
  explicit Edits(const Syntax& design) : design_(design) {}

  /// A range inside another replaced range is forgotten with it.
  void replace(Range range, std::string text) { replaced_[range.first] = {range, std::move(text)}; }
  void before(std::size_t token, const std::string& text) { before_[token] += text; }
  /// Texts behind a word come in the order of the calls.
  void after(std::size_t token, const std::string& text) { after_[token] += text; }
  bool replaces(std::size_t token) const;

  /// The words of a range, with replacements.
  std::string words(Range range) const;
  /// One text for each source file, with lines and columns as in the files.
  std::vector<std::string> texts() const;

 private:
  class Layout;
  const Syntax& design_;  // borrowed
  std::map<std::size_t, Edit> replaced_;
  std::map<std::size_t, std::string> before_, after_;
};

}  // namespace lem::verilog
