#include "frontend/verilog/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lem::verilog {

static bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

static bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

static bool is_number_char(char c) {
  return is_digit(c) || c == '_';
}

static bool is_based_digit(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '?' || c == 'x' ||
         c == 'X' || c == 'z' || c == 'Z';
}

static bool is_base(char c) {
  constexpr std::string_view kBases = "bBoOdDhH";
  return c != '\0' && kBases.find(c) != kBases.npos;
}

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

void Lexer::step(std::size_t count) {
  for (; count > 0 && at_ < text_.size(); --count, ++at_) {
    ++column_;
    if (text_[at_] != '\n') continue;
    ++line_;
    column_ = 1;
  }
}

bool Lexer::take(char c) {
  if (peek() != c || at_ >= text_.size()) return false;
  step();
  return true;
}

/// At the start of a comment that a line end does not end.
void Lexer::skip_comment() {
  std::size_t end = text_.find("*/", at_ + 2);
  if (end == text_.npos) open_comment_ = {line_, column_};
  step((end == text_.npos ? text_.size() : end + 2) - at_);
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      step();
    } else if (peek() == '/' && peek(1) == '/') {
      step(std::min(text_.find('\n', at_), text_.size()) - at_);
    } else if (peek() == '/' && peek(1) == '*') {
      skip_comment();
    } else {
      return;
    }
  }
}

std::string Lexer::take_while(bool (*fits)(char)) {
  std::size_t end = at_;
  while (end < text_.size() && fits(text_[end])) ++end;
  std::string out = text_.substr(at_, end - at_);
  step(end - at_);
  return out;
}

/// The digits behind a base: blanks may stand before them. Nothing where a macro has them.
std::string Lexer::based_digits() {
  std::size_t blanks = 0;
  while (is_blank(peek(blanks)) && peek(blanks) != '\n') ++blanks;
  if (!is_based_digit(peek(blanks))) return {};
  step(blanks);
  return take_while(is_based_digit);
}

std::string Lexer::number() {
  std::string out = take_while(is_number_char);
  std::size_t blanks = 0;  // 4 'b 01 is one number
  while (peek(blanks) == ' ' || peek(blanks) == '\t') ++blanks;
  bool sign = peek(blanks + 1) == 's' || peek(blanks + 1) == 'S';
  if (peek(blanks) == '\'' && is_base(peek(blanks + (sign ? 2 : 1)))) {
    step(blanks);
    std::size_t size = sign ? 3 : 2;
    out += text_.substr(at_, size);
    step(size);
    return out + based_digits();
  }
  if (peek() == '.' && is_digit(peek(1))) {
    step();
    out += '.' + take_while(is_number_char);
  }
  if (peek() == 'e' || peek() == 'E') {
    bool has_sign = peek(1) == '-' || peek(1) == '+';
    if (!is_digit(peek(has_sign ? 2 : 1))) return out;
    out += text_.substr(at_, has_sign ? 2 : 1);
    step(has_sign ? 2 : 1);
    out += take_while(is_number_char);
  }
  return out;
}

std::string Lexer::quoted(bool& closed) {
  std::size_t end = at_ + 1;
  while (end < text_.size() && text_[end] != '"' && text_[end] != '\n')
    end += text_[end] == '\\' ? 2 : 1;
  closed = end < text_.size() && text_[end] == '"';
  end = std::min(closed ? end + 1 : end, text_.size());
  std::string out = text_.substr(at_, end - at_);
  step(end - at_);
  return out;
}

std::string Lexer::sign() {
  // The longest first.
  constexpr std::array<std::string_view, 49> kSigns = {
      "<<<=", ">>>=", "===", "!==", "==?", "!=?", "<<<", ">>>", "<<=", ">>=", "|->", "|=>", "#-#",
      "#=#",  "&&&",  "<->", "->>", "==",  "!=",  "<=",  ">=",  "&&",  "||",  "**",  "<<",  ">>",
      "+=",   "-=",   "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "++",  "--",  "::",  "+:",  "-:",
      "->",   "=>",   "*>",  "~&",  "~|",  "~^",  "^~",  "##",  "(*",  "*)"};
  std::string_view rest = std::string_view(text_).substr(at_);
  for (std::string_view each : kSigns) {
    if (!rest.starts_with(each)) continue;
    std::size_t next = text_.find_first_not_of(" \t", at_ + 2);
    std::size_t last = at_ == 0 ? text_.npos : text_.find_last_not_of(" \t", at_ - 1);
    bool all_events = (each == "(*" && next != text_.npos && text_[next] == ')') ||
                      (each == "*)" && last != text_.npos && text_[last] == '(');  // @(*)
    if (all_events) continue;
    step(each.size());
    return std::string(each);
  }
  std::string out(1, peek());
  step();
  return out;
}

RawToken Lexer::next() {
  std::size_t before = at_;
  skip_blanks();
  RawToken out;
  out.token.spaced = at_ != before || at_ == 0;
  out.token.line = line_;
  out.token.column = column_;
  if (at_ >= text_.size()) return out;
  out.kind = RawKind::Token;
  char c = peek();
  if (c == '`') {
    step();
    out.kind = RawKind::Directive;
    if (peek() == '\\') step();  // `\name , an escaped name of a macro
    out.token.text = take_while(is_name_char);
    return out;
  }
  if (c == '"') {
    bool closed = false;
    out.token.kind = TokenKind::String;
    out.token.text = quoted(closed);
    if (closed) return out;
    out.kind = RawKind::Wrong;
    out.token.text = "a string does not end";
    return out;
  }
  bool with_sign = peek(1) == 's' || peek(1) == 'S';
  bool unsized = c == '\'' && is_base(peek(with_sign ? 2 : 1));
  bool all = c == '\'' && peek(1) != '\0' &&
             std::string_view("01xXzZ").find(peek(1)) != std::string_view::npos;
  if (is_digit(c) || unsized) {
    out.token.kind = TokenKind::Number;
    out.token.text = number();
  } else if (all) {
    out.token.kind = TokenKind::Number;
    out.token.text = text_.substr(at_, 2);
    step(2);
  } else if (c == '\\') {
    out.token.kind = TokenKind::Escaped;
    out.token.text = take_while([](char each) { return !is_blank(each); });
  } else if (c == '$' && is_name_char(peek(1)) && !is_digit(peek(1))) {
    out.token.kind = TokenKind::System;
    out.token.text = take_while(is_name_char);
  } else if (is_name_char(c) && c != '$') {
    out.token.kind = TokenKind::Name;
    out.token.text = take_while(is_name_char);
  } else {
    out.token.kind = TokenKind::Sign;
    out.token.text = sign();
  }
  return out;
}

std::string Lexer::rest_of_line() {
  std::string out;
  while (at_ < text_.size() && peek() != '\n') {
    if (peek() == '/' && peek(1) == '/') {
      std::size_t end = std::min(text_.find('\n', at_), text_.size());
      bool continued = end > at_ && text_[end - 1] == '\\';
      step(end - at_ - (continued ? 1 : 0));
    } else if (peek() == '/' && peek(1) == '*') {
      skip_comment();
      out += ' ';
    } else if (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      step(peek(1) == '\n' ? 2 : 3);
      out += '\n';
    } else if (peek() == '"') {
      bool closed = false;
      out += quoted(closed);
    } else {
      out += peek();
      step();
    }
  }
  return out;
}

bool Lexer::arguments(std::vector<std::string>& out) {
  skip_blanks();
  if (!take('(')) return false;
  std::size_t depth = 0;
  std::string one;
  while (at_ < text_.size()) {
    char c = peek();
    if (c == '"') {
      bool closed = false;
      one += quoted(closed);
      continue;
    }
    if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      skip_blanks();
      one += ' ';
      continue;
    }
    if (depth == 0 && (c == ',' || c == ')')) {
      out.push_back(std::move(one));
      one.clear();
      step();
      if (c == ')') return true;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    one += c;
    step();
  }
  return false;
}

}  // namespace lem::verilog
