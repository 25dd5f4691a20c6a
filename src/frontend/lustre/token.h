// Tokens of Lustre text. Keywords are identifiers here; the parser recognizes them by context,
// since most words of contracts (mode, init, set, ...) are also used as variable names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lem::lustre {

/// A place in the one file that is being read.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// An error without the file's name, which read_lustre adds.
inline Error error_at(Place at, std::string message) {
  return {{{}, at.line, at.column}, std::move(message)};
}

enum class TokenKind : std::uint8_t {
  Word,      // identifier or keyword
  Integer,   // 12
  Decimal,   // 1.0, 1.5e3
  String,    // text without the quotes
  Symbol,    // -> => ( ...
  Main,      // --%MAIN or --!MAIN
  Property,  // --%PROPERTY or --!PROPERTY
  ContractOpen,
  ContractClose,
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  Place at;
  std::string_view text;
};

}  // namespace lem::lustre
