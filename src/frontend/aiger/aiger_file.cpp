#include "frontend/aiger/aiger_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/aiger/cursor.h"

namespace lem::aiger {

namespace {

// Binary files do not list their inputs, so a header of a few bytes could ask for any memory.
constexpr std::uint32_t kMaxVariables = 1U << 26;

class Parser {
 public:
  Parser(const std::string& path, std::string_view bytes) : in_(path, bytes) {}

  Result<AigerFile> run() {
    if (in_.at_end()) return in_.error("the file is empty");
    for (auto step : {&Parser::header, &Parser::counts_fit, &Parser::inputs, &Parser::latches,
                      &Parser::signals, &Parser::gates, &Parser::symbols}) {
      if (Status status = (this->*step)(); !status) return status.error();
    }
    return std::move(file_);
  }

 private:
  bool binary() const { return file_.header.kind == AigerKind::Binary; }

  Status header();
  Status fields(std::array<std::uint32_t, 9>& field, std::array<std::size_t, 9>& at);
  Status counts_fit();
  Status inputs();
  Status latches();
  Status latch(AigerLatch& latch);
  Status signals();
  Status justice();
  Status section(std::vector<std::uint32_t>& lits, std::uint32_t count, std::string_view what);
  Status gates() { return binary() ? binary_gates() : ascii_gates(); }
  Status ascii_gates();
  Status binary_gates();
  Status delta(std::uint32_t& out);
  Status symbols();
  Status symbol();
  Status comments();
  Status name(std::vector<std::string>& names, std::uint32_t count, char kind);

  Status literal(std::uint32_t& out, std::string_view what);
  Status defined_literal(std::uint32_t& out, std::string_view what);
  Status end_of_line(std::string_view what);
  void blanks() {
    if (!binary()) return in_.skip_blanks();
    if (in_.peek() == ' ') in_.take();
  }

  Cursor in_;
  AigerFile file_;
};

Status Parser::fields(std::array<std::uint32_t, 9>& field, std::array<std::size_t, 9>& at) {
  std::size_t count = 0;
  for (blanks(); !in_.at_line_end(); blanks()) {
    if (count == field.size()) return in_.error("the header has more than 9 numbers");
    at[count] = in_.offset();
    switch (in_.number(field[count])) {
      case Cursor::Number::Ok:
        break;
      case Cursor::Number::Missing:
        return in_.error("expected a number in the header, found " + in_.found());
      case Cursor::Number::TooLarge:
        return in_.error("number in the header is too large");
    }
    int after = in_.peek();
    if (after >= 0 && after != ' ' && after != '\n' && after != '\t' && after != '\r')
      return in_.error("expected a space in the header, found " + in_.found());
    ++count;
  }
  if (count < 5)
    return in_.error("the header ends after " + std::to_string(count) +
                     " numbers; at least M I L O A are needed");
  in_.next_line();
  return Ok{};
}

Status Parser::header() {
  std::string magic;
  while (magic.size() < 3 && !in_.at_line_end()) magic += static_cast<char>(in_.take());
  if ((magic != "aag" && magic != "aig") || in_.peek() != ' ')
    return in_.error_at(0, "expected an AIGER header 'aag M I L O A' or 'aig M I L O A'");
  AigerHeader& header = file_.header;
  header.kind = magic == "aag" ? AigerKind::Ascii : AigerKind::Binary;
  Cursor start = in_;
  std::array<std::uint32_t, 9> field{};
  std::array<std::size_t, 9> at{};
  if (Status status = fields(field, at); !status) return status;
  auto [m, i, l, o, a, b, c, j, f] = field;
  if (m > std::numeric_limits<std::uint32_t>::max() / 2)
    return start.error_at(at[0], "unsupported: more than 2147483647 variables");
  std::uint64_t defined = std::uint64_t{i} + l + a;
  if (defined > m || (binary() && defined != m))
    return start.error_at(
        at[0], "wrong counts: M=" + std::to_string(m) + " but I+L+A=" + std::to_string(defined));
  if (defined >= kMaxVariables)
    return start.error_at(at[0], "unsupported: " + std::to_string(defined) + " variables");
  header = {header.kind, m, i, l, o, a, b, c, j, f};
  return Ok{};
}

/// Every item takes at least two bytes, so that memory stays in proportion to the file.
Status Parser::counts_fit() {
  const AigerHeader& h = file_.header;
  std::uint64_t items = std::uint64_t{h.latches} + h.outputs + h.bads + h.constraints + h.justice +
                        h.fairness + h.gates;
  if (!binary()) items += h.inputs;
  if (2 * items > in_.left() + 1)
    return in_.error("truncated file: the header announces " + std::to_string(items) +
                     " lines or gates, but only " + std::to_string(in_.left()) +
                     " bytes follow (byte offset " + std::to_string(in_.offset()) + ")");
  return Ok{};
}

Status Parser::literal(std::uint32_t& out, std::string_view what) {
  blanks();
  std::size_t at = in_.offset();
  switch (in_.number(out)) {
    case Cursor::Number::Ok:
      break;
    case Cursor::Number::Missing:
      if (in_.at_end())
        return in_.error("truncated file: expected " + std::string(what) +
                         ", found the end of the file (byte offset " + std::to_string(at) + ")");
      return in_.error("expected " + std::string(what) + ", found " + in_.found());
    case Cursor::Number::TooLarge:
      out = std::numeric_limits<std::uint32_t>::max();
      break;
  }
  if (out > 2 * file_.header.max_var + 1)
    return in_.error_at(at, "literal out of range: " + std::string(what) + " is over " +
                                std::to_string(2 * file_.header.max_var + 1) + " (2*M+1)");
  return Ok{};
}

Status Parser::defined_literal(std::uint32_t& out, std::string_view what) {
  blanks();
  std::size_t at = in_.offset();
  if (Status status = literal(out, what); !status) return status;
  if (out < 2 || out % 2 != 0)
    return in_.error_at(
        at, std::string(what) + " must be positive and even, found " + std::to_string(out));
  return Ok{};
}

Status Parser::end_of_line(std::string_view what) {
  if (!binary()) in_.skip_blanks();
  if (!in_.at_line_end())
    return in_.error("expected the end of the line after " + std::string(what) + ", found " +
                     in_.found());
  if (in_.at_end() && binary())
    return in_.error("truncated file: expected the end of the line after " + std::string(what) +
                     " (byte offset " + std::to_string(in_.offset()) + ")");
  in_.next_line();
  return Ok{};
}

Status Parser::inputs() {
  if (binary()) return Ok{};
  file_.inputs.resize(file_.header.inputs);
  for (std::uint32_t& input : file_.inputs) {
    if (Status status = defined_literal(input, "an input literal"); !status) return status;
    if (Status status = end_of_line("the input literal"); !status) return status;
  }
  return Ok{};
}

Status Parser::latches() {
  file_.latches.resize(file_.header.latches);
  std::uint32_t lit = 2 * file_.header.inputs;
  for (AigerLatch& each : file_.latches) {
    each.lit = lit += 2;
    if (Status status = latch(each); !status) return status;
  }
  return Ok{};
}

Status Parser::latch(AigerLatch& latch) {
  if (!binary()) {
    if (Status status = defined_literal(latch.lit, "a latch literal"); !status) return status;
  }
  if (Status status = literal(latch.next, "a next-state literal"); !status) return status;
  latch.reset = 0;
  blanks();
  if (in_.at_line_end()) return end_of_line("the latch");
  std::size_t at = in_.offset();
  if (Status status = literal(latch.reset, "a reset value"); !status) return status;
  if (latch.reset > 1 && latch.reset != latch.lit)
    return in_.error_at(at, "unsupported reset value " + std::to_string(latch.reset) +
                                " of latch " + std::to_string(latch.lit) +
                                ": only 0, 1 and the latch itself (uninitialised)");
  return end_of_line("the latch");
}

Status Parser::section(std::vector<std::uint32_t>& lits, std::uint32_t count,
                       std::string_view what) {
  lits.resize(count);
  for (std::uint32_t& lit : lits) {
    if (Status status = literal(lit, what); !status) return status;
    if (Status status = end_of_line(what); !status) return status;
  }
  return Ok{};
}

Status Parser::signals() {
  const AigerHeader& header = file_.header;
  if (auto s = section(file_.outputs, header.outputs, "an output literal"); !s) return s;
  if (auto s = section(file_.bads, header.bads, "a bad state literal"); !s) return s;
  if (auto s = section(file_.constraints, header.constraints, "a constraint literal"); !s) return s;
  if (auto s = justice(); !s) return s;
  return section(file_.fairness, header.fairness, "a fairness literal");
}

/// The sizes of all properties, then the literals of each.
Status Parser::justice() {
  std::vector<std::uint32_t> sizes(file_.header.justice);
  std::uint64_t all = 0;
  for (std::uint32_t& size : sizes) {
    blanks();
    if (in_.number(size) != Cursor::Number::Ok)
      return in_.error("expected the size of a justice property, found " + in_.found());
    if (Status status = end_of_line("the size of a justice property"); !status) return status;
    all += size;
  }
  if (2 * all > in_.left() + 1)
    return in_.error("truncated file: " + std::to_string(all) +
                     " justice literals are announced, but only " + std::to_string(in_.left()) +
                     " bytes follow (byte offset " + std::to_string(in_.offset()) + ")");
  for (std::uint32_t size : sizes)
    if (auto s = section(file_.justice.emplace_back(), size, "a justice literal"); !s) return s;
  return Ok{};
}

Status Parser::ascii_gates() {
  file_.gates.resize(file_.header.gates);
  for (AigerGate& gate : file_.gates) {
    if (auto s = defined_literal(gate.lit, "a gate literal"); !s) return s;
    if (auto s = literal(gate.left, "a gate input literal"); !s) return s;
    if (auto s = literal(gate.right, "a gate input literal"); !s) return s;
    if (auto s = end_of_line("the gate"); !s) return s;
  }
  return Ok{};
}

/// Seven bits per byte, lowest first; the top bit says that more follow.
Status Parser::delta(std::uint32_t& out) {
  out = 0;
  for (unsigned shift = 0;; shift += 7) {
    int byte = in_.take();
    if (byte < 0) return in_.error_in_bytes("truncated file: a gate is cut off");
    auto bits = static_cast<std::uint32_t>(byte & 0x7f);
    if (shift > 28 || (shift == 28 && bits > 15))
      return in_.error_in_bytes("gate encoding does not fit 32 bits");
    out |= bits << shift;
    if (byte < 0x80) return Ok{};
  }
}

Status Parser::binary_gates() {
  file_.gates.resize(file_.header.gates);
  std::uint32_t lit = 2 * (file_.header.inputs + file_.header.latches);
  for (AigerGate& gate : file_.gates) {
    gate.lit = lit += 2;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    if (Status status = delta(first); !status) return status;
    if (first == 0 || first > lit)
      return in_.error_in_bytes("literal out of range in gate " + std::to_string(lit));
    gate.left = lit - first;
    if (Status status = delta(second); !status) return status;
    if (second > gate.left)
      return in_.error_in_bytes("literal out of range in gate " + std::to_string(lit));
    gate.right = gate.left - second;
  }
  return Ok{};
}

Status Parser::name(std::vector<std::string>& names, std::uint32_t count, char kind) {
  std::size_t at = in_.offset();
  std::uint32_t index = 0;
  if (in_.number(index) != Cursor::Number::Ok)
    return in_.error(std::string("expected a number after '") + kind + "' in the symbol table");
  if (index >= count)
    return in_.error_at(at - 1, std::string("symbol ") + kind + std::to_string(index) +
                                    " is out of range: the file has " + std::to_string(count));
  if (in_.peek() != ' ')
    return in_.error("expected a space and a name in the symbol table, found " + in_.found());
  in_.take();
  if (in_.at_line_end()) return in_.error("the symbol has no name");
  if (names.empty()) names.resize(count);
  if (!names[index].empty())
    return in_.error_at(at - 1,
                        std::string("symbol ") + kind + std::to_string(index) + " is given twice");
  names[index] = in_.rest_of_line();
  return Ok{};
}

Status Parser::symbol() {
  const AigerHeader& header = file_.header;
  AigerSymbols& names = file_.symbols;
  std::size_t at = in_.offset();
  std::string found = in_.found();
  int kind = in_.take();
  switch (kind) {
    case 'i':
      return name(names.inputs, header.inputs, 'i');
    case 'l':
      return name(names.latches, header.latches, 'l');
    case 'o':
      return name(names.outputs, header.outputs, 'o');
    case 'b':
      return name(names.bads, header.bads, 'b');
    case 'c':
      return name(names.constraints, header.constraints, 'c');
    case 'j':
      return name(names.justice, header.justice, 'j');
    case 'f':
      return name(names.fairness, header.fairness, 'f');
    default:
      break;
  }
  return in_.error_at(at,
                      "expected a symbol like 'i0 name', a comment section or the end of the "
                      "file after the " +
                          std::to_string(header.gates) + " gates of the header, found " + found);
}

Status Parser::symbols() {
  while (!in_.at_end()) {
    if (!binary()) in_.skip_blanks();
    std::size_t start = in_.offset();
    if (in_.at_line_end()) {
      if (binary()) return in_.error("unexpected empty line in the symbol table");
      in_.next_line();
      continue;
    }
    if (in_.peek() == 'c') {
      in_.take();
      in_.skip_blanks();
      if (in_.at_line_end()) return comments();
      in_.back_to(start);
    }
    if (Status status = symbol(); !status) return status;
  }
  return Ok{};
}

Status Parser::comments() {
  in_.next_line();
  while (!in_.at_end()) file_.comments.emplace_back(in_.rest_of_line());
  return Ok{};
}

}  // namespace

Result<AigerFile> parse_aiger(const std::string& path, std::string_view bytes) {
  return Parser(path, bytes).run();
}

}  // namespace lem::aiger
