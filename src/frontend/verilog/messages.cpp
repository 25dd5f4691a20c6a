#include "frontend/verilog/messages.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace lem::verilog {

namespace {

/// A message of Yosys with the lines that belong to it.
struct Message {
  std::string file;
  std::uint32_t line = 0;
  bool is_error = false;
  std::string text;
  std::vector<std::string> details;
};

std::optional<std::uint32_t> number_at(std::string_view text, std::size_t& at) {
  std::uint32_t value = 0;
  auto [end, failed] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  if (failed != std::errc{}) return {};
  at = static_cast<std::size_t>(end - text.data());
  return value;
}

/// `[file:line: ]ERROR: text` or the same with `Warning`; nothing for other lines.
std::optional<Message> head_of(std::string_view line) {
  for (auto [word, is_error] : {std::pair{"ERROR: ", true}, std::pair{"Warning: ", false}}) {
    std::size_t found = line.find(word);
    if (found == line.npos) continue;
    Message out;
    out.is_error = is_error;
    out.text = std::string(line.substr(found + std::string_view(word).size()));
    if (found == 0) return out;
    std::string_view place = line.substr(0, found);
    if (!place.ends_with(": ")) continue;
    place.remove_suffix(2);
    std::size_t colon = place.rfind(':');
    if (colon == place.npos) continue;
    std::size_t at = colon + 1;
    std::optional<std::uint32_t> number = number_at(place, at);
    if (!number) continue;
    out.file = std::string(place.substr(0, colon));
    out.line = *number;
    return out;
  }
  return {};
}

std::vector<Message> split(std::string_view text) {
  std::vector<Message> out;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (std::optional<Message> head = head_of(line))
      out.push_back(*std::move(head));
    else if (!out.empty() && line.starts_with("    "))
      out.back().details.emplace_back(line.substr(4));
  }
  return out;
}

/// Names as users write them: `\a' -> 'a', top.\a -> a; lower case, no full stop.
std::string plain(std::string text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != ' ') continue;
    out += text[i] == '`' ? '\'' : text[i];
  }
  while (!out.empty() && (out.back() == '.' || out.back() == '!' || out.back() == ' '))
    out.pop_back();
  bool word = out.size() > 1 && std::isupper(static_cast<unsigned char>(out[0])) != 0 &&
              std::islower(static_cast<unsigned char>(out[1])) != 0;
  if (word) out[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(out[0])));
  return out;
}

/// The place in a name that Yosys made: `$not$file:9$7`.
SourcePos place_in_name(std::string_view name) {
  std::size_t colon = name.rfind(':');
  if (colon == name.npos) return {};
  std::size_t start = name.rfind('$', colon);
  std::size_t at = colon + 1;
  std::optional<std::uint32_t> line = number_at(name, at);
  if (start == name.npos || !line) return {};
  return {std::string(name.substr(start + 1, colon - start - 1)), *line, 0};
}

/// Words that tell a user more than the message does.
std::string_view hint_for(std::string_view text) {
  if (text.starts_with("syntax error"))
    return " (docs/verilog.md lists what is read: immediate assertions, and 'assert property' with "
           "expressions, |-> and |=>)";
  if (text.find("cell with the same name") != text.npos)
    return " (a label in a generate loop or used twice: leave it out)";
  if (text.find("is not part of the design") != text.npos)
    return " (name the file that has it, too; black boxes have no behaviour to check)";
  return "";
}

/// `Async reset \rst_n yields non-constant value 1'm for signal $formal$FILE:LINE$4_CHECK.`
std::optional<Error> judged_by_reset(const std::string& text) {
  std::size_t name = text.find("$formal$");
  if (!text.starts_with("Async reset ") || name == std::string::npos) return {};
  std::size_t end = text.find('$', name + 8);
  SourcePos at = place_in_name(text.substr(name, end - name));
  at.column = 1;
  return Error{at,
               "unsupported: an assertion that an asynchronous reset triggers (put it into the "
               "branch of the clock, or into a process of the clock)",
               ErrorKind::BadInput};
}

Error error_of(const std::string& file, const Message& message) {
  if (std::optional<Error> found = judged_by_reset(message.text)) return *std::move(found);
  SourcePos at{message.file, message.line, message.line == 0 ? 0U : 1U};
  if (at.file.empty() || at.file == "input") at = {file, 0, 0};
  return {at, plain(message.text) + std::string(hint_for(message.text)), ErrorKind::BadInput};
}

/// A warning about something that has no meaning in the netlist: the verdict would be about
/// another design.
std::optional<Error> fatal(const std::string& file, const Message& message) {
  const std::string& text = message.text;
  SourcePos at{message.file.empty() ? file : message.file, message.line,
               message.line == 0 ? 0U : 1U};
  if (text.starts_with("Identifier `") && text.find("implicitly declared") != text.npos) {
    std::size_t end = text.find('\'');
    std::string name = text.substr(13, end - 13);
    if (name.find_first_of(".[") == name.npos) return {};  // a plain implicit net is legal
    return Error{at, "unsupported: '" + name + "' refers into an instance or an array of structs",
                 ErrorKind::BadInput};
  }
  if (text.starts_with("found logic loop")) {
    std::string parts;
    for (const std::string& detail : message.details) {
      if (!detail.starts_with("cell ")) continue;
      SourcePos place = place_in_name(detail.substr(0, detail.find(" (")));
      if (place.line == 0) continue;
      if (at.line == 0) at = {place.file, place.line, 1};
      parts += (parts.empty() ? " through line " : ", ") + std::to_string(place.line);
    }
    return Error{at, "combinational loop" + parts, ErrorKind::BadInput};
  }
  if (text.starts_with("multiple conflicting drivers")) {
    std::string parts;
    for (const std::string& detail : message.details) {
      parts += (parts.empty() ? " " : ", ") + plain(detail);
      SourcePos place = place_in_name(detail);
      if (at.line == 0 && place.line != 0) at = {place.file, place.line, 1};
    }
    return Error{at, plain(text) + parts, ErrorKind::BadInput};
  }
  return {};
}

/// Warnings that say nothing about the meaning.
bool is_noise(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNoise = {"Replacing memory", "Yosys has only limited",
                                                      "Selection \""};
  for (std::string_view each : kNoise)
    if (text.starts_with(each)) return true;
  return false;
}

}  // namespace

Messages parse_messages(const std::string& file, std::string_view text) {
  Messages out;
  for (const Message& message : split(text)) {
    if (message.is_error) {
      if (!out.error) out.error = error_of(file, message);
      continue;
    }
    if (std::optional<Error> wrong = fatal(file, message)) {
      if (!out.error) out.error = std::move(wrong);
      continue;
    }
    if (is_noise(message.text)) continue;
    SourcePos at{message.file.empty() ? file : message.file, message.line, 0};
    out.warnings.push_back({std::move(at), plain(message.text)});
  }
  return out;
}

}  // namespace lem::verilog
