#include "frontend/verilog/preprocessor.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "frontend/verilog/lexer.h"

namespace lem::verilog {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDeepest = 100;            // inclusions and macros inside each other
constexpr std::size_t kMostTokens = 20'000'000;  // of a design; macros can make any number
constexpr std::size_t kMostUses = 1'000'000;     // of macros
constexpr std::size_t kMostFiles = 10'000;       // inclusions
constexpr std::size_t kLongestBody = 1 << 24;    // of a macro with its arguments
constexpr std::size_t kLongestWord = 10'000;     // Yosys has a buffer of 16 KiB

struct Macro {
  bool has_arguments = false;
  std::vector<std::string> names;
  std::vector<std::optional<std::string>> defaults;
  std::string body;
};

std::string trimmed(const std::string& text) {
  std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::optional<std::string> content_of(const std::string& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return {};
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// The body with the arguments in the places of the names; `` joins words, `" makes strings.
std::string filled(const Macro& macro, const std::vector<std::string>& arguments) {
  const std::string& body = macro.body;
  std::string out;
  bool quoted = false;
  for (std::size_t at = 0; at < body.size() && out.size() <= kLongestBody;) {
    if (body.compare(at, 2, "``") == 0) {
      at += 2;
    } else if (body.compare(at, 4, "`\\`\"") == 0) {
      out += "\\\"";
      at += 4;
    } else if (body.compare(at, 2, "`\"") == 0) {
      out += '"';
      at += 2;
    } else if (quoted || body[at] == '"') {
      if (body[at] == '"') quoted = !quoted;
      if (body[at] == '\\' && at + 1 < body.size()) out += body[at++];
      out += body[at++];
    } else if (is_name_char(body[at])) {
      std::size_t end = at;
      while (end < body.size() && is_name_char(body[end])) ++end;
      std::string word = body.substr(at, end - at);
      auto name = std::find(macro.names.begin(), macro.names.end(), word);
      auto index = static_cast<std::size_t>(name - macro.names.begin());
      out += name == macro.names.end() ? word : arguments[index];
      at = end;
    } else {
      out += body[at++];
    }
  }
  return out;
}

class Preprocessor {
 public:
  Preprocessor(const PreprocessorInput& input, TokenList& out) : input_(input), out_(out) {}

  Status run();

 private:
  /// A text that is being read: a file, or what a macro stands for.
  struct Input {
    Lexer text;
    std::uint32_t file;
    std::optional<Token> use;  // of the macro
    std::size_t conditions;    // open where it starts
    std::string folder;        // of the file
  };
  /// `ifdef: whether this branch is read, whether one was, and whether what is around it is read.
  struct Condition {
    bool reads, done, last, around;
    Token at;
  };

  bool reading() const {
    return conditions_.empty() || (conditions_.back().reads && conditions_.back().around);
  }
  void fail(const Token& at, std::string message) {
    if (!error_) error_ = Error{out_.place(at), std::move(message), ErrorKind::BadInput};
  }
  Token placed(Token token) const;
  void directive(const Token& at);
  bool condition(const Token& at);
  bool ignored(const Token& at);
  void define(const Token& at);
  void undefine();
  void include(const Token& at);
  std::optional<std::string> find_include(const std::string& name) const;
  bool may_read(const std::string& path) const;
  void open(const std::string& name, std::string text, std::uint32_t parent);
  void use(const Token& at);
  void predefine();
  void close();
  std::string word();

  const PreprocessorInput& input_;  // borrowed, as the next
  TokenList& out_;
  std::vector<Input> inputs_;
  std::vector<Condition> conditions_;
  std::map<std::string, Macro, std::less<>> macros_;
  bool implicit_nets_ = true;
  std::size_t uses_ = 0, text_used_ = 0;  // of macros
  std::optional<Error> error_;
};

Token Preprocessor::placed(Token token) const {
  const Input& from = inputs_.back();
  token.file = from.file;
  token.implicit_nets = implicit_nets_;
  if (from.use) {
    token.line = from.use->line;
    token.column = from.use->column;
  }
  return token;
}

void Preprocessor::open(const std::string& name, std::string text, std::uint32_t parent) {
  auto file = static_cast<std::uint32_t>(out_.files.size());
  out_.files.push_back({name, parent, input_.system});
  inputs_.push_back({Lexer(std::move(text)),
                     file,
                     {},
                     conditions_.size(),
                     fs::path(name).parent_path().string()});
}

void Preprocessor::predefine() {
  std::vector<std::string> all = {"YOSYS"};  // as Yosys has it: designs ask for it
  all.insert(all.end(), input_.defines.begin(), input_.defines.end());
  for (const std::string& each : all) {
    std::size_t equals = each.find('=');
    macros_[each.substr(0, equals)].body = equals == each.npos ? "1" : each.substr(equals + 1);
  }
}

Status Preprocessor::run() {
  predefine();
  std::optional<std::string> text = content_of(input_.file);
  if (!text) return Error{{input_.file}, "cannot read the file: no such file", ErrorKind::NotFound};
  open(input_.file, *std::move(text), TokenFile::kNone);
  while (!inputs_.empty() && !error_) {
    RawToken raw = inputs_.back().text.next();
    if (raw.kind == RawKind::End) {
      close();
      continue;
    }
    Token token = placed(std::move(raw.token));
    if (raw.kind == RawKind::Directive)
      directive(token);
    else if (!reading())
      continue;
    else if (raw.kind == RawKind::Wrong)
      fail(token, token.text);
    else if (token.text.size() > kLongestWord)
      fail(token, "the word is too long");
    else
      out_.tokens.push_back(std::move(token));
    if (out_.tokens.size() > kMostTokens) fail(token, "the design is too large");
  }
  if (error_) return *error_;
  return Ok{};
}

void Preprocessor::close() {
  const Input& last = inputs_.back();
  if (Lexer::Place open = last.text.open_comment(); open.line != 0) {
    Token at;
    at.line = open.line;
    at.column = open.column;
    fail(placed(at), "a comment does not end");
  }
  if (!last.use && conditions_.size() > last.conditions)
    fail(conditions_.back().at, "`ifdef without `endif");
  inputs_.pop_back();
}

/// The next word of the same text; nothing if there is none.
std::string Preprocessor::word() {
  RawToken raw = inputs_.back().text.next();
  return raw.kind == RawKind::Token || raw.kind == RawKind::Directive ? raw.token.text : "";
}

bool Preprocessor::condition(const Token& at) {
  const std::string& name = at.text;
  if (name == "ifdef" || name == "ifndef") {
    bool holds = macros_.contains(word()) == (name == "ifdef");
    conditions_.push_back({holds, holds, false, reading(), at});
    return true;
  }
  bool otherwise = name == "else" || name == "elsif";
  if (!otherwise && name != "endif") return false;
  if (conditions_.size() <= inputs_.back().conditions) {
    fail(at, "`" + name + " without `ifdef");
    return true;
  }
  Condition& open = conditions_.back();
  if (name == "endif") {
    conditions_.pop_back();
    return true;
  }
  if (open.last) fail(at, "`" + name + " after `else");
  bool holds = name == "else" || macros_.contains(word());
  open.reads = holds && !open.done;
  open.done = open.done || holds;
  open.last = name == "else";
  return true;
}

/// Directives that have no meaning for the model.
bool Preprocessor::ignored(const Token& at) {
  constexpr std::array<std::string_view, 5> kAlone = {"celldefine", "endcelldefine", "end_keywords",
                                                      "nounconnected_drive", "endprotect"};
  constexpr std::array<std::string_view, 5> kLine = {"timescale", "line", "pragma",
                                                     "begin_keywords", "unconnected_drive"};
  if (std::find(kAlone.begin(), kAlone.end(), at.text) != kAlone.end()) return true;
  if (std::find(kLine.begin(), kLine.end(), at.text) == kLine.end()) return false;
  inputs_.back().text.rest_of_line();
  return true;
}

void Preprocessor::directive(const Token& at) {
  if (condition(at) || !reading()) return;
  const std::string& name = at.text;
  if (name == "define") return define(at);
  if (name == "undef") return undefine();
  if (name == "undefineall") return macros_.clear();
  if (name == "include") return include(at);
  if (name == "default_nettype") {
    implicit_nets_ = word() != "none";
    return;
  }
  if (name == "resetall") {
    implicit_nets_ = true;
    return;
  }
  if (!ignored(at)) use(at);
}

void Preprocessor::undefine() {
  if (auto found = macros_.find(word()); found != macros_.end()) macros_.erase(found);
}

void Preprocessor::define(const Token& at) {
  Lexer& text = inputs_.back().text;
  std::string name = word();
  if (name.empty() || !is_name_char(name[0])) return fail(at, "`define without a name");
  Macro macro;
  if (text.peek() == '(') {
    std::vector<std::string> names;
    if (!text.arguments(names)) return fail(at, "the arguments of `define " + name + " do not end");
    macro.has_arguments = true;
    for (const std::string& each : names) {
      std::size_t equals = each.find('=');
      macro.names.push_back(trimmed(each.substr(0, equals)));
      macro.defaults.emplace_back();
      if (equals != each.npos) macro.defaults.back() = trimmed(each.substr(equals + 1));
    }
    if (macro.names.size() == 1 && macro.names[0].empty()) macro.names.clear();
  }
  macro.body = trimmed(text.rest_of_line());
  macros_[name] = std::move(macro);
}

bool Preprocessor::may_read(const std::string& path) const {
  std::error_code failed;
  fs::path whole = fs::canonical(path, failed);
  if (failed) return false;
  return std::any_of(input_.readable.begin(), input_.readable.end(), [&](const std::string& each) {
    std::error_code gone;
    fs::path root = fs::canonical(each, gone);
    if (gone) return false;
    auto [end, rest] = std::mismatch(root.begin(), root.end(), whole.begin(), whole.end());
    return end == root.end();
  });
}

/// As given, beside the file that includes it, in the folders of -I.
std::optional<std::string> Preprocessor::find_include(const std::string& name) const {
  std::vector<std::string> candidates = {name};
  if (!fs::path(name).is_absolute()) {
    if (!inputs_.back().folder.empty()) candidates.push_back(inputs_.back().folder + "/" + name);
    for (const std::string& folder : input_.include_folders)
      candidates.push_back(folder + "/" + name);
  }
  for (const std::string& each : candidates) {
    std::error_code failed;
    if (fs::is_regular_file(each, failed) && may_read(each)) return each;
  }
  return {};
}

void Preprocessor::include(const Token& at) {
  RawToken raw = inputs_.back().text.next();
  std::string name = raw.token.text;
  if (raw.kind == RawKind::Directive) {  // `include `FILE
    auto macro = macros_.find(name);
    name = macro == macros_.end() ? "" : macro->second.body;
  }
  if (name.size() < 3 || name.front() != '"' || name.back() != '"')
    return fail(at, "`include without a file name in quotes");
  name = name.substr(1, name.size() - 2);
  std::optional<std::string> path = find_include(name);
  std::optional<std::string> text = path ? content_of(*path) : std::nullopt;
  if (!text) return fail(at, "cannot read the included file '" + name + "'");
  std::size_t depth = 0;
  for (std::uint32_t file = at.file; file != TokenFile::kNone; file = out_.files[file].parent)
    if (out_.files[file].name == *path) ++depth;
  if (out_.files.size() > kMostFiles) return fail(at, "too many files are included");
  if (depth > 16 || inputs_.size() > kDeepest)
    return fail(at, "`include without end: '" + name + "' includes itself");
  open(*path, *std::move(text), at.file);
}

void Preprocessor::use(const Token& at) {
  Input& from = inputs_.back();
  Token where = at;
  std::string body;
  if (at.text == "__LINE__") {
    body = std::to_string(at.line);
  } else if (at.text == "__FILE__") {
    body = '"' + out_.files[at.file].name + '"';
  } else {
    auto found = macros_.find(at.text);
    if (found == macros_.end()) return fail(at, "the macro `" + at.text + " is not defined");
    const Macro& macro = found->second;
    std::vector<std::string> arguments;
    if (macro.has_arguments && !from.text.arguments(arguments))
      return fail(at, "the macro `" + at.text + " has no arguments here");
    if (macro.names.empty() && arguments.size() == 1 && trimmed(arguments[0]).empty())
      arguments.clear();
    if (arguments.size() > macro.names.size())
      return fail(at, "the macro `" + at.text + " has too many arguments here");
    for (std::size_t i = 0; i < macro.names.size(); ++i) {
      if (i >= arguments.size() && !macro.defaults[i])
        return fail(at, "the macro `" + at.text + " has too few arguments here");
      if (i >= arguments.size())
        arguments.push_back(*macro.defaults[i]);
      else if (arguments[i] = trimmed(arguments[i]); arguments[i].empty() && macro.defaults[i])
        arguments[i] = *macro.defaults[i];
    }
    body = filled(macro, arguments);
  }
  if (inputs_.size() > kDeepest) return fail(at, "the macro `" + at.text + " uses itself");
  text_used_ += body.size();
  if (++uses_ > kMostUses || body.size() > kLongestBody || text_used_ > 16 * kLongestBody)
    return fail(at, "the macro `" + at.text + " stands for too much text");
  std::string folder = from.folder;
  inputs_.push_back({Lexer(std::move(body)), at.file, where, conditions_.size(), folder});
}

}  // namespace

Status preprocess(const PreprocessorInput& input, TokenList& out) {
  return Preprocessor(input, out).run();
}

}  // namespace lem::verilog
