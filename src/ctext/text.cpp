#include "ctext/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <memory>

namespace lem::ctext {

static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

static bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

CText::CText(std::string text) : text_(std::make_unique<const std::string>(std::move(text))) {
  scan();
  match_brackets();
  find_functions();
}

Result<CText> CText::read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{{path}, "cannot read the file", ErrorKind::NotFound};
  return CText(std::string(std::istreambuf_iterator<char>(in), {}));
}

std::string_view base_name(std::string_view name) {
  return name.substr(0, name.find_first_of(".["));
}

// Tokens ----------------------------------------------------------------------------------------

/// The end of a string or character constant that starts at `at`.
static std::size_t end_of_quote(const std::string& text, std::size_t at) {
  char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// Words, numbers and quotes whole; operators of several characters only where a single one of
/// them would be misread.
static std::size_t end_of_token(const std::string& text, std::size_t at) {
  if (text[at] == '"' || text[at] == '\'') return end_of_quote(text, at);
  if (!is_word(text[at])) {
    static constexpr std::array<std::string_view, 9> kPairs = {"==", "!=", "<=", ">=", "->",
                                                               "&&", "||", "<<", ">>"};
    std::string_view pair = std::string_view(text).substr(at, 2);
    return at + (std::find(kPairs.begin(), kPairs.end(), pair) == kPairs.end() ? 1 : 2);
  }
  bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  std::size_t start = at;
  auto in_number = [&] {  // 1.5, 1e-3, 0x1p+4
    bool sign = text[at] == '+' || text[at] == '-';
    return text[at] == '.' ||
           (sign && at > start &&
            std::string_view("eEpP").find(text[at - 1]) != std::string_view::npos);
  };
  while (at < text.size() && (is_word(text[at]) || (number && in_number()))) ++at;
  return at;
}

/// `# 12 "name"` and `#line 12 "name"`: the next line is called 12.
void CText::directive(std::string_view words) {
  std::size_t digit = words.find_first_not_of(" \t#");
  if (digit != kNone && words.substr(digit).starts_with("line"))
    digit = words.find_first_not_of(" \t", digit + 4);
  if (digit == kNone || std::isdigit(static_cast<unsigned char>(words[digit])) == 0) return;
  std::from_chars(words.data() + digit, words.data() + words.size(), next_line_);
  std::size_t open = words.find('"'), close = words.rfind('"');
  if (open == close) return;
  std::string name(words.substr(open + 1, close - open - 1));
  auto known = std::find(files_.begin(), files_.end(), name);
  file_ = static_cast<std::uint32_t>(known - files_.begin()) + 1;
  if (known == files_.end()) files_.push_back(name);
}

void CText::scan() {
  const std::string& text = *text_;
  std::uint32_t row = 1, line = 1;
  std::size_t row_start = 0;
  bool fresh = true;  // nothing but blanks on this row yet
  auto new_row = [&](std::size_t start) {
    ++row;
    ++line;
    row_start = start;
    fresh = true;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      new_row(++at);
    } else if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      std::size_t end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
      for (; at < end; ++at)
        if (text[at] == '\n') new_row(at + 1);
    } else if (text[at] == '#' && fresh) {
      std::size_t end = at;
      do end = std::min(text.find('\n', end + 1), text.size());
      while (end < text.size() && text[end - 1] == '\\');
      next_line_ = 0;
      directive(std::string_view(text).substr(at, end - at));
      for (; at < end; ++at)
        if (text[at] == '\n') new_row(at + 1);
      if (next_line_ != 0) line = next_line_ - 1;
    } else {
      std::size_t end = end_of_token(text, at);
      tokens_.push_back({std::string_view(text).substr(at, end - at), line, row,
                         static_cast<std::uint32_t>(at - row_start) + 1, file_, at});
      fresh = false;
      at = end;
    }
  }
}

void CText::match_brackets() {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    std::string_view text = tokens_[i].text;
    bool closes = text == ")" || text == "]" || text == "}";
    if (closes && !open.empty()) {
      tokens_[i].match = open.back();
      tokens_[open.back()].match = i;
      open.pop_back();
    }
    around_.push_back(open.empty() ? kNone : open.back());
    if (text == "(" || text == "[" || text == "{") open.push_back(i);
  }
}

/// name ( ... ) { at the top, whatever attributes are between.
void CText::find_functions() {
  std::size_t head = kNone;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    std::string_view text = tokens_[i].text;
    if (text == ";" || text == "=" || text == "}") head = kNone;
    if (text == "(" && i > 0 && is_word(tokens_[i - 1].text[0]) && head == kNone &&
        !tokens_[i - 1].text.starts_with("__attribute"))
      head = i - 1;
    if (text == "{" && head != kNone && tokens_[i].match != 0) {
      functions_.push_back({std::string(tokens_[head].text), head, i, tokens_[i].match});
      if (functions_.back().name == "main") main_file_ = tokens_[head].file;
      head = kNone;
    }
    bool opens = text == "(" || text == "[" || text == "{";
    if (opens && tokens_[i].match > i) i = tokens_[i].match;
  }
}

// Places ----------------------------------------------------------------------------------------

std::optional<CSpan> CText::line(std::uint32_t number) const {
  std::optional<CSpan> out;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].line != number || tokens_[i].file != main_file_) continue;
    if (!out) out = CSpan{i, i};
    if (out->last + 1 >= i) out->last = i;  // a line that a marker repeats is taken once
  }
  return out;
}

std::string CText::line_text(std::uint32_t number) const {
  std::optional<CSpan> span = line(number);
  if (!span) return {};
  std::size_t start = tokens_[span->first].offset;
  std::size_t end = tokens_[span->last].offset + tokens_[span->last].text.size();
  return text_->substr(start, end - start);
}

const CFunction* CText::function_of(std::size_t token) const {
  for (const CFunction& function : functions_)
    if (function.head <= token && token <= function.close) return &function;
  return nullptr;
}

std::optional<std::size_t> CText::enclosing(std::size_t token) const {
  if (token >= around_.size() || around_[token] == kNone) return {};
  return around_[token];
}

std::size_t CText::statement_end(std::size_t first) const {
  // Labels first, one after the other.
  for (;; first += 2) {
    std::size_t colon = first + 1;
    if ((*this)[first] == "case")
      while (colon < tokens_.size() && (*this)[colon] != ":") ++colon;
    if ((*this)[colon] != ":" || colon + 1 >= tokens_.size()) break;
    first = colon - 1;
  }
  std::string_view text = (*this)[first];
  if (text == "{" && tokens_[first].match > first) return tokens_[first].match;
  bool has_head = text == "if" || text == "while" || text == "for" || text == "switch";
  if (has_head && (*this)[first + 1] == "(" && tokens_[first + 1].match > first) {
    std::size_t end = statement_end(tokens_[first + 1].match + 1);
    return text == "if" && (*this)[end + 1] == "else" ? statement_end(end + 2) : end;
  }
  if (text == "do") first = statement_end(first + 1) + 1;
  for (std::size_t i = first; i < tokens_.size(); ++i) {
    if (tokens_[i].text == ";") return i;
    if (tokens_[i].match > i) i = tokens_[i].match;
  }
  return tokens_.empty() ? 0 : tokens_.size() - 1;
}

CSpan CText::scope_of(std::size_t declaration) const {
  std::optional<std::size_t> around = enclosing(declaration);
  if (!around) return {declaration, tokens_.size()};
  std::size_t close = tokens_[*around].match;
  if (close < declaration) return {declaration, tokens_.size()};  // never closed
  if (tokens_[*around].text == "{") return {declaration, close};
  if (*around > 0 && (*this)[*around - 1] == "for") return {declaration, statement_end(close + 1)};
  const CFunction* function = function_of(declaration);
  return {declaration, function == nullptr ? declaration : function->close};
}

std::optional<std::size_t> CText::declaration(std::string_view name, std::uint32_t number) const {
  std::optional<CSpan> span = line(number);
  if (!span) return {};
  for (std::size_t i = span->first; i <= span->last; ++i)
    if (tokens_[i].text == base_name(name) && (i == 0 || tokens_[i - 1].text != ".")) return i;
  return {};
}

}  // namespace lem::ctext
