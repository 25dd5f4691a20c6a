// Types of Lustre programs. Aliases are resolved away: equal types have equal ids, except that
// subranges are a type of their own whose base is int.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lem::lustre {

enum class TypeId : std::uint32_t {};

enum class TypeKind : std::uint8_t { Bool, Int, Real, Machine, Enum, Record, Subrange };
enum class Signedness : std::uint8_t { Signed, Unsigned };

struct Field {
  std::string name;
  TypeId type;
};

struct Type {
  TypeKind kind = TypeKind::Bool;
  std::string name{};
  std::uint32_t width = 0;  // Machine
  Signedness sign = Signedness::Signed;
  std::vector<std::string> enumerators{};
  std::vector<Field> fields{};
  mpz_class low = 0;  // Subrange, Enum
  mpz_class high = 0;
};

/// A part of a value that one term stands for.
struct Leaf {
  std::string path;  // ".a.b" for fields, "" for the value itself
  TypeId type;
};

constexpr TypeId kBool{0};
constexpr TypeId kInt{1};
constexpr TypeId kReal{2};

class TypeTable {
 public:
  TypeTable();
  TypeId add(Type type);
  const Type& operator[](TypeId id) const { return types_[static_cast<std::size_t>(id)]; }
  /// require: width 8, 16, 32 or 64
  TypeId machine(std::uint32_t width, Signedness sign) const;
  /// int for a subrange, else the type itself.
  TypeId base(TypeId id) const { return (*this)[id].kind == TypeKind::Subrange ? kInt : id; }
  bool has_bounds(TypeId id) const {
    return (*this)[id].kind == TypeKind::Subrange || (*this)[id].kind == TypeKind::Enum;
  }
  std::size_t leaf_count(TypeId id) const { return counts_[static_cast<std::size_t>(id)]; }
  std::vector<Leaf> leaves(TypeId id) const;
  /// First leaf of a field.  require: `id` is a record
  std::size_t field_offset(TypeId id, std::size_t field) const;

 private:
  std::vector<Type> types_;
  std::vector<std::size_t> counts_;  // leaves, saturating at kTooManyLeaves
};

/// Records nest, so a short text can describe a type of enormous size.
constexpr std::size_t kTooManyLeaves = 100'000;

}  // namespace lem::lustre
