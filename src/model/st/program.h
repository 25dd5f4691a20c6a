// A PLC program whose declarations are resolved: types, sections, constants. Bodies stay syntax
// trees. Plain data that the translation to an automaton and the interpreter of check/ share; what
// expressions and statements mean, each says for itself.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/st/syntax.h"

namespace lem::st {

struct Type;
struct PouInfo;

/// A part of a structure or of an instance of a function block.
struct Part {
  Name name;
  const Type* type;
  ExprPtr initial{};
  const PouInfo* scope = nullptr;  // whose constants the initial value may name
};

struct Type {
  enum class Kind : std::uint8_t {
    Bool,
    Bits,      // BYTE, WORD, DWORD, LWORD: unsigned, with bitwise operators
    Signed,    // SINT, INT, DINT, LINT
    Unsigned,  // USINT, UINT, UDINT, ULINT
    Real,      // REAL, LREAL: `bits` of IEEE 754
    Time,      // milliseconds, signed
    Enum,
    Array,
    Structure,
    Block,  // an instance of a function block
  };
  Kind kind;
  std::uint32_t bits = 0;  // of scalars
  std::string name{};      // as users know it: INT, Color, ARRAY [0..3] OF INT
  std::optional<std::pair<mpz_class, mpz_class>> range{};  // of subranges
  // Enum
  std::vector<std::pair<Name, mpz_class>> literals{};
  bool negative = false;  // has negative literals: signed
  bool text = false;      // STRING: literals are texts, keys are what is between the quotes
  bool open = false;      // of a text: may be one that the program does not have
  std::uint32_t length =
      0;  // of a text: the longest that it may be; of STRING alone, of all literals
  // Array
  std::vector<std::pair<std::int64_t, std::int64_t>> bounds{};
  const Type* element = nullptr;
  ExprPtr initial{};  // of a declared type
  // Structure, Block
  std::vector<Part> parts{};
  const PouInfo* block = nullptr;

  bool is_scalar() const { return kind < Kind::Array; }
  bool is_integer() const {
    return kind == Kind::Bits || kind == Kind::Signed || kind == Kind::Unsigned;
  }
  bool is_signed() const { return kind == Kind::Signed || kind == Kind::Time || negative; }
  std::size_t elements() const {
    std::size_t product = 1;
    for (auto [low, high] : bounds) product *= static_cast<std::size_t>(high - low + 1);
    return product;
  }
};

struct Variable {
  Name name;
  const Type* type;
  Section section;
  bool constant = false;
  bool retain = false;
  std::string address{};
  ExprPtr initial{};
  const PouInfo* scope = nullptr;  // of a global one that is VAR_STAT: the POU that declares it
};

struct PouInfo {
  const Pou* pou;
  std::vector<Variable> variables;  // in order of declaration
  const Type* result = nullptr;     // of functions
  const Type* instance = nullptr;   // of function blocks and programs: Type::Kind::Block
  bool builtin = false;
  const PouInfo* owner = nullptr;         // of methods: their block
  std::vector<const PouInfo*> methods{};  // of blocks

  const PouInfo* find_method(const std::string& key) const {
    for (const PouInfo* one : methods)
      if (one->pou->name.key == key) return one;
    return nullptr;
  }
};

/// Whether two types mean the same to statements: names of subranges and lengths of texts aside.
inline bool same_type(const Type& a, const Type& b) {
  using Kind = Type::Kind;
  if (&a == &b) return true;
  if (a.kind != b.kind || a.text != b.text) return false;
  if (a.kind == Kind::Enum) return a.text || a.name == b.name;
  if (a.is_scalar()) return a.bits == b.bits;
  if (a.kind == Kind::Block) return a.block == b.block;
  if (a.kind == Kind::Array) return a.bounds == b.bounds && same_type(*a.element, *b.element);
  if (a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (a.parts[i].name.key != b.parts[i].name.key ||
        !same_type(*a.parts[i].type, *b.parts[i].type))
      return false;
  return true;
}

/// What a literal of STRING means: $' is a quote, $41 is A.
inline std::string text_of(const std::string& written) {
  auto digit = [](char c) {
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '$' || i + 1 == written.size()) {
      out += written[i];
      continue;
    }
    char c = written[++i];
    if (digit(c) >= 0 && i + 1 < written.size() && digit(written[i + 1]) >= 0) {
      out += static_cast<char>(16 * digit(c) + digit(written[i + 1]));
      ++i;
      continue;
    }
    switch (c | 32) {
      case 'l':
      case 'n':
        out += '\n';
        break;
      case 'p':
        out += '\f';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// The number of a text; nothing for one that the program does not have.
///   require: type.text
inline std::optional<mpz_class> text_number(const Type& type, const std::string& text) {
  for (const auto& [name, number] : type.literals)
    if (name.key == text) return number;
  return {};
}

/// Whether a part of an instance is declared AT an input (%I): the environment sets it, in whatever
/// block the instance stands.
inline bool is_located_input(const Type& type, const Part& part) {
  if (type.block == nullptr) return false;
  for (const Variable& one : type.block->variables)
    if (one.name.key == part.name.key) return one.address.starts_with("%i");
  return false;
}

struct Program {
  std::unique_ptr<Unit> unit;  // what the user wrote and the standard blocks that it needs
  std::deque<Type> types;
  std::deque<PouInfo> pous;
  std::vector<Variable> globals;
  std::map<std::string, const Type*> named_types;    // by key, elementary ones included
  std::map<std::string, const PouInfo*> named_pous;  // by key
  std::multimap<std::string, std::pair<const Type*, mpz_class>> enumerators;  // by key

  const PouInfo* find_pou(const std::string& key) const {
    auto found = named_pous.find(key);
    return found == named_pous.end() ? nullptr : found->second;
  }
};

}  // namespace lem::st
