// Tokens of Structured Text.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>

#include "base/result.h"

namespace lem::st {

struct Token {
  enum class Kind : std::uint8_t {
    Word,        // identifier or keyword; text as written, key in lower case
    Quoted,      // "name" of SCL: never a keyword
    Integer,     // number; key: the prefix of its type, in lower case
    Real,        // rational; key as above
    Time,        // number of nanoseconds
    String,      // 'text'
    Prefix,      // key# before a name or a sign: an enumeration or a type
    Address,     // %IX0.0
    Symbol,      // key
    Annotation,  // //# in a comment: assert, assume, havoc; ends with EndAnnotation
    EndAnnotation,
    End,
  };
  Kind kind;
  std::string text;
  std::string key;
  SourcePos at;
  mpz_class number{};
  mpq_class rational{};

  bool is(Kind wanted) const { return kind == wanted; }
  bool is_symbol(const char* wanted) const { return kind == Kind::Symbol && key == wanted; }
  bool is_word(const char* wanted) const { return kind == Kind::Word && key == wanted; }
};

}  // namespace lem::st
