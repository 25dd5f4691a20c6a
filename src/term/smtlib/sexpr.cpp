#include "term/smtlib/sexpr.h"

#include <algorithm>
#include <utility>

namespace lem::smtlib {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}
bool ends_atom(char c) {
  return is_blank(c) || c == '(' || c == ')' || c == ';' || c == '"' || c == '|';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
template <class Test>
bool all_of(std::string_view text, Test test) {
  return !text.empty() && std::all_of(text.begin(), text.end(), test);
}

}  // namespace

class Reader {
 public:
  Reader(const std::string& path, std::string_view text) : text_(text) { document_.path_ = path; }

  Result<Document> run() {
    while (skip_blanks()) {
      char c = text_[at_];
      Status status = c == '(' ? open() : c == ')' ? close() : atom();
      if (!status) return status.error();
    }
    if (!open_.empty()) return document_.error(open_.back(), "'(' is never closed");
    document_.top_ = std::move(items_);
    return std::move(document_);
  }

 private:
  /// False at the end of the text.
  bool skip_blanks() {
    for (; at_ < text_.size(); advance()) {
      if (text_[at_] == ';') skip_comment();
      if (at_ == text_.size() || !is_blank(text_[at_])) break;
    }
    return at_ < text_.size();
  }
  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  void advance() {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }
  Sexpr here() const {
    Sexpr expr;
    expr.line = line_;
    expr.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
    return expr;
  }

  Status open() {
    open_.push_back(here());
    starts_.push_back(items_.size());
    advance();
    return Ok{};
  }
  Status close() {
    if (open_.empty()) return document_.error(here(), "')' without '('");
    auto first = items_.begin() + static_cast<std::ptrdiff_t>(starts_.back());
    Sexpr list = open_.back();
    const auto& kept = document_.lists_.emplace_back(first, items_.end());
    list.items_ = kept.data();
    list.size_ = kept.size();
    items_.erase(first, items_.end());
    items_.push_back(list);
    open_.pop_back();
    starts_.pop_back();
    advance();
    return Ok{};
  }

  Status atom() {
    if (text_[at_] == '|') return delimited('|', Token::Symbol, "quoted symbol");
    if (text_[at_] == '"') return delimited('"', Token::String, "string");
    Sexpr expr = here();
    std::size_t start = at_;
    while (at_ < text_.size() && !ends_atom(text_[at_])) ++at_;
    expr.text = text_.substr(start, at_ - start);
    if (!classify(expr)) return document_.error(expr, "malformed literal " + describe(expr));
    items_.push_back(expr);
    return Ok{};
  }
  Status delimited(char quote, Token kind, const char* what) {
    Sexpr expr = here();
    expr.kind = kind;
    advance();
    std::size_t start = at_;
    while (at_ < text_.size()) {
      bool doubled = quote == '"' && text_.substr(at_, 2) == "\"\"";
      if (text_[at_] == quote && !doubled) break;
      advance();
      if (doubled) advance();
    }
    if (at_ == text_.size())
      return document_.error(expr, "this " + std::string(what) + " is never closed");
    expr.text = text_.substr(start, at_ - start);
    advance();
    items_.push_back(expr);
    return Ok{};
  }
  static bool classify(Sexpr& expr) {
    std::string_view text = expr.text;
    expr.kind = text[0] == ':' ? Token::Keyword : Token::Symbol;
    if (is_digit(text[0])) {
      std::size_t dot = text.find('.');
      expr.kind = dot == text.npos ? Token::Numeral : Token::Decimal;
      return all_of(text.substr(0, dot), is_digit) &&
             (dot == text.npos || all_of(text.substr(dot + 1), is_digit));
    }
    if (text[0] == '#') {
      bool binary = text.starts_with("#b");
      if (!binary && !text.starts_with("#x")) return false;
      std::string_view digits = text.substr(2);
      if (!(binary ? all_of(digits, [](char c) { return c == '0' || c == '1'; })
                   : all_of(digits, is_hex)))
        return false;
      expr.kind = binary ? Token::Binary : Token::Hex;
      expr.text = digits;
      return true;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::vector<Sexpr> items_;         // of all open lists, innermost last
  std::vector<Sexpr> open_;          // their opening parentheses
  std::vector<std::size_t> starts_;  // and where their items begin
  Document document_;
};

Result<Document> read_document(const std::string& path, std::string_view text) {
  return Reader(path, text).run();
}

std::string describe(const Sexpr& expr) {
  if (expr.is_list()) {
    if (expr.size() == 0) return "'()'";
    if (expr[0].is_list()) return "a list";
    return "'(" + std::string(expr[0].text.substr(0, 40)) + (expr.size() > 1 ? " ...)'" : ")'");
  }
  std::string_view mark = expr.kind == Token::Binary ? "#b" : expr.kind == Token::Hex ? "#x" : "";
  std::string text = "'" + std::string(mark);
  for (char c : expr.text.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (expr.text.size() > 40 ? "...'" : "'");
}

}  // namespace lem::smtlib
