// S-expressions of SMT-LIB 2 text with their places: the lexical level that VMT, CHC and our own
// certificates share [Barrett, Fontaine, Tinelli, "The SMT-LIB Standard" 2.6, section 3.1].
// Nesting costs heap, never stack. Tests: tests/unit/term/smtlib_test.cpp.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::smtlib {

enum class Token : std::uint8_t {
  List,
  Symbol,   // |a| and a are the same: text without the bars
  Keyword,  // text with the colon
  Numeral,
  Decimal,
  Binary,  // text without the leading #b
  Hex,     // text without the leading #x
  String,  // text without the outer quotes, a doubled quote left as it is
};

/// A value that refers to its document; valid as long as that and the text it was read from.
class Sexpr {
 public:
  Token kind = Token::List;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string_view text{};

  std::size_t size() const { return size_; }
  const Sexpr& operator[](std::size_t i) const {
    assert(i < size_ && "no such item");
    return items_[i];
  }
  const Sexpr* begin() const { return items_; }
  const Sexpr* end() const { return items_ + size_; }

  bool is_list() const { return kind == Token::List; }
  bool is_symbol() const { return kind == Token::Symbol; }
  bool is_symbol(std::string_view name) const { return is_symbol() && text == name; }
  /// A list whose first item is that symbol.
  bool is_call(std::string_view head) const { return size_ > 0 && items_[0].is_symbol(head); }

 private:
  friend class Reader;
  const Sexpr* items_ = nullptr;
  std::size_t size_ = 0;
};

/// The expressions of a text, in order. Borrows the text.
class Document {
 public:
  const std::vector<Sexpr>& top() const { return top_; }
  const std::string& path() const { return path_; }

  SourcePos pos(const Sexpr& at) const { return {path_, at.line, at.column}; }
  Error error(const Sexpr& at, std::string message) const {
    return {pos(at), std::move(message), ErrorKind::BadInput};
  }

 private:
  friend class Reader;
  std::string path_;
  std::deque<std::vector<Sexpr>> lists_;
  std::vector<Sexpr> top_;
};

/// Errors: unbalanced parentheses, open strings and quoted symbols, malformed numbers.
Result<Document> read_document(const std::string& path, std::string_view text);

/// What stands there, short enough for a message.
std::string describe(const Sexpr& expr);

}  // namespace lem::smtlib
