// What an automaton's variables and edges are in the C program it was made from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/cfa.h"

namespace lem {

enum class COrigin : std::uint8_t { User, Internal };
enum class CSign : std::uint8_t { Signed, Unsigned };

struct CVariable {
  Term term;  // its name is unique: main::x, f::x, f::x@2 in the second copy of f
  /// The user's, with members: x, s.a[3]; empty for internal ones. Of arrays, [] stands where the
  /// index belongs, a[] or s[].n; with several, as in m[][], elements are counted through.
  std::string name;
  std::string function;  // where it is declared; empty for globals
  std::uint32_t line = 0;
  std::uint32_t bits = 0;  // in memory, whatever the sort; of arrays, one element's
  CSign sign = CSign::Signed;
  COrigin origin = COrigin::Internal;
};

/// A nondeterministic input: the value of `variable` when `edge` has been taken.
struct CInput {
  EdgeId edge;
  Term variable;
  std::string function;  // __VERIFIER_nondet_int
  CSign sign;
  SourcePos at;
};

struct CSource {
  std::vector<CVariable> variables;  // in the order of the automaton's
  std::vector<CInput> inputs;        // by edge
  std::uint32_t pointer_bits = 32;
  /// The LLVM module that the automaton was made from, as the front end read it (bitcode or text),
  /// before anything was prepared: what a run of the automaton is replayed on.
  std::shared_ptr<const std::string> module{};
};

}  // namespace lem
