#include "frontend/guess.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace lem::frontend {

namespace {

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Without blanks and comments at its start: `//`, `--`, `;` to the end of a line, `/* */`, `(*
/// *)`.
std::string_view first_text(std::string_view text) {
  for (;;) {
    while (!text.empty() && is_blank(text[0])) text.remove_prefix(1);
    std::string_view end;
    if (text.starts_with("//") || text.starts_with("--") || text.starts_with(";")) end = "\n";
    if (text.starts_with("/*")) end = "*/";
    if (text.starts_with("(*")) end = "*)";
    if (end.empty()) return text;
    std::size_t at = text.find(end, end == "\n" ? 0 : 2);
    if (at == text.npos) return {};
    text.remove_prefix(at + end.size());
  }
}

template <std::size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 9> kPlc = {
    "PROGRAM",       "FUNCTION_BLOCK", "FUNCTION",           "TYPE",     "VAR_GLOBAL",
    "CONFIGURATION", "DATA_BLOCK",     "ORGANIZATION_BLOCK", "NAMESPACE"};
constexpr std::array<std::string_view, 6> kLustre = {"node",  "function", "type",
                                                     "const", "contract", "include"};
constexpr std::array<std::string_view, 14> kC = {
    "int",    "void",     "extern", "typedef", "struct", "static", "unsigned",
    "signed", "volatile", "char",   "long",    "short",  "double", "_Bool"};
constexpr std::array<std::string_view, 4> kLlvm = {"source_filename", "target", "define",
                                                   "declare"};

}  // namespace

std::string_view guess_extension(std::string_view text) {
  if (text.starts_with("aag ")) return ".aag";
  if (text.starts_with("aig ")) return ".aig";
  if (text.starts_with("BC\xC0\xDE")) return ".bc";
  if (text.starts_with("; ModuleID")) return ".ll";
  std::string_view first = first_text(text);
  if (first.empty()) return {};
  bool verilog = first[0] == '`';
  if (verilog) return ".sv";
  if (first[0] == '<') return ".xml";
  if (first[0] == '(')
    return text.find(":invar-property") != text.npos || text.find(":next") != text.npos ? ".vmt"
                                                                                        : ".smt2";
  if (std::isdigit(static_cast<unsigned char>(first[0])) != 0) return ".btor2";
  if (first[0] == '#') return ".c";
  std::string_view word =
      first.substr(0, static_cast<std::size_t>(
                          std::find_if_not(first.begin(), first.end(), is_word) - first.begin()));
  std::string capitals(word);
  for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (word == "module" || word == "package") return ".sv";
  if (among(kLustre, word)) return ".lus";  // lower case; the others are written in capitals
  if (among(kPlc, capitals)) return ".st";
  if (among(kC, word)) return ".c";
  return among(kLlvm, word) ? ".ll" : std::string_view();
}

}  // namespace lem::frontend
