// Where the values of a program are kept in the automaton: the data that places, calls and
// statements hand to each other.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/st/program.h"
#include "term/term_store.h"

namespace lem::st {

inline constexpr std::uint32_t kIndexBits = 32;  // of arrays of the automaton

/// A variable or a part of one.
struct Storage {
  const Type* type = nullptr;
  Term leaf{};                   // of scalars; an array over all elements where `spread` is above
  std::vector<Storage> parts{};  // of structures, instances and arrays; of a spread array, one
  bool spread = false;           // of arrays: elements are told apart by an index term
};

/// Where a value is kept, as far as that is known: one alternative for each element a variable
/// index may mean.
struct Place {
  struct Alternative {
    Term guard;  // the index means this one
    const Storage* storage;
    Term index;  // into arrays of the automaton; none: not within a spread array
  };
  const Type* type = nullptr;
  std::vector<Alternative> alternatives{};
  bool may_miss = false;  // some index may be out of bounds: then no guard holds
  std::optional<std::pair<std::uint32_t, std::uint32_t>> bits{};  // high, low: a part of a word

  /// The one storage that it means whatever the indices are; none: that depends on them.
  const Storage* known() const {
    return alternatives.size() == 1 && !alternatives[0].guard ? alternatives[0].storage : nullptr;
  }
};

/// The value of an expression. A number without a type takes the type of what it meets.
struct Value {
  const Type* type = nullptr;
  Term term{};
  std::optional<mpz_class> integer{};
  std::optional<mpq_class> real{};
};

/// An assignment of one scalar; a copy of a structure is several.
struct Transfer {
  Place::Alternative to;
  Term value;
};

inline Place whole(const Storage& storage) {
  return {storage.type, {{Term{}, &storage, Term{}}}};
}

/// The part of that name; none: there is no such part.
inline const Storage* part_of(const Storage& storage, const std::string& key) {
  const std::vector<Part>& parts = storage.type->parts;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].name.key == key) return &storage.parts[i];
  return nullptr;
}

}  // namespace lem::st
