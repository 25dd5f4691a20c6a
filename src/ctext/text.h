// The text of a C program as tokens with their places: enough to find loops, calls, blocks and
// declarations, for which debug information gives the line only. Nothing is preprocessed; lines
// that start with # are skipped, except line markers, so that `line` is the compiler's line number
// and `row` the row in the file. Tests: tests/unit/check/c/text_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::ctext {

struct CToken {
  std::string_view text;  // of the CText
  std::uint32_t line = 0;
  std::uint32_t row = 0;     // from 1
  std::uint32_t column = 0;  // from 1
  std::uint32_t file = 0;    // by line markers; 0 before any
  std::size_t offset = 0;
  std::size_t match = 0;  // the other one of a pair of brackets; 0: none
};

/// Where a function's body is, and what it is called.
struct CFunction {
  std::string name;
  std::size_t head = 0;  // its name
  std::size_t open = 0;  // {
  std::size_t close = 0;
};

/// A run of tokens, with its ends.
struct CSpan {
  std::size_t first = 0;
  std::size_t last = 0;
};

class CText {
 public:
  explicit CText(std::string text);
  static Result<CText> read(const std::string& path);
  CText(CText&&) = default;
  CText(const CText&) = delete;

  const std::string& text() const { return *text_; }
  const std::vector<CToken>& tokens() const { return tokens_; }
  const std::vector<CFunction>& functions() const { return functions_; }
  std::string_view operator[](std::size_t token) const {
    return token < tokens_.size() ? tokens_[token].text : std::string_view();
  }

  /// The tokens on a line, as the compiler counts, in the file of main; empty spans are none.
  std::optional<CSpan> line(std::uint32_t number) const;
  /// Whether the token is in the file of main, where lines are counted.
  bool in_main_file(std::size_t token) const { return tokens_[token].file == main_file_; }
  /// The line without the blanks around it.
  std::string line_text(std::uint32_t number) const;
  /// Whose body or parameters the token is in.
  const CFunction* function_of(std::size_t token) const;
  /// The scope of a name that is declared here: its block, its loop, its function, or the rest of
  /// the file.
  CSpan scope_of(std::size_t declaration) const;
  /// The token `name` at which a variable is declared on that line.
  std::optional<std::size_t> declaration(std::string_view name, std::uint32_t line) const;
  /// The last token of the statement that starts here.
  std::size_t statement_end(std::size_t first) const;
  /// The innermost bracket around the token.
  std::optional<std::size_t> enclosing(std::size_t token) const;

 private:
  void scan();
  void directive(std::string_view words);
  void match_brackets();
  void find_functions();

  std::unique_ptr<const std::string> text_;  // tokens point into it, also after a move
  std::vector<CToken> tokens_;
  std::vector<std::size_t> around_;  // by token: the bracket that encloses it
  std::vector<CFunction> functions_;
  std::vector<std::string> files_;
  std::uint32_t file_ = 0, main_file_ = 0;
  std::uint32_t next_line_ = 1;
};

/// x of x, s.a[3] and a[2].
std::string_view base_name(std::string_view name);

}  // namespace lem::ctext
