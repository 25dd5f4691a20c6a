#include "frontend/btor2/btor2_file.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace lem::btor2 {

bool parse_btor2_number(std::string_view word, std::uint64_t& out) {
  auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), out);
  return failure == std::errc{} && end == word.data() + word.size() &&
         out <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/// Appends the words of one line; a comment starts with a word that starts with ';'. Returns it.
static std::string_view split_line(std::string_view line, std::vector<Btor2Word>& words) {
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return {};
    if (line[at] == ';') return line.substr(at + 1);
    std::size_t start = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    words.push_back({line.substr(start, at - start), static_cast<std::uint32_t>(start + 1)});
  }
}

Result<Btor2File> split_btor2(const std::string& path, std::string_view bytes) {
  Btor2File file;
  std::uint32_t number = 0;
  auto error = [&](std::uint32_t column, std::string message) {
    return Error{{path, number, column}, std::move(message), ErrorKind::BadInput};
  };
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view text = bytes.substr(at, end - at);
    at = end + 1;
    ++number;
    if (std::size_t nul = text.find('\0'); nul != text.npos)
      return error(static_cast<std::uint32_t>(nul + 1), "a zero byte in a text file");
    auto first = static_cast<std::uint32_t>(file.words.size());
    std::string_view comment = split_line(text, file.words);
    auto count = static_cast<std::uint32_t>(file.words.size()) - first;
    if (count == 0) continue;

    const Btor2Word& id = file.words[first];
    Btor2Line line{number, 0, first, count, comment};
    if (!parse_btor2_number(id.text, line.id) || line.id == 0)
      return error(id.column, "expected a positive id at the start of the line, found '" +
                                  std::string(id.text.substr(0, 24)) + "'");
    if (count == 1)
      return error(static_cast<std::uint32_t>(id.column + id.text.size()),
                   "expected a keyword after the id, found the end of the line");
    auto index = static_cast<std::uint32_t>(file.lines.size());
    if (auto [before, fresh] = file.line_of_id.emplace(line.id, index); !fresh)
      return error(id.column, "id " + std::to_string(line.id) + " is already defined in line " +
                                  std::to_string(file.lines[before->second].number));
    file.lines.push_back(line);
  }
  return file;
}

}  // namespace lem::btor2
