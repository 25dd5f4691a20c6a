#include "frontend/verilog/edits.h"

#include <algorithm>

#include "frontend/verilog/lexer.h"

namespace lem::verilog {

/// Writes words at their places; Yosys counts lines and columns as a reader of the file does.
class Edits::Layout {
 public:
  explicit Layout(const TokenList& text) : text_(text) {}

  void go_to(const Token& token) {
    if (stack_.empty() || stack_.back().file != token.file) enter(token.file);
    for (Position& at = stack_.back(); at.line < token.line; ++at.line, at.column = 1) out_ += '\n';
    Position& at = stack_.back();
    bool behind = at.line == token.line && at.column < token.column;
    if (behind) {
      out_ += std::string(token.column - at.column, ' ');
      at.column = token.column;
    }
  }
  /// `glued`: the text belongs to the number before it, as in 8'h`DIGITS.
  void write(const std::string& text, bool spaced, bool glued = false) {
    bool joins = !glued && !out_.empty() && is_name_char(out_.back()) && !text.empty() &&
                 is_name_char(text.front());
    if ((spaced || joins) && !out_.empty() && out_.back() != ' ' && out_.back() != '\n') {
      out_ += ' ';
      ++stack_.back().column;
    }
    out_ += text;
    std::size_t end = text.rfind('\n');
    if (end == text.npos)
      stack_.back().column += static_cast<std::uint32_t>(text.size());
    else  // inserted text leaves its own files before it ends
      stack_.back().column = static_cast<std::uint32_t>(text.size() - end);
  }
  std::string take() {
    while (!stack_.empty()) leave();
    return std::move(out_);
  }

 private:
  struct Position {
    std::uint32_t file, line, column;
  };

  void leave() {
    out_ += "`file_pop\n";
    stack_.pop_back();
    if (!stack_.empty()) stack_.back().column = 1;
  }
  void enter(std::uint32_t file) {
    std::vector<std::uint32_t> path;
    for (std::uint32_t each = file; each != TokenFile::kNone; each = text_.files[each].parent)
      path.insert(path.begin(), each);
    while (!stack_.empty() && std::find(path.begin(), path.end(), stack_.back().file) == path.end())
      leave();
    for (std::size_t i = stack_.size(); i < path.size(); ++i) {
      out_ += " `file_push \"" + text_.files[path[i]].name + "\"\n";
      stack_.push_back({path[i], 1, 1});
    }
  }

  const TokenList& text_;  // borrowed
  std::string out_;
  std::vector<Position> stack_;  // nested by inclusions
};

bool Edits::replaces(std::size_t token) const {
  auto next = replaced_.upper_bound(token);
  return std::any_of(replaced_.begin(), next,
                     [&](const auto& each) { return each.second.range.last > token; });
}

std::string Edits::words(Range range) const {
  std::string out;
  for (std::size_t i = range.first; i < range.last;) {
    const Token& token = design_.text.tokens[i];
    auto edit = replaced_.find(i);
    bool replaced = edit != replaced_.end() && edit->second.range.last <= range.last;
    bool after_escape = i > range.first && design_.text.tokens[i - 1].kind == TokenKind::Escaped;
    if (!out.empty() && (token.spaced || after_escape)) out += ' ';
    out += replaced ? edit->second.text : token.text;
    i = replaced ? edit->second.range.last : i + 1;
  }
  if (!range.empty() && design_.text.tokens[range.last - 1].kind == TokenKind::Escaped) out += ' ';
  return out;
}

static std::uint32_t root_of(const TokenList& text, std::uint32_t file) {
  while (text.files[file].parent != TokenFile::kNone) file = text.files[file].parent;
  return file;
}

std::vector<std::string> Edits::texts() const {
  const std::vector<Token>& all = design_.text.tokens;
  std::vector<std::string> out;
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < design_.text.files.size(); ++i)
    if (design_.text.files[i].parent == TokenFile::kNone) roots.push_back(i);
  std::size_t i = 0;
  for (std::uint32_t root : roots) {
    Layout layout(design_.text);
    while (i < all.size() && root_of(design_.text, all[i].file) == root) {
      layout.go_to(all[i]);
      if (auto text = before_.find(i); text != before_.end()) layout.write(text->second, true);
      auto edit = replaced_.find(i);
      std::size_t last = edit == replaced_.end() ? i + 1 : edit->second.range.last;
      bool spaced = all[i].spaced || (i > 0 && all[i - 1].kind == TokenKind::Escaped);
      bool glued = edit == replaced_.end() && !spaced && i > 0 &&
                   all[i - 1].kind == TokenKind::Number && !replaces(i - 1);
      layout.write(edit == replaced_.end() ? all[i].text : edit->second.text, spaced, glued);
      for (auto text = after_.lower_bound(i); text != after_.end() && text->first < last; ++text)
        layout.write(text->second, true);
      i = last;
    }
    out.push_back(layout.take() + "\n");
  }
  return out;
}

}  // namespace lem::verilog
