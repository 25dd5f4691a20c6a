// An AIGER file as it is written: literals in the file's own numbering, nothing resolved yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::aiger {

enum class AigerKind : std::uint8_t { Ascii, Binary };

struct AigerHeader {
  AigerKind kind = AigerKind::Ascii;
  std::uint32_t max_var = 0;
  std::uint32_t inputs = 0;
  std::uint32_t latches = 0;
  std::uint32_t outputs = 0;
  std::uint32_t gates = 0;
  std::uint32_t bads = 0;
  std::uint32_t constraints = 0;
  std::uint32_t justice = 0;  // properties
  std::uint32_t fairness = 0;
};

struct AigerLatch {
  std::uint32_t lit;
  std::uint32_t next;
  std::uint32_t reset;  // 0, 1 or lit
};

struct AigerGate {
  std::uint32_t lit;
  std::uint32_t left;
  std::uint32_t right;
};

/// Names from the symbol table; a vector stays empty when the file names none of its kind.
struct AigerSymbols {
  std::vector<std::string> inputs;
  std::vector<std::string> latches;
  std::vector<std::string> outputs;
  std::vector<std::string> bads;
  std::vector<std::string> constraints;
  std::vector<std::string> justice;
  std::vector<std::string> fairness;
};

struct AigerFile {
  AigerHeader header;
  std::vector<std::uint32_t> inputs;  // empty in binary files: 2, 4, 6, ...
  std::vector<AigerLatch> latches;
  std::vector<std::uint32_t> outputs;
  std::vector<std::uint32_t> bads;
  std::vector<std::uint32_t> constraints;
  std::vector<std::vector<std::uint32_t>> justice;
  std::vector<std::uint32_t> fairness;
  std::vector<AigerGate> gates;
  AigerSymbols symbols;
  std::vector<std::string> comments;
};

/// ensure: counts are as in the header, every literal is at most 2 * max_var + 1, defined literals
///         are positive and even, resets are 0, 1 or the latch; are in topological order.
///         Definitions are not checked yet.
Result<AigerFile> parse_aiger(const std::string& path, std::string_view bytes);

}  // namespace lem::aiger
