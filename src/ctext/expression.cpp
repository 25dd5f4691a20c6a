#include "ctext/expression.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lem::ctext {

namespace {

bool is_word(std::string_view text) {
  return !text.empty() && (std::isalnum(static_cast<unsigned char>(text[0])) != 0 ||
                           text[0] == '_' || text[0] == '"' || text[0] == '\'');
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Operators as the expression has them: the scanner gives += and ++ as two tokens.
class Reader {
 public:
  explicit Reader(const CText& text) : text_(text) {}

  CSpan around(std::size_t token) const;
  std::string words(CSpan span) const;

 private:
  bool touches(std::size_t token) const {  // the next one
    return token + 1 < text_.tokens().size() &&
           text_.tokens()[token].offset + text_[token].size() == text_.tokens()[token + 1].offset;
  }
  bool doubled(std::size_t token) const {
    return is_one_of(text_[token], {"+", "-"}) && text_[token + 1] == text_[token] &&
           touches(token);
  }
  bool assigns(std::size_t token) const {
    if (text_[token] == "=") return true;
    return is_one_of(text_[token], {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"}) &&
           text_[token + 1] == "=" && touches(token);
  }
  std::size_t width(std::size_t token) const {
    return doubled(token) || (assigns(token) && text_[token] != "=") ? 2 : 1;
  }
  /// Whether an operand can end with this token.
  bool ends_operand(std::size_t token) const {
    std::string_view word = text_[token];
    if (is_one_of(word, {"return", "case", "else", "do"})) return false;
    if (is_word(word) || word == ")" || word == "]") return true;
    return token > 0 && doubled(token - 1) && ends_operand_before(token - 1);
  }
  bool ends_operand_before(std::size_t token) const { return token > 0 && ends_operand(token - 1); }
  int precedence(std::size_t token) const;
  std::size_t operand_start(std::size_t last) const;
  std::size_t operand_end(std::size_t first) const;
  std::size_t postfix_end(std::size_t token) const;
  CSpan binary(std::size_t token) const;

  const CText& text_;
};

/// Of a binary operator; 0 for other tokens.
int Reader::precedence(std::size_t token) const {
  std::string_view op = text_[token];
  if (assigns(token)) return 1;
  if (is_one_of(op, {"?", ":"})) return 2;
  if (op == "||") return 3;
  if (op == "&&") return 4;
  if (op == "|") return 5;
  if (op == "^") return 6;
  if (op == "&") return 7;
  if (is_one_of(op, {"==", "!="})) return 8;
  if (is_one_of(op, {"<", ">", "<=", ">="})) return 9;
  if (is_one_of(op, {"<<", ">>"})) return 10;
  if (is_one_of(op, {"+", "-"})) return 11;
  return is_one_of(op, {"*", "/", "%"}) ? 12 : 0;
}

/// Of the operand that ends here, with its prefixes.
std::size_t Reader::operand_start(std::size_t last) const {
  std::size_t at = last;
  if (at > 0 && doubled(at - 1)) at = at >= 2 ? at - 2 : 0;
  for (;;) {
    if (is_one_of(text_[at], {")", "]"})) at = text_.tokens()[at].match;
    if (at == 0) break;
    std::string_view before = text_[at - 1];
    bool chained = is_one_of(before, {".", "->"}) && at >= 2;
    bool applied = is_one_of(text_[at], {"(", "["}) && ends_operand(at - 1) &&
                   !is_one_of(before, {"if", "while", "for", "switch", "sizeof"});
    if (!chained && !applied) break;
    at -= chained ? 2 : 1;
  }
  for (; at > 0; --at) {
    bool unary = is_one_of(text_[at - 1], {"!", "~", "-", "+", "*", "&"}) &&
                 !(at >= 2 && ends_operand(at - 2));
    if (!unary) break;
  }
  return at;
}

std::size_t Reader::postfix_end(std::size_t at) const {
  if (text_[at] == "(") at = text_.tokens()[at].match;
  for (;;) {
    std::string_view next = text_[at + 1];
    if (is_one_of(next, {"(", "["}) && text_.tokens()[at + 1].match > at)
      at = text_.tokens()[at + 1].match;
    else if (is_one_of(next, {".", "->"}) && at + 2 < text_.tokens().size())
      at += 2;
    else
      break;
  }
  return doubled(at + 1) ? at + 2 : at;
}

/// Of the operand that starts here, with its prefixes and casts.
std::size_t Reader::operand_end(std::size_t at) const {
  while (is_one_of(text_[at], {"!", "~", "-", "+", "*", "&", "sizeof"})) ++at;
  while (text_[at] == "(" && text_.tokens()[at].match > at) {
    std::size_t close = text_.tokens()[at].match;
    if (!is_word(text_[close + 1]) && text_[close + 1] != "(") break;  // no cast
    at = close + 1;
    while (is_one_of(text_[at], {"!", "~", "-", "+", "*", "&"})) ++at;
  }
  return at < text_.tokens().size() ? postfix_end(at) : text_.tokens().size() - 1;
}

CSpan Reader::binary(std::size_t token) const {
  int strength = precedence(token);
  CSpan out{operand_start(token - 1), operand_end(token + width(token))};
  while (strength > 1 && out.first >= 2) {
    std::size_t before = out.first - 1;
    if (precedence(before) < strength || !ends_operand_before(before)) break;
    out.first = operand_start(before - 1);
  }
  for (;;) {
    std::size_t next = out.last + 1;
    int other = precedence(next);
    if (other == 0 || (strength > 1 && other <= strength)) break;
    out.last = operand_end(next + width(next));
  }
  return out;
}

CSpan Reader::around(std::size_t token) const {
  if (doubled(token)) {
    if (ends_operand_before(token)) return {operand_start(token + 1), token + 1};
    return {token, operand_end(token + 2)};
  }
  if (precedence(token) != 0 && ends_operand_before(token)) return binary(token);
  if (token > 0 && is_one_of(text_[token - 1], {".", "->"})) {
    return {operand_start(token), postfix_end(token)};
  }
  return {token, operand_end(token)};
}

/// With one blank for any number of them.
std::string Reader::words(CSpan span) const {
  std::string out;
  const auto& tokens = text_.tokens();
  std::size_t last = std::min(span.last, tokens.size() - 1);
  for (std::size_t i = span.first; i <= last; ++i) {
    out += text_[i];
    if (i < last && !touches(i)) out += ' ';
  }
  return out;
}

}  // namespace

std::optional<std::size_t> token_at(const CText& text, std::uint32_t line, std::uint32_t column) {
  std::optional<CSpan> span = text.line(line);
  if (!span) return {};
  for (std::size_t i = span->first; i <= span->last; ++i)
    if (text.tokens()[i].column == column && text.tokens()[i].line == line) return i;
  return {};
}

std::string arguments_text(const CText& text, std::size_t token) {
  std::size_t open = token + 1;
  if (text[open] != "(" || text.tokens()[open].match <= open + 1) return {};
  return Reader(text).words({open + 1, text.tokens()[open].match - 1});
}

std::string expression_text(const CText& text, std::size_t token) {
  if (token >= text.tokens().size()) return {};
  return Reader(text).words(Reader(text).around(token));
}

}  // namespace lem::ctext
