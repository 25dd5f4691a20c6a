#include "app/lsp/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace lem::app::lsp {

std::optional<std::string> path_of(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return {};
  uri.remove_prefix(kScheme.size());
  std::size_t slash = uri.find('/');  // behind the name of a host, which is usually empty
  if (slash == uri.npos) return {};
  uri.remove_prefix(slash);
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    const char* digits = uri.data() + i + 1;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      path += static_cast<char>(code);
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::string uri_of(std::string_view path) {
  std::string out = "file://";
  for (unsigned char c : path) {
    bool plain = (c < 128 && std::isalnum(c) != 0) ||
                 std::string_view("-._~/").find(static_cast<char>(c)) != std::string_view::npos;
    out += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return out;
}

std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t i = 1; i < number; ++i) {
    std::size_t end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::size_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  for (unsigned char c : text) units += c >> 6 == 2 ? 0 : c >= 0xF0 ? 2 : 1;
  return units;
}

bool same_text(std::string_view left, std::string_view right) {
  auto skip = [](std::string_view text, std::size_t at) {
    while (at < text.size() && (static_cast<unsigned char>(text[at]) >= 128 || text[at] == '\r'))
      ++at;
    return at;
  };
  std::size_t i = skip(left, 0);
  std::size_t j = skip(right, 0);
  while (i < left.size() && j < right.size() && left[i] == right[j]) {
    i = skip(left, i + 1);
    j = skip(right, j + 1);
  }
  return i == left.size() && j == right.size();
}

}  // namespace lem::app::lsp
