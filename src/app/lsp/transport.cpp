#include "app/lsp/transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace lem::app::lsp {

static constexpr std::size_t kMaxHeader = 4096;

/// Of the header's lines, without regard to case.
static std::optional<std::size_t> length_in(std::string_view header) {
  constexpr std::string_view kName = "content-length:";
  while (!header.empty()) {
    std::size_t end = header.find("\r\n");
    std::string line(header.substr(0, end));
    header.remove_prefix(end == header.npos ? header.size() : end + 2);
    std::transform(line.begin(), line.end(), line.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!line.starts_with(kName)) continue;
    std::size_t digits = line.find_first_not_of(' ', kName.size());
    std::size_t length = 0;
    if (digits == line.npos) return {};
    auto [stop, failed] = std::from_chars(line.data() + digits, line.data() + line.size(), length);
    if (failed != std::errc{} || stop != line.data() + line.size()) return {};
    return length;
  }
  return {};
}

std::optional<std::string> MessageReader::next() {
  std::size_t end = bytes_.find("\r\n\r\n");
  if (end == bytes_.npos) {
    broken_ = broken_ || bytes_.size() > kMaxHeader;
    return {};
  }
  std::optional<std::size_t> length = length_in(std::string_view(bytes_).substr(0, end));
  if (!length || *length > kMaxBytes) broken_ = true;
  if (broken_ || bytes_.size() - end - 4 < *length) return {};
  std::string body = bytes_.substr(end + 4, *length);
  bytes_.erase(0, end + 4 + *length);
  return body;
}

std::string framed(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace lem::app::lsp
