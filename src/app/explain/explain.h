// `lemmata explain`: which lemmas of a proof and which inputs of a counterexample are needed
// (docs/explain.md). Tests: tests/cli/explain_test.py.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/console.h"
#include "app/validate/validate.h"

namespace lem::app {

struct ExplainRequest {
  ValidateRequest evidence;
  std::string json{};  // "-" is standard output
};

/// A lemma of a proof or a value of a run, in the names of the source.
struct ExplainedItem {
  std::string place;    // "line 7", "step 3", "cycle 2"; empty: none
  std::string text;     // of a lemma: a formula; of a value: name = value
  std::string smt{};    // of a lemma about terms: SMT-LIB text
  std::string name{};   // of a value
  std::string value{};  // of a value
  bool needed = false;
  std::vector<std::size_t> kept_by{};  // of a needed lemma: the lemmas that imply it after a step
  bool excludes_violation = false;     // of a needed lemma
};

struct Explanation {
  enum class Kind : std::uint8_t { Proof, Run };
  Kind kind = Kind::Proof;
  std::string property{};
  std::vector<ExplainedItem> items{};
  bool minimal = true;
  std::string note{};      // how the proof works, where it is not plain induction
  std::string meaning{};   // of a run: what the needed values force
  std::string shortest{};  // of a run: what is known about shorter ones
};

/// Prints the explanation, or what `validate` prints of evidence that it does not accept.
ExitCode run_explanation(const ExplainRequest& request, Console& console);

}  // namespace lem::app
