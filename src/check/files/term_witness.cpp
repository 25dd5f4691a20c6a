#include "check/files/term_witness.h"

#include <optional>

#include "check/files/claims.h"
#include "check/live/lasso.h"
#include "check/terms.h"
#include "model/observed.h"
#include "term/smtlib/printer.h"

namespace lem::check {

static std::optional<std::string> find_false_value(const Problem& model,
                                                   const TermWitness& witness) {
  const TermStore& terms = model.system().terms();
  for (std::size_t k = 0; k < witness.trace.steps.size(); ++k) {
    std::vector<Term> values = observed_at(model, witness.trace.steps[k]);
    for (std::size_t i = 0; i < witness.observed.size(); ++i) {
      if (witness.observed[i].empty() || witness.observed[i][k] == values[i]) continue;
      return "'" + model.source.observed[i].first + "' is " + smtlib::term_text(terms, values[i]) +
             " at step " + std::to_string(k) + ", not " +
             smtlib::term_text(terms, witness.observed[i][k]);
    }
  }
  return std::nullopt;
}

Result<Accepted> judge(const Problem& model, const std::string& path, const TermWitness& witness,
                       const EvidenceTask& task) {
  auto judge_one = [&](std::size_t index) -> Status {
    const Property& property = model.properties[index];
    std::optional<std::string> wrong =
        property.is_justice()
            ? replay_any_lasso(model.system(), property.often_terms(), witness.trace)
            : replay(model.system(), property.bad_term(), witness.trace);
    if (!wrong) wrong = find_false_value(model, witness);
    if (!wrong) return Ok{};
    return Error{{path, 0, 0},
                 "the witness for property '" + property.name + "' is rejected: " + *wrong,
                 ErrorKind::Internal};
  };
  Result<Accepted> accepted =
      judge_properties(model, path, witness.property, task, judge_one, Judges::Both);
  if (accepted) accepted->contents = Run(witness.trace);
  return accepted;
}

}  // namespace lem::check
