#include "frontend/lustre/lexer.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lem::lustre {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '~';
}
bool continues_word(char c) {
  return starts_word(c) || is_digit(c);
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

// Longest first.
constexpr std::array<std::string_view, 12> kLongSymbols = {
    "->", "=>", "<>", "<=", ">=", "::", ":=", "..", "<<", ">>", "&&", "||"};
constexpr std::string_view kShortSymbols = "()[]{},;:=<>+-*/.^#@|!'";

class Lexer {
 public:
  explicit Lexer(std::string_view bytes) : bytes_(bytes) {}

  Result<std::vector<Token>> run() {
    while (!at_end()) {
      if (is_blank(peek())) {
        advance(1);
        continue;
      }
      if (Status status = one(); !status) return status.error();
    }
    if (contract_end_.size() > 0) return error_at(contract_at_, "the contract is not closed");
    tokens_.push_back({TokenKind::End, place_, {}});
    return std::move(tokens_);
  }

 private:
  bool at_end() const { return at_ == bytes_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < bytes_.size() ? bytes_[at_ + ahead] : '\0';
  }
  bool sees(std::string_view text) const { return bytes_.substr(at_, text.size()) == text; }
  void advance(std::size_t count) {
    for (; count > 0; --count, ++at_) {
      ++place_.column;
      if (bytes_[at_] == '\n') place_ = {place_.line + 1, 1};
    }
  }
  Status emit(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, place_, bytes_.substr(at_, length)});
    advance(length);
    return Ok{};
  }
  void skip_line() {
    while (!at_end() && peek() != '\n') advance(1);
  }

  Status one();
  Status line_comment();
  Status block_comment(std::string_view close);
  Status number();
  Status string();
  std::optional<TokenKind> pragma_at(std::size_t ahead) const;

  std::string_view bytes_;
  std::size_t at_ = 0;
  Place place_{1, 1};
  std::vector<Token> tokens_;
  std::string_view contract_end_;  // "" outside contracts
  Place contract_at_;
};

Status Lexer::one() {
  char c = peek();
  if (sees("--")) return line_comment();
  if (!contract_end_.empty() && sees(contract_end_)) {
    contract_end_ = {};
    return emit(TokenKind::ContractClose, 2);
  }
  if (sees("(*")) return block_comment("*)");
  if (sees("/*")) return block_comment("*/");
  if (starts_word(c)) {
    std::size_t length = 1;
    while (continues_word(peek(length))) ++length;
    return emit(TokenKind::Word, length);
  }
  if (is_digit(c)) return number();
  if (c == '"') return string();
  for (std::string_view symbol : kLongSymbols)
    if (sees(symbol)) return emit(TokenKind::Symbol, symbol.size());
  if (c != '\0' && kShortSymbols.find(c) != kShortSymbols.npos) return emit(TokenKind::Symbol, 1);
  if (c > ' ' && c < '\x7f')
    return error_at(place_, std::string("unexpected character '") + c + "'");
  return error_at(place_, "unexpected byte " + std::to_string(static_cast<unsigned char>(c)));
}

/// The pragma word that starts `ahead` of here, if it is one that we read.
std::optional<TokenKind> Lexer::pragma_at(std::size_t ahead) const {
  std::size_t length = 0;
  while (continues_word(peek(ahead + length))) ++length;
  std::string_view word = bytes_.substr(at_ + ahead, length);
  if (word == "MAIN") return TokenKind::Main;
  if (word == "PROPERTY") return TokenKind::Property;
  return std::nullopt;
}

/// A pragma only when its mark follows the dashes at once: `--  --%PROPERTY x;` is a comment.
Status Lexer::line_comment() {
  if (peek(2) != '%' && peek(2) != '!') {
    skip_line();
    return Ok{};
  }
  std::size_t blanks = 0;
  while (peek(3 + blanks) == ' ' || peek(3 + blanks) == '\t') ++blanks;
  std::optional<TokenKind> kind = at_ + 3 < bytes_.size() ? pragma_at(3 + blanks) : std::nullopt;
  if (!kind) {
    skip_line();  // --%IVC and the like do not change verdicts
    return Ok{};
  }
  if (blanks > 0) return error_at(place_, "unsupported: blanks between '--%' and the pragma");
  return emit(*kind, *kind == TokenKind::Main ? 7 : 11);
}

Status Lexer::block_comment(std::string_view close) {
  Place open = place_;
  char mark = peek(2);
  if (mark == '@') {
    constexpr std::string_view kWord = "contract";
    if (bytes_.substr(std::min(at_ + 3, bytes_.size()), kWord.size()) != kWord)
      return error_at(open, "unsupported: annotation comment that is no contract");
    if (!contract_end_.empty()) return error_at(open, "a contract inside a contract");
    contract_end_ = close;
    contract_at_ = open;
    return emit(TokenKind::ContractOpen, 3 + kWord.size());
  }
  if ((mark == '%' || mark == '!') && pragma_at(3))
    return error_at(open, "unsupported: pragma in a block comment");
  std::size_t end = bytes_.find(close, at_ + 2);
  if (end == bytes_.npos) return error_at(open, "the comment is not closed");
  advance(end + 2 - at_);
  return Ok{};
}

static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

Status Lexer::number() {
  std::size_t length = 0;
  auto digits = [&] {
    while (is_digit(peek(length))) ++length;
  };
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X') && is_hex(peek(2))) {
    length = 2;
    while (is_hex(peek(length))) ++length;
    if (starts_word(peek(length)) || peek(length) == '.')
      return error_at(place_, "unsupported: this hexadecimal number");
    return emit(TokenKind::Integer, length);
  }
  digits();
  TokenKind kind = TokenKind::Integer;
  if (peek(length) == '.' && peek(length + 1) != '.') {
    kind = TokenKind::Decimal;
    ++length;
    digits();
  }
  if (peek(length) == 'e' || peek(length) == 'E') {
    std::size_t sign = peek(length + 1) == '+' || peek(length + 1) == '-' ? 1 : 0;
    if (is_digit(peek(length + 1 + sign))) {
      kind = TokenKind::Decimal;
      length += 1 + sign;
      digits();
    }
  }
  if (starts_word(peek(length)))
    return error_at(place_,
                    "ill-formed number '" + std::string(bytes_.substr(at_, length + 1)) + "'");
  return emit(kind, length);
}

Status Lexer::string() {
  std::size_t end = bytes_.find_first_of("\"\n", at_ + 1);
  if (end == bytes_.npos || bytes_[end] == '\n')
    return error_at(place_, "the string is not closed");
  tokens_.push_back({TokenKind::String, place_, bytes_.substr(at_ + 1, end - at_ - 1)});
  advance(end + 1 - at_);
  return Ok{};
}

}  // namespace

Result<std::vector<Token>> tokenize(std::string_view bytes) {
  return Lexer(bytes).run();
}

}  // namespace lem::lustre
