// Words of a Verilog text after the preprocessor, each with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::verilog {

enum class TokenKind : std::uint8_t {
  Name,     // also keywords
  Escaped,  // \a+b , without the blank that ends it
  System,   // $past
  Number,   // 4'b1x0x, 12, 1.5, '0
  String,   // with its quotes
  Sign,     // operators and brackets
  End,      // after the last one
};

struct Token {
  TokenKind kind = TokenKind::End;
  bool spaced = true;         // there is a blank before it
  bool implicit_nets = true;  // `default_nettype is not none here
  std::uint32_t file = 0;     // index into TokenList::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text;

  bool is(std::string_view what) const { return text == what && kind != TokenKind::String; }
  bool names() const { return kind == TokenKind::Name || kind == TokenKind::Escaped; }
  /// `\a ` and `a` are the same name.
  std::string name() const { return kind == TokenKind::Escaped ? text.substr(1) : text; }
};

/// A file, or one inclusion of a file.
struct TokenFile {
  static constexpr std::uint32_t kNone = ~0U;
  std::string name;
  std::uint32_t parent = kNone;  // that includes it
  bool system = true;            // SystemVerilog: `bit` is a keyword
};

struct TokenList {
  std::vector<TokenFile> files;
  std::vector<Token> tokens;  // the last one is End

  SourcePos place(const Token& token) const {
    return {files[token.file].name, token.line, token.column};
  }
};

}  // namespace lem::verilog
