#include "frontend/verilog/properties.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "frontend/verilog/preprocessed.h"

namespace lem::verilog {

namespace {

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::string out(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name_char(text[end])) ++end;
  return text.substr(std::min(at, text.size()), end - at);
}

std::size_t after_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// Behind the bracket that closes the one at `open`; npos without one.
std::size_t after_brackets(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size();) {
    char c = text[at];
    if (c == '"') {
      at = after_string(text, at);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    ++at;
    if (depth == 0) return at;
  }
  return text.npos;
}

/// A concurrent assertion, taken apart.
struct Claim {
  std::string clock;    // posedge clk
  std::string disable;  // empty: never
  std::string premise;  // empty: none
  bool next = false;    // |=>
  std::string holds;
};

/// Words and signs that take more than an expression and an implication.
bool is_plain(std::string_view text) {
  static constexpr std::array<std::string_view, 14> kWords = {
      "not",        "and", "or",     "throughout", "until",     "within",  "s_eventually",
      "eventually", "if",  "always", "nexttime",   "intersect", "implies", "first_match"};
  if (text.find("##") != text.npos || text.find("[*") != text.npos ||
      text.find("[=") != text.npos || text.find("[->") != text.npos ||
      text.find("|->") != text.npos || text.find("|=>") != text.npos ||
      text.find('@') != text.npos || text.find("#-#") != text.npos || text.find(';') != text.npos)
    return false;
  for (std::size_t at = 0; at < text.size();) {
    std::string_view word = word_at(text, at);
    if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return false;
    at += std::max<std::size_t>(word.size(), 1);
  }
  return !trimmed(text).empty();
}

/// The first implication outside of brackets.
std::size_t find_implication(std::string_view text) {
  for (std::size_t at = 0; at + 2 < text.size();) {
    if (text[at] == '"') {
      at = after_string(text, at);
    } else if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
      at = after_brackets(text, at);
      if (at == text.npos) return at;
    } else if (text.substr(at, 3) == "|->" || text.substr(at, 3) == "|=>") {
      return at;
    } else {
      ++at;
    }
  }
  return text.npos;
}

class Rewriter {
 public:
  Rewriter(const std::string& file, std::string_view text, MovedStatements& moved)
      : in_(text), moved_(moved), files_{{file, 1}} {}

  std::string run() {
    find_blocks();
    while (at_ < in_.size()) {
      char c = in_[at_];
      if (c == '"') {
        copy(after_string(in_, at_) - at_);
      } else if (c == '`') {
        directive();
      } else if (c == '\\') {
        while (at_ < in_.size() && !is_blank(in_[at_])) copy(1);
      } else if (is_name_char(c)) {
        word();
      } else {
        copy(1);
      }
    }
    return std::move(out_);
  }

 private:
  struct File {
    std::string name;
    std::uint32_t line;
  };

  /// Copies, counting lines.
  void copy(std::size_t count) {
    for (; count > 0 && at_ < in_.size(); --count, ++at_) {
      if (in_[at_] == '\n') ++files_.back().line;
      out_ += in_[at_];
    }
  }
  /// Leaves out up to `end`, but for line ends.
  void drop(std::size_t end) {
    for (; at_ < std::min(end, in_.size()); ++at_)
      if (in_[at_] == '\n') {
        ++files_.back().line;
        out_ += '\n';
      }
  }
  std::size_t column(std::size_t at, std::string_view text) const {
    std::size_t start = at == 0 ? text.npos : text.rfind('\n', at - 1);
    return start == text.npos ? at + 1 : at - start;
  }
  void directive() {
    std::string_view name = word_at(in_, at_ + 1);
    std::size_t line_end = std::min(in_.find('\n', at_), in_.size());
    if (name == "file_push") {
      std::size_t open = in_.find('"', at_), close = in_.rfind('"', line_end);
      bool named = open != in_.npos && close != in_.npos && close > open && close < line_end;
      std::string file(named ? in_.substr(open + 1, close - open - 1) : "");
      copy(line_end - at_);
      files_.push_back({file, 0});
    } else if (name == "file_pop" && files_.size() > 1) {
      files_.pop_back();
      out_ += in_.substr(at_, std::min(line_end + 1, in_.size()) - at_);
      at_ = std::min(line_end + 1, in_.size());
    } else {
      copy(1 + name.size());
    }
  }

  /// property NAME; ... endproperty
  void find_blocks() {
    for (std::size_t at = 0; (at = in_.find("endproperty", at)) != in_.npos; ++at) {
      std::size_t start = in_.rfind("property", at - 1);
      if (start == in_.npos || (start > 0 && is_name_char(in_[start - 1]))) continue;
      std::size_t name_from = skip_blanks(in_, start + 8);
      std::string name(word_at(in_, name_from));
      std::size_t end = skip_blanks(in_, name_from + name.size());
      if (name.empty() || end >= in_.size() || in_[end] != ';') continue;
      std::string body = trimmed(in_.substr(end + 1, at - end - 1));
      while (!body.empty() && (body.back() == ';' || is_blank(body.back()))) body.pop_back();
      blocks_[name] = body;
    }
  }

  std::optional<Claim> take_apart(std::string text) const {
    if (auto block = blocks_.find(trimmed(text)); block != blocks_.end()) text = block->second;
    Claim out{clock_, disable_, {}, false, {}};
    std::string_view rest = text;
    auto skip = [&] { rest.remove_prefix(std::min(skip_blanks(rest, 0), rest.size())); };
    skip();
    if (rest.starts_with('@')) {
      std::size_t open = skip_blanks(rest, 1);
      std::size_t end =
          open < rest.size() && rest[open] == '(' ? after_brackets(rest, open) : rest.npos;
      if (end == rest.npos) return {};
      out.clock = trimmed(rest.substr(open + 1, end - open - 2));
      rest.remove_prefix(end);
      skip();
    }
    bool edge = out.clock.starts_with("posedge ") || out.clock.starts_with("negedge ");
    if (!edge || !is_plain(out.clock) || out.clock.find(',') != std::string::npos ||
        out.clock.find(" iff ") != std::string::npos)
      return {};
    if (word_at(rest, 0) == "disable") {
      rest.remove_prefix(7);
      skip();
      if (word_at(rest, 0) != "iff") return {};
      std::size_t open = skip_blanks(rest, 3);
      std::size_t end =
          open < rest.size() && rest[open] == '(' ? after_brackets(rest, open) : rest.npos;
      if (end == rest.npos) return {};
      out.disable = trimmed(rest.substr(open, end - open));
      rest.remove_prefix(end);
      skip();
    }
    std::size_t implies = find_implication(rest);
    if (implies != rest.npos) {
      out.premise = trimmed(rest.substr(0, implies));
      out.next = rest[implies + 1] == '=';
      rest.remove_prefix(implies + 3);
      if (!is_plain(out.premise)) return {};
    }
    out.holds = trimmed(rest);
    if (!is_plain(out.holds) || (!out.disable.empty() && !is_plain(out.disable))) return {};
    return out;
  }

  /// Behind `;`, or behind `else $error(...);`.
  std::optional<std::size_t> statement_end(std::size_t at) const {
    at = skip_blanks(in_, at);
    if (word_at(in_, at) == "else") {
      at = skip_blanks(in_, at + 4);
      std::string_view task = word_at(in_, at);
      if (!task.starts_with('$')) return {};
      at = skip_blanks(in_, at + task.size());
      if (at < in_.size() && in_[at] == '(') {
        at = after_brackets(in_, at);
        if (at == in_.npos) return {};
        at = skip_blanks(in_, at);
      }
    }
    if (at >= in_.size() || in_[at] != ';') return {};
    return at + 1;
  }

  void word() {
    std::string_view name = word_at(in_, at_);
    if (name == "endmodule") clock_ = disable_ = "";
    if (name == "property" && drop_block()) return;
    if (name == "default" && take_default()) return;
    bool statement = name == "assert" || name == "assume" || name == "cover";
    if (statement && (concurrent(name) || immediate(name))) return;
    copy(name.size());
  }

  bool drop_block() {
    std::size_t from = skip_blanks(in_, at_ + 8);
    if (!blocks_.contains(std::string(word_at(in_, from)))) return false;
    std::size_t end = in_.find("endproperty", from);
    if (end == in_.npos) return false;
    drop(end + 11);
    std::size_t label = skip_blanks(in_, at_);  // endproperty : name
    if (label < in_.size() && in_[label] == ':')
      drop(skip_blanks(in_, label + 1) + word_at(in_, skip_blanks(in_, label + 1)).size());
    return true;
  }

  bool take_default() {
    std::size_t at = skip_blanks(in_, at_ + 7);
    std::string_view what = word_at(in_, at);
    std::size_t end = in_.find(';', at);
    if (end == in_.npos) return false;
    if (what == "clocking") {
      std::size_t open = in_.find("@", at);
      std::size_t close = in_.find("endclocking", end);
      if (open == in_.npos || open > end || close == in_.npos) return false;
      std::size_t bracket = skip_blanks(in_, open + 1);
      std::size_t behind =
          bracket < in_.size() && in_[bracket] == '(' ? after_brackets(in_, bracket) : in_.npos;
      if (behind == in_.npos || skip_blanks(in_, end + 1) != close) return false;
      clock_ = trimmed(in_.substr(bracket + 1, behind - bracket - 2));
      drop(close + 11);
      return true;
    }
    if (what != "disable") return false;
    std::size_t iff = skip_blanks(in_, at + 7);
    if (word_at(in_, iff) != "iff") return false;
    disable_ = "(" + trimmed(in_.substr(iff + 3, end - iff - 3)) + ")";
    drop(end + 1);
    return true;
  }

  bool concurrent(std::string_view kind) {
    std::size_t at = skip_blanks(in_, at_ + kind.size());
    if (word_at(in_, at) != "property") return false;
    std::size_t open = skip_blanks(in_, at + 8);
    if (open >= in_.size() || in_[open] != '(') return false;
    std::size_t close = after_brackets(in_, open);
    if (close == in_.npos) return false;
    std::optional<std::size_t> end = statement_end(close);
    std::optional<Claim> claim = take_apart(std::string(in_.substr(open + 1, close - open - 2)));
    if (!end || !claim || (kind == "cover" && !claim->premise.empty())) return false;
    write(std::string(kind), *claim);
    drop(*end);
    return true;
  }

  /// The label that was copied last, taken back.
  std::string take_label() {
    std::size_t colon = out_.find_last_not_of(" \t\r\n");
    if (colon == out_.npos || out_[colon] != ':') return {};
    std::size_t last = colon == 0 ? out_.npos : out_.find_last_not_of(" \t\r\n", colon - 1);
    if (last == out_.npos || !is_name_char(out_[last])) return {};
    std::size_t first = last;
    while (first > 0 && is_name_char(out_[first - 1])) --first;
    std::string label = out_.substr(first, last - first + 1);
    std::string lines;
    for (std::size_t i = first; i < out_.size(); ++i)
      if (out_[i] == '\n') lines += '\n';
    out_.resize(first);
    out_ += lines;
    return label + ": ";
  }

  void write(const std::string& kind, const Claim& claim) {
    std::size_t before = column(at_, in_);
    std::string label = take_label();
    std::string enabled = claim.disable.empty() ? "" : "if (!" + claim.disable + ") ";
    std::string formula = "(" + claim.holds + ")";
    std::string always = "always @(" + claim.clock + ") ";
    if (claim.next) {
      std::string kept = "premise_" + std::to_string(files_.back().line) +
                         (count_ == 0 ? "" : "_" + std::to_string(count_));
      ++count_;
      std::string now = "(" + claim.premise + ")";
      if (!claim.disable.empty()) now = "!" + claim.disable + " && " + now;
      out_ += "reg " + kept + " = 0; " + always + kept + " <= " + now + "; ";
      formula = "(!" + kept + " || " + formula + ")";
    } else if (!claim.premise.empty()) {
      formula = "(!(" + claim.premise + ") || " + formula + ")";
    }
    out_ += always + enabled;
    auto now = static_cast<std::uint32_t>(column(out_.size(), out_));
    moved_[{files_.back().name, files_.back().line}].push_back(
        {now, static_cast<std::uint32_t>(before)});
    out_ += label + kind + " " + formula + ";";
  }

  /// `assert (x) else $error("...");`: what is said is not done.
  bool immediate(std::string_view kind) {
    std::size_t open = skip_blanks(in_, at_ + kind.size());
    if (word_at(in_, open) == "property") open = skip_blanks(in_, open + 8);
    if (open >= in_.size() || in_[open] != '(') return false;
    std::size_t close = after_brackets(in_, open);
    if (close == in_.npos || word_at(in_, skip_blanks(in_, close)) != "else") return false;
    std::optional<std::size_t> end = statement_end(close);
    if (!end) return false;
    copy(close - at_);
    drop(*end - 1);
    return true;
  }

  std::string_view in_;
  std::string out_;
  MovedStatements& moved_;
  std::vector<File> files_;  // nested by includes
  std::size_t at_ = 0;
  std::map<std::string, std::string> blocks_;
  std::string clock_, disable_;  // defaults of the module
  std::size_t count_ = 0;
};

}  // namespace

std::string plain_properties(const std::string& file, std::string_view text,
                             MovedStatements& moved) {
  return Rewriter(file, text, moved).run();
}

}  // namespace lem::verilog
