// Splits a Verilog text into words, without the preprocessor: a directive or the use of a macro is
// one word, `name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/verilog/token.h"

namespace lem::verilog {

enum class RawKind : std::uint8_t { Token, Directive, Wrong, End };

struct RawToken {
  RawKind kind = RawKind::End;
  Token token;  // text; of a directive its name without the quote; of Wrong what is wrong
};

/// A text that is read from its start to its end.
class Lexer {
 public:
  explicit Lexer(std::string text) : text_(std::move(text)) {}

  RawToken next();

  /// The rest of the line, with continued lines; comments are blanks.
  std::string rest_of_line();
  /// The arguments of a macro use, at the bracket that opens them: what stands between the brackets
  /// and commas. False without a bracket, or if it is not closed.
  bool arguments(std::vector<std::string>& out);
  /// Behind the blanks and comments that come next.
  void skip_blanks();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  /// Takes the next character away, if it is this one.
  bool take(char c);

  /// Where a comment starts that does not end, if there is one.
  struct Place {
    std::uint32_t line = 0, column = 0;
  };
  Place open_comment() const { return open_comment_; }

  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return column_; }

 private:
  char peek(std::size_t more) const { return at_ + more < text_.size() ? text_[at_ + more] : '\0'; }
  void step(std::size_t count = 1);
  void skip_comment();
  std::string take_while(bool (*fits)(char));
  std::string number();
  std::string based_digits();
  std::string quoted(bool& closed);
  std::string sign();

  std::string text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  Place open_comment_;
};

/// Whether a name may have this character after its first.
bool is_name_char(char c);

}  // namespace lem::verilog
