#include "frontend/st/pragmas.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

#include "base/try.h"
#include "frontend/st/lexer.h"

namespace lem::st {

namespace {

template <typename List>
bool is_in(const List& list, std::string_view key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

/// Words and symbols of a pragma, one by one.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  /// In lower case; a symbol is one character, the end is empty.
  std::string peek() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
    auto in_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    std::size_t size = 0;
    while (size < text_.size() && in_name(text_[size])) ++size;
    return lower(text_.substr(0, std::max<std::size_t>(size, 1)));
  }
  std::string next() {
    std::string out = peek();
    text_.remove_prefix(out.size());
    return out;
  }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

/// `defined (x)` with NOT, AND, OR and brackets. All parts are read, whatever the first ones say.
class Condition {
 public:
  using IsDefined = std::function<Result<bool>(const std::string&)>;
  Condition(std::string_view text, SourcePos at, IsDefined is_defined)
      : words_(text), at_(std::move(at)), is_defined_(std::move(is_defined)) {}

  Result<bool> run() {
    Result<bool> out = alternatives(0);
    if (out && !words_.peek().empty())
      return Error{at_, "unexpected '" + words_.peek() + "' in the condition of a pragma"};
    return out;
  }

 private:
  Result<bool> alternatives(int depth) {
    Result<bool> out = conjunction(depth);
    while (out && words_.peek() == "or") {
      words_.next();
      LEM_LET(bool right, conjunction(depth));
      out = *out || right;
    }
    return out;
  }

  Result<bool> conjunction(int depth) {
    Result<bool> out = part(depth);
    while (out && words_.peek() == "and") {
      words_.next();
      LEM_LET(bool right, part(depth));
      out = *out && right;
    }
    return out;
  }

  Result<bool> part(int depth) {
    if (depth > 50) return Error{at_, "the condition of a pragma is nested too deeply"};
    std::string word = words_.next();
    if (word == "not") {
      Result<bool> inner = part(depth + 1);
      return inner ? Result<bool>(!*inner) : inner;
    }
    if (word == "(") {
      Result<bool> inner = alternatives(depth + 1);
      if (inner && words_.next() != ")") return Error{at_, "expected ')' in a pragma"};
      return inner;
    }
    if (word != "defined")
      return Error{at_, "the condition '" + word + "' in a pragma is not supported"};
    bool open = words_.next() == "(";
    std::string name = words_.next();
    bool named = open && !name.empty() &&
                 (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_');
    if (!named) return Error{at_, "expected a name, as in {IF defined (name)}"};
    if (words_.peek() == ":")
      return Error{at_, "the condition 'defined (" + name + ": ...)' in a pragma is not supported"};
    if (words_.next() != ")") return Error{at_, "expected ')' in a pragma"};
    return is_defined_(name);
  }

  Words words_;
  SourcePos at_;
  IsDefined is_defined_;
};

}  // namespace

void ConditionalText::word(std::string_view key) {
  static constexpr std::array kEnds = {"end_function", "end_function_block", "end_program",
                                       "end_organization_block"};
  if (is_in(kEnds, key)) ++pous_;
}

/// A name that is defined in another POU of the file is neither: vendors have one file for each.
Result<bool> ConditionalText::holds(std::string_view condition, const SourcePos& at) const {
  return Condition(
             condition, at,
             [&](const std::string& name) -> Result<bool> {
               auto found = defined_.find(name);
               if (found != defined_.end() && found->second != pous_)
                 return Error{at, "'" + name + "' is defined in another part of the file"};
               if (found == defined_.end() && elsewhere_ != nullptr && elsewhere_->contains(name))
                 return Error{at, "'" + name + "' is defined in another part of the file"};
               return found != defined_.end();
             })
      .run();
}

Status ConditionalText::branch(const std::string& word, std::string_view rest,
                               const SourcePos& at) {
  if (word == "if") {
    Branch made{at, active()};
    branches_.push_back(made);
  } else if (branches_.empty()) {
    return Error{at, "a pragma '" + word + "' without an {IF}"};
  }
  Branch& here = branches_.back();
  if (word == "end_if") {
    branches_.pop_back();
    return Ok{};
  }
  if (word != "if" && here.last) return Error{at, "a pragma '" + word + "' behind {ELSE}"};
  bool open = here.outer && !here.decided;
  here.active = open;
  if (word == "else") {
    here.last = true;
  } else if (open) {  // a condition that decides nothing may be of any form
    LEM_LET(bool now, holds(rest, at));
    here.active = now;
  }
  here.decided = here.decided || here.active;
  return Ok{};
}

Status ConditionalText::define(const std::string& word, std::string_view rest,
                               const SourcePos& at) {
  if (!active()) return Ok{};
  Words words(rest);
  std::string name = words.next();
  if (name.empty()) return Error{at, "expected a name in the pragma '" + word + "'"};
  if (word == "define")
    defined_[name] = pous_, ever_.insert(name);
  else
    defined_.erase(name);
  return Ok{};
}

/// Other pragmas, such as attributes, have no part in what the program does, with some exceptions.
Status ConditionalText::pragma(std::string_view text, const SourcePos& at) {
  static constexpr std::array kBranches = {"if", "elsif", "else", "end_if"};
  static constexpr std::array kAlike = {"ifdef", "ifndef", "elif", "elseif", "endif", "include"};
  static constexpr std::array kForeign = {"external",        "no_init",
                                          "noinit",          "initialize_on_call",
                                          "call_after_init", "call_after_global_init_slot"};
  Words words(text);
  std::string word = words.next();
  if (word == "#" || word == "$") word = words.next();
  if (is_in(kBranches, word)) return branch(word, words.rest(), at);
  if (word == "define" || word == "undefine") return define(word, words.rest(), at);
  if (!active()) return Ok{};
  if (word == "error") return Error{at, "the program has an {error} here"};
  std::string_view what = word;
  std::string attribute;
  if (word == "attribute") {
    if (words.peek() == "'") words.next();
    attribute = words.next();
    while (words.peek() == "-") {  // no-init is no_init
      words.next();
      attribute += "_" + words.next();
    }
    what = attribute;
  }
  bool code = word.starts_with("__");  // of C, as matiec writes it
  if (is_in(kAlike, word) || is_in(kForeign, what) || code)
    return Error{at, "the pragma '" + std::string(what) + "' is not supported"};
  return Ok{};
}

Status ConditionalText::end() const {
  if (elsewhere_ != nullptr) elsewhere_->insert(ever_.begin(), ever_.end());
  if (branches_.empty()) return Ok{};
  return Error{branches_.back().at, "this {IF} has no {END_IF}"};
}

}  // namespace lem::st
