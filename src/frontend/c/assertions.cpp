#include "frontend/c/assertions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace lem::c {

static constexpr std::array<std::string_view, 11> kAsserting = {
    "reach_error", "__VERIFIER_error", "__VERIFIER_assert",    "__assert_fail",
    "assert",      "__assert",         "__assert_perror_fail", "__assert_rtn",
    "sassert",     "__CPROVER_assert", "__ESBMC_assert"};

static bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

static std::vector<std::string_view> tokens(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t start = at;
    char c = text[at++];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    if (is_word(c)) {
      while (at < text.size() && is_word(text[at])) ++at;
    } else if (c == '"' || c == '\'') {
      while (at < text.size() && text[at] != c) at += text[at] == '\\' ? 2 : 1;
      at = std::min(at + 1, text.size());
    }
    out.push_back(text.substr(start, at - start));
  }
  return out;
}

/// The token before a call; a declaration has a type there.
static bool calls_behind(std::string_view before, std::string_view before_parenthesis) {
  if (before == "else" || before == "do" || before == "return") return true;
  if (before.empty() || before == "*" || is_word(before[0])) return false;
  return before != ")" ||
         (before_parenthesis != "__attribute__" && before_parenthesis != "__asm__");
}

bool text_asserts(const std::string& text) {
  std::vector<std::string_view> all = tokens(text);
  std::vector<std::string_view> open;  // the token before each parenthesis
  std::string_view closed;             // of the one that was closed last
  std::size_t braces = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string_view before = i == 0 ? std::string_view{} : all[i - 1];
    auto is = [&](std::size_t ahead, std::string_view what) {
      return i + ahead < all.size() && all[i + ahead] == what;
    };
    if (all[i] == "(") open.push_back(before);
    if (all[i] == ")" && !open.empty()) {
      closed = open.back();
      open.pop_back();
    }
    if (all[i] == "{") ++braces;
    if (all[i] == "}" && braces > 0) --braces;
    if (braces == 0) continue;
    bool name = std::find(kAsserting.begin(), kAsserting.end(), all[i]) != kAsserting.end();
    if (name && is(1, "(") && calls_behind(before, closed)) return true;
    if (all[i] == "ERROR" && is(1, ":") && is(2, "goto") && is(3, "ERROR")) return true;
  }
  return false;
}

}  // namespace lem::c
