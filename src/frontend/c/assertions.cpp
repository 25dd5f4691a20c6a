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

bool is_asserting(std::string_view name) {
  return std::find(kAsserting.begin(), kAsserting.end(), name) != kAsserting.end();
}

/// Whether what stands behind the parameters of a function begins its body: a brace or, in old C,
/// the types of the parameters.
static bool begins_body(std::string_view token) {
  return token == "{" || (is_word(token[0]) && token != "__attribute__" && token != "__asm__");
}

std::set<std::string> own_assertions(const std::string& text) {
  std::vector<std::string_view> all = tokens(text);
  std::set<std::string> out;
  std::size_t braces = 0;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i] == "{") ++braces;
    if (all[i] == "}" && braces > 0) --braces;
    if (braces != 0 || !is_asserting(all[i]) || all[i + 1] != "(") continue;
    if (all[i] == "reach_error" || all[i] == "__VERIFIER_error") continue;
    std::size_t depth = 0, at = i + 1;
    for (; at < all.size(); ++at) {
      if (all[at] == "(") ++depth;
      if (all[at] == ")" && --depth == 0) break;
    }
    if (at + 1 < all.size() && begins_body(all[at + 1])) out.insert(std::string(all[i]));
  }
  return out;
}

bool text_asserts(const std::string& text, const std::set<std::string>& own) {
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
    bool name = is_asserting(all[i]) && own.count(std::string(all[i])) == 0;
    if (name && is(1, "(") && calls_behind(before, closed)) return true;
    if (all[i] == "ERROR" && is(1, ":") && is(2, "goto") && is(3, "ERROR")) return true;
  }
  return false;
}

}  // namespace lem::c
