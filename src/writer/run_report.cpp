#include "writer/run_report.h"

namespace lem::writer {

std::string_view answer_word(const PropertyResult& result) {
  if (result.task) return result.task->verdict;
  std::string_view word = name(result.outcome.verdict());
  if (result.goal == Goal::Avoid || word == "unknown") return word;
  return word == "safe" ? "unsafe" : "safe";
}

static std::string name_or(const std::vector<std::string>& names, std::uint32_t index,
                           char letter) {
  if (index < names.size() && !names[index].empty()) return names[index];
  return letter + std::to_string(index);
}

std::string signal_name(const Problem& problem, std::uint32_t var) {
  const Aig& aig = problem.aig();
  const SourceMap& source = problem.source;
  if (aig.is_constant(var)) return "false";
  if (aig.is_input(var)) return name_or(source.input_names, var - aig.first_input(), 'i');
  if (aig.is_latch(var)) return name_or(source.latch_names, var - aig.first_latch(), 'l');
  return "n" + std::to_string(var < source.file_var.size() ? source.file_var[var] : var);
}

std::string literal_name(const Problem& problem, AigLit lit) {
  return (lit.negative() ? "!" : "") + signal_name(problem, lit.var());
}

}  // namespace lem::writer
