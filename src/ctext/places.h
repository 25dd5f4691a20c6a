// Maps locations of a C program's automaton to places in its text, and names at these places to
// variables: shared by the writers and the readers of invariants at source lines. Inlining makes
// several locations of one place; an invariant at the place holds for all of them. Tests:
// tests/unit/check/c/witness_test.cpp.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ctext/text.h"
#include "model/c_marks.h"
#include "model/c_source.h"

namespace lem::ctext {

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

/// A point of the automaton at which control comes to a statement: before a command of an edge, or
/// behind the last; and the call in which the statement is executed.
struct CEntry {
  EdgeId edge{};
  std::size_t command = 0;
  std::uint32_t frame = 0;
  friend auto operator<=>(const CEntry&, const CEntry&) = default;
};

class CPlaces {
 public:
  /// Borrows all four.
  CPlaces(const Cfa& cfa, const CSource& source, const CMarks& marks, const CText& text);

  /// Locations that every cycle passes, in order.
  const std::vector<LocationId>& loop_heads() const { return heads_; }
  /// Where the loop of a head is in the text, and in which call.
  std::optional<CPlace> place(LocationId head) const;
  std::uint32_t frame(LocationId head) const;
  CPosition position(std::size_t token) const;
  /// The place at a row and column; column 0: the first on that row.
  std::optional<CPlace> at(CPlace::Kind kind, std::uint32_t row, std::uint32_t column) const;
  /// All points at which control enters the statement that starts at the token; none if the
  /// automaton has no command there. Some may be inside the statement, if control passes a place
  /// that debug information does not record.
  std::vector<CEntry> entries(std::size_t token) const;

  /// The variable that the name denotes at that place, in that call; null if there is none.
  const CVariable* variable(std::string_view name, std::uint32_t frame, const CPlace& place) const;
  /// The variable of the automaton, if its name denotes it there.
  const CVariable* visible(Term term, std::uint32_t frame, const CPlace& place) const;

  /// The `)` of the call that an input comes from.
  std::optional<std::size_t> call_end(const CInput& input) const;
  /// The statement that is the error, at the end of the edge that leads there.
  std::optional<std::size_t> error_statement(EdgeId edge) const;
  /// The statement behind the declaration of the variable.
  std::optional<std::size_t> behind_declaration(const CVariable& variable) const;

 private:
  void find_heads();
  void find_lines();
  std::optional<std::size_t> declaration(const CVariable& variable, std::uint32_t column) const;
  std::optional<std::size_t> token_at(std::uint32_t line, std::uint32_t column) const;
  struct Reached {
    std::uint32_t frame;
    std::size_t token;
  };
  /// Where control is in each call that has not returned, the innermost first.
  std::vector<Reached> stack(const CMark& mark) const;
  std::optional<Reached> reached(LocationId head) const;
  std::vector<CEntry> entries_of(CSpan statement) const;
  std::optional<CPlace> loop_around(std::size_t token) const;
  bool is_endless(std::size_t keyword) const;
  bool does_nothing(CSpan statement) const;
  bool has_goto(CSpan statement) const;
  bool is_loop(std::size_t token) const;
  bool starts_statement(std::size_t token) const;
  bool ends_do_loop(std::size_t token) const;
  std::size_t statement_start(std::size_t token) const;

  const Cfa& cfa_;
  const CSource& source_;
  const CMarks& marks_;
  const CText& text_;
  std::vector<LocationId> heads_;
  std::map<LocationId, std::vector<EdgeId>> back_;  // by head: the edges that close its cycles
  std::map<std::uint32_t, CSpan> lines_;            // of the file of main
  std::vector<std::optional<std::size_t>> declarations_;  // by variable: its token
};

}  // namespace lem::ctext
