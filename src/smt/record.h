// Records what is asked of a solver, for `bench/replay.cpp`: streams of queries as engines ask them
// are what solvers are compared on. A debugging aid, switched on by the option smt.record.
//
// Format, one command a line: `t BYTES` the next term, as term/wire.h writes it; `a N` asserts term
// N; `+` and `-` open and close a scope; `q N...` asks under assumptions; `= sat|unsat|unknown`
// what the answer was; `v N` asks for a value. Tests: tests/unit/smt/solvers_test.cpp.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include "smt/smt_solver.h"

namespace lem::smt {

std::unique_ptr<SmtSolver> record(std::unique_ptr<SmtSolver> inner, const TermStore& terms,
                                  std::unique_ptr<std::ostream> out);

struct Replayed {
  std::uint64_t queries = 0;
  std::uint64_t sat = 0;
  std::uint64_t unknown = 0;
  std::uint64_t different = 0;  // answers other than the recorded one; unknown differs from nothing
  double seconds = 0;           // of the process, for all commands, without reading terms
};
/// Plays a recording to a solver of the same store.  nullopt: not a recording.
class Recording {
 public:
  static std::optional<Recording> read(TermStore& terms, std::istream& in);
  Replayed play(SmtSolver& solver) const;

 private:
  struct Command {
    enum class Kind : std::uint8_t { Assert, Push, Pop, Ask, Value };
    Kind kind;
    std::vector<Term> terms;
    Answer answer;
  };
  std::vector<Command> commands_;
};

}  // namespace lem::smt
