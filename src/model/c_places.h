// Where the locations of a C program's automaton are in its text, and which variables names mean
// there: the common ground of those who write invariants as C at source lines and those who read
// them. Inlining makes several locations of one place; what is said of the place is said of all.
// Tests: tests/unit/evidence_c/witness_test.cpp.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/c_source.h"
#include "model/c_text.h"

namespace lem {

struct CPlace {
  enum class Kind : std::uint8_t {
    Loop,       // the keyword of a for or while loop: before its condition is evaluated
    Statement,  // the start of a statement: before it
  };
  Kind kind = Kind::Statement;
  std::size_t token = 0;
  friend auto operator<=>(const CPlace&, const CPlace&) = default;
};

/// The file, row and column of a token, and the function around it.
struct CPosition {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::string function;
};

class CPlaces {
 public:
  /// Borrows all three.
  CPlaces(const Cfa& cfa, const CSource& source, const CText& text);

  /// Locations that every cycle passes, in order.
  const std::vector<LocationId>& loop_heads() const { return heads_; }
  std::optional<CPlace> place(LocationId id) const;
  CPosition position(std::size_t token) const;
  /// The place at a row and column; column 0: the first on that row.
  std::optional<CPlace> at(CPlace::Kind kind, std::uint32_t row, std::uint32_t column) const;

  /// What the name means at the location, which is at that place; null if nothing.
  const CVariable* variable(std::string_view name, LocationId id, const CPlace& place) const;
  /// The variable of the automaton, if its name means it there.
  const CVariable* visible(Term term, LocationId id, const CPlace& place) const;

  /// The `)` of the call that an input comes from.
  std::optional<std::size_t> call_end(const CInput& input) const;
  /// The statement that is the error, on the line of the last step of a run.
  std::optional<std::size_t> error_statement(std::uint32_t line) const;
  /// The statement behind the declaration of the variable.
  std::optional<std::size_t> behind_declaration(const CVariable& variable) const;

 private:
  void find_heads();
  void find_loops();
  std::optional<CPlace> loop_on(CSpan line) const;
  bool starts_statement(std::size_t token) const;
  bool ends_do_loop(std::size_t token) const;
  std::size_t statement_start(std::size_t token) const;

  const Cfa& cfa_;
  const CSource& source_;
  const CText& text_;
  std::vector<LocationId> heads_;
  std::vector<std::pair<LocationId, LocationId>> back_;   // edges that close cycles
  std::vector<std::vector<bool>> used_;                   // by head: variables of its loop
  std::vector<std::optional<std::size_t>> declarations_;  // by variable: its token
};

}  // namespace lem
