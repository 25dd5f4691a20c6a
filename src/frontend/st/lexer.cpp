#include "frontend/st/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/try.h"
#include "frontend/st/pragmas.h"

namespace lem::st {

namespace {

using Kind = Token::Kind;

bool is_letter(char c) {
  // Vendors allow letters beyond ASCII in names; bytes of UTF-8 are taken as such.
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_char(char c) {
  return is_letter(c) || is_digit(c);
}

/// Words in front of declarations and bodies.
bool is_heading(std::string_view key) {
  static constexpr std::array kWords = {
      "begin",    "var_input", "var_output", "var_in_out", "var_temp", "var_global", "var_external",
      "var_stat", "constant",  "retain",     "type",       "const",    "non_retain"};
  return std::find(kWords.begin(), kWords.end(), key) != kWords.end();
}

/// Whether an expression goes on behind the token.
bool awaits_operand(const Token& token) {
  static constexpr std::array kWords = {"and",  "or",    "xor",      "not",    "mod",    "if",
                                        "case", "elsif", "while",    "until",  "elseif", "for",
                                        "to",   "by",    "and_then", "or_else"};
  if (token.is(Kind::Symbol)) return !token.is_symbol(";") && !token.is_symbol(":");
  return token.is(Kind::Word) && std::find(kWords.begin(), kWords.end(), token.key) != kWords.end();
}

constexpr std::size_t kMostDigits = 400;  // of a number; no type has more

/// Symbols, longest first.
constexpr std::array<const char*, 31> kSymbols = {
    "-->", ":=", "=>", "<>", "<=", ">=", "**", "==", "..", "+=", "-=", "*=", "/=", "(", ")", "[",
    "]",   ",",  ";",  ":",  ".",  "+",  "-",  "*",  "/",  "=",  "<",  ">",  "&",  "^", "?"};

class Lexer {
 public:
  Lexer(const std::string& file, std::string_view text, SourcePos start,
        std::set<std::string>* defined)
      : file_(file), text_(text), line_(start.line), column_(start.column), conditions_(defined) {}
  Result<std::vector<Token>> run();

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool starts(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }
  void step(std::size_t count = 1);
  SourcePos here() const { return {file_, line_, column_}; }
  Error error(const std::string& what) const { return {here(), what}; }

  Status skip_blanks();
  Status skip_block_comment();
  void line_comment();
  Status token();
  Status word();
  bool is_free_text(std::string_view key, std::size_t from) const;
  Status quoted();
  Status string_literal();
  Status number(std::string prefix, SourcePos start);
  Status time_literal(SourcePos start, std::size_t from);
  Status after_prefix(const std::string& prefix, SourcePos start, std::size_t from);
  std::string_view digits(int base);
  bool at_bracketed_comment() const;
  Status pragma();
  void skip_left_out();
  void push(Kind kind, std::string text, std::string key, SourcePos start);
  void push(Token token);

  const std::string& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_, column_;
  bool in_annotation_ = false;
  ConditionalText conditions_;
  std::vector<Token> out_;
};

void Lexer::step(std::size_t count) {
  for (; count > 0 && at_ < text_.size(); --count, ++at_) {
    if (text_[at_] == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
  }
}

void Lexer::push(Kind kind, std::string text, std::string key, SourcePos start) {
  push({kind, std::move(text), std::move(key), std::move(start)});
}

/// Text that a pragma leaves out has no tokens.
void Lexer::push(Token token) {
  if (!conditions_.active()) return;
  if (token.is(Kind::Word)) conditions_.word(token.key);
  out_.push_back(std::move(token));
}

/// `(* *)` may be nested; `/* */` may not.
Status Lexer::skip_block_comment() {
  Error open = error("this comment has no end");
  bool pascal = starts("(*");
  std::size_t depth = 1;
  step(2);
  while (depth > 0) {
    if (at_ >= text_.size()) return open;
    if (pascal && starts("(*")) {
      ++depth;
      step(2);
    } else if (pascal ? starts("*)") : starts("*/")) {
      --depth;
      step(2);
    } else {
      step();
    }
  }
  return Ok{};
}

/// Whether `(/* text */)` stands here as a comment of SCL, brackets included. Behind a name the
/// brackets are those of a call without arguments.
bool Lexer::at_bracketed_comment() const {
  if (!starts("(/*")) return false;
  std::size_t end = text_.find("*/", at_ + 3);
  if (end == text_.npos || end + 2 >= text_.size() || text_[end + 2] != ')') return false;
  if (out_.empty()) return true;
  const Token& before = out_.back();
  bool keyword = is_reserved(before.key) || is_heading(before.key);
  return !before.is(Kind::Quoted) && !before.is_symbol("]") && (!before.is(Kind::Word) || keyword);
}

/// {...}; braces within quotes are part of the text.
Status Lexer::pragma() {
  Error open = error("this pragma has no end");
  SourcePos start = here();
  std::size_t from = at_ + 1;
  step();
  while (at_ < text_.size() && peek() != '}') {
    char quote = peek();
    std::size_t close = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : text_.npos;
    if (close != text_.npos && close > text_.find('\n', at_)) close = text_.npos;
    step(close == text_.npos ? 1 : close + 1 - at_);
  }
  if (at_ >= text_.size()) return open;
  std::string_view inside = text_.substr(from, at_ - from);
  step();
  return conditions_.pragma(inside, start);
}

/// What follows //# is read as code, up to the end of the line, if it is one of our annotations.
void Lexer::line_comment() {
  std::size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string_view rest = text_.substr(at_, end - at_);
  std::size_t word = rest.find_first_not_of(" \t", 2);
  if (word != rest.npos && rest[word] == '#') {
    std::size_t from = rest.find_first_not_of(" \t", word + 1);
    std::size_t to = from;
    while (to < rest.size() && is_letter(rest[to])) ++to;
    std::string kind = from == rest.npos ? "" : lower(rest.substr(from, to - from));
    if (kind == "assert" || kind == "assume" || kind == "havoc") {
      std::string text(rest.substr(to));
      while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.pop_back();
      push(Kind::Annotation, text, kind, here());
      step(to);
      in_annotation_ = true;
      return;
    }
  }
  step(end - at_);
}

Status Lexer::skip_blanks() {
  for (;;) {
    if (in_annotation_ && (at_ >= text_.size() || peek() == '\n' || peek() == '\r')) {
      in_annotation_ = false;
      push(Kind::EndAnnotation, "", "", here());
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(peek())) != 0 && at_ < text_.size()) {
      step();
    } else if (at_bracketed_comment()) {
      step();
      LEM_TRY(skip_block_comment());
      step();
    } else if (starts("(*") || starts("/*")) {
      LEM_TRY(skip_block_comment());
    } else if (starts("//")) {
      line_comment();
      if (in_annotation_) continue;
    } else if (peek() == '{') {
      LEM_TRY(pragma());
    } else {
      return Ok{};
    }
  }
}

std::string_view Lexer::digits(int base) {
  std::size_t from = at_;
  auto is_one = [&](char c) {
    if (c == '_') return true;
    int value = is_digit(c)                                         ? c - '0'
                : std::isxdigit(static_cast<unsigned char>(c)) != 0 ? std::tolower(c) - 'a' + 10
                                                                    : 99;
    return value < base;
  };
  while (at_ < text_.size() && is_one(peek())) step();
  return text_.substr(from, at_ - from);
}

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

Status Lexer::number(std::string prefix, SourcePos start) {
  std::size_t from = at_;
  bool negative = peek() == '-';
  if (peek() == '-' || peek() == '+') step();
  std::string whole = without_underscores(digits(10));
  if (whole.empty() || whole.size() > kMostDigits) return Error{start, "expected a number"};
  int base = 10;
  if (peek() == '#' && (whole == "2" || whole == "8" || whole == "16")) {
    base = std::stoi(whole);
    step();
    whole = without_underscores(digits(base));
    if (whole.empty() || whole.size() > kMostDigits)
      return error("expected digits of base " + std::to_string(base));
  }
  bool real = base == 10 && peek() == '.' && is_digit(peek(1));
  std::string fraction, exponent;
  if (real) {
    step();
    fraction = without_underscores(digits(10));
  }
  bool has_exponent =
      base == 10 && (peek() == 'e' || peek() == 'E') &&
      (is_digit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && is_digit(peek(2))));
  if (has_exponent) {
    step();
    if (peek() == '-' || peek() == '+') {
      if (peek() == '-') exponent = "-";
      step();
    }
    exponent += without_underscores(digits(10));
    if (exponent.size() > 5) return Error{start, "the exponent of this number is too large"};
  }
  if (is_letter(peek())) return error("a number is followed by '" + std::string(1, peek()) + "'");
  Token token{Kind::Integer, std::string(text_.substr(from, at_ - from)), std::move(prefix), start};
  token.number = mpz_class(whole, base);
  if (real || has_exponent) {
    if (fraction.size() > kMostDigits) return Error{start, "this number has too many digits"};
    token.kind = Kind::Real;
    mpz_class scale;
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, fraction.size());
    token.rational = mpq_class(mpz_class(whole + fraction, 10), scale);
    long power = exponent.empty() ? 0 : std::stol(exponent);
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(power)));
    if (power > 0) token.rational *= scale;
    if (power < 0) token.rational /= scale;
    token.rational.canonicalize();
    if (negative) token.rational = -token.rational;
  }
  if (negative) token.number = -token.number;
  push(std::move(token));
  return Ok{};
}

/// T#1d2h30m5.5s100ms, with underscores; units in falling order are not insisted on.
Status Lexer::time_literal(SourcePos start, std::size_t from) {
  struct Unit {
    const char* name;
    std::uint64_t nanoseconds;
  };
  static constexpr std::array<Unit, 7> kUnits = {{{"ms", 1'000'000},
                                                  {"us", 1'000},
                                                  {"ns", 1},
                                                  {"d", 86'400'000'000'000},
                                                  {"h", 3'600'000'000'000},
                                                  {"m", 60'000'000'000},
                                                  {"s", 1'000'000'000}}};
  bool negative = peek() == '-';
  if (peek() == '-' || peek() == '+') step();
  mpq_class total = 0;
  bool any = false;
  for (;;) {
    while (peek() == '_') step();
    if (!is_digit(peek())) break;
    std::string value = without_underscores(digits(10));
    std::string fraction;
    if (peek() == '.' && is_digit(peek(1))) {
      step();
      fraction = without_underscores(digits(10));
    }
    if (value.size() + fraction.size() > kMostDigits) return Error{start, "expected a time"};
    const Unit* unit = nullptr;
    std::string next = lower(text_.substr(at_, 2));
    for (const Unit& one : kUnits)
      if (unit == nullptr && next.starts_with(one.name)) unit = &one;
    if (unit == nullptr) return error("expected a unit of time (d, h, m, s, ms, us, ns)");
    step(std::char_traits<char>::length(unit->name));
    mpz_class scale;
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, fraction.size());
    mpq_class part(mpz_class(value + fraction, 10), scale);
    part.canonicalize();
    total += part * mpq_class(std::to_string(unit->nanoseconds));
    any = true;
  }
  if (!any || is_name_char(peek())) return Error{start, "expected a time, as in T#1s500ms"};
  Token token{Kind::Time, std::string(text_.substr(from, at_ - from)), "time", start};
  token.number = total.get_num() / total.get_den();
  if (negative) token.number = -token.number;
  push(std::move(token));
  return Ok{};
}

/// Behind `prefix#`.
Status Lexer::after_prefix(const std::string& prefix, SourcePos start, std::size_t from) {
  static constexpr std::array<const char*, 6> kTimes = {"t",     "time", "lt",
                                                        "ltime", "s5t",  "s5time"};
  static constexpr std::array<const char*, 12> kDates = {"d",   "date",          "ld",   "ldate",
                                                         "tod", "time_of_day",   "dt",   "dtl",
                                                         "ldt", "date_and_time", "ltod", "string"};
  auto is_in = [&](const auto& list) {
    return std::find(list.begin(), list.end(), prefix) != list.end();
  };
  if (is_in(kTimes) && (is_digit(peek()) || peek() == '-' || peek() == '+'))
    return time_literal(start, from);
  if (is_in(kDates) || prefix == "wstring" || prefix == "char")
    return Error{start, "literals of type " + prefix + " are not supported"};
  if (is_digit(peek()) || ((peek() == '-' || peek() == '+') && is_digit(peek(1))))
    return number(prefix, start);
  push(Kind::Prefix, std::string(text_.substr(from, at_ - from)), prefix, start);
  return Ok{};
}

Status Lexer::word() {
  SourcePos start = here();
  std::size_t from = at_;
  while (is_name_char(peek()) && at_ < text_.size()) step();
  std::string text(text_.substr(from, at_ - from));
  if (peek() == '#' && (is_name_char(peek(1)) || peek(1) == '-' || peek(1) == '+' ||
                        peek(1) == '\'' || peek(1) == '"')) {
    step();
    return after_prefix(lower(text), start, from);
  }
  std::string key = lower(text);
  if (is_free_text(key, from)) {
    step(std::min(text_.find('\n', at_), text_.size()) - at_);
    return Ok{};
  }
  push(Kind::Word, std::move(text), std::move(key), start);
  return Ok{};
}

/// REGION, END_REGION and TITLE = of SCL are followed by any words up to the end of the line.
/// In the middle of an expression they are names.
bool Lexer::is_free_text(std::string_view key, std::size_t from) const {
  if (key != "region" && key != "end_region" && key != "title") return false;
  if (!out_.empty() && awaits_operand(out_.back())) return false;
  std::size_t line = text_.rfind('\n', from) + 1;  // 0 without one
  if (text_.substr(line, from - line).find_first_not_of(" \t\xEF\xBB\xBF") != text_.npos)
    return false;
  std::size_t next = text_.find_first_not_of(" \t", at_);
  char after = next == text_.npos ? '\n' : text_[next];
  if (key == "title") return after == '=';
  if (key == "end_region" && after == ';') return true;
  return std::string_view(":=.([,;").find(after) == std::string_view::npos;
}

/// Names of SCL; dots and blanks may be in them.
Status Lexer::quoted() {
  SourcePos start = here();
  step();
  std::size_t from = at_;
  while (at_ < text_.size() && peek() != '"' && peek() != '\n') step();
  if (peek() != '"') return Error{start, "this name has no closing quote"};
  std::string text(text_.substr(from, at_ - from));
  step();
  if (text.empty()) return Error{start, "a name between quotes is empty"};
  std::string key = lower(text);
  push(Kind::Quoted, std::move(text), std::move(key), start);
  return Ok{};
}

Status Lexer::string_literal() {
  SourcePos start = here();
  step();
  std::size_t from = at_;
  while (at_ < text_.size() && peek() != '\'' && peek() != '\n') step(peek() == '$' ? 2 : 1);
  if (peek() != '\'') return Error{start, "this text has no closing quote"};
  push(Kind::String, std::string(text_.substr(from, at_ - from)), "", start);
  step();
  return Ok{};
}

/// Text that a pragma leaves out need be no program; braces in its texts are no pragmas.
void Lexer::skip_left_out() {
  std::size_t close = peek() == '\'' ? text_.find('\'', at_ + 1) : text_.npos;
  bool text = close != text_.npos && close < text_.find('\n', at_);
  step(text ? close + 1 - at_ : 1);
}

Status Lexer::token() {
  char c = peek();
  if (c == '#' && (is_letter(peek(1)) || peek(1) == '"')) {  // a local name of SCL
    step();
    return peek() == '"' ? quoted() : word();
  }
  if (is_letter(c)) return word();
  if (is_digit(c)) return number("", here());
  if (c == '"') return quoted();
  if (c == '\'') return string_literal();
  if (c == '%') {
    SourcePos start = here();
    std::size_t from = at_;
    step();
    while (is_name_char(peek()) || peek() == '*' || (peek() == '.' && is_digit(peek(1)))) step();
    std::string text(text_.substr(from, at_ - from));
    push(Kind::Address, text, lower(text), start);
    return Ok{};
  }
  for (const char* symbol : kSymbols)
    if (starts(symbol)) {
      push(Kind::Symbol, symbol, symbol, here());
      step(std::char_traits<char>::length(symbol));
      return Ok{};
    }
  std::string shown = std::isprint(static_cast<unsigned char>(c)) != 0
                          ? "'" + std::string(1, c) + "'"
                          : "byte " + std::to_string(static_cast<unsigned char>(c));
  return error("unexpected " + shown);
}

Result<std::vector<Token>> Lexer::run() {
  if (starts("\xEF\xBB\xBF")) at_ += 3;  // a byte order mark
  for (;;) {
    LEM_TRY(skip_blanks());
    if (at_ >= text_.size()) break;
    if (!conditions_.active()) {
      skip_left_out();
      continue;
    }
    LEM_TRY(token());
  }
  LEM_TRY(conditions_.end());
  push(Kind::End, "", "", here());
  return std::move(out_);
}

}  // namespace

bool is_end(std::string_view key) {
  static constexpr std::array kEnds = {"end_if",
                                       "end_case",
                                       "end_for",
                                       "end_while",
                                       "end_repeat",
                                       "end_var",
                                       "end_type",
                                       "end_struct",
                                       "end_function",
                                       "end_function_block",
                                       "end_program",
                                       "end_const",
                                       "end_configuration",
                                       "end_resource",
                                       "end_action",
                                       "end_actions",
                                       "end_method",
                                       "end_property",
                                       "end_organization_block",
                                       "end_data_block",
                                       "end_region",
                                       "end_step",
                                       "end_transition"};
  return std::find(kEnds.begin(), kEnds.end(), key) != kEnds.end();
}

bool is_reserved(std::string_view key) {
  static constexpr std::array kWords = {"if",     "then",  "elsif", "elseif", "else",  "case",
                                        "of",     "for",   "to",    "by",     "do",    "while",
                                        "repeat", "until", "and",   "or",     "xor",   "not",
                                        "mod",    "true",  "false", "var",    "array", "struct"};
  return is_end(key) || std::find(kWords.begin(), kWords.end(), key) != kWords.end();
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

Result<std::vector<Token>> tokenize(const std::string& file, std::string_view text, SourcePos start,
                                    std::set<std::string>* defined) {
  return Lexer(file, text, std::move(start), defined).run();
}

}  // namespace lem::st
