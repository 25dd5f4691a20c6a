#include "frontend/c/values.h"

#include <algorithm>

#include "term/traverse.h"

namespace lem::c {

static bool reads(const TermStore& t, Term term, Term variable) {
  std::vector<Term> read = variables_of(t, term);
  return std::find(read.begin(), read.end(), variable) != read.end();
}

static std::uint32_t bits_of(const llvm::Value& value) {
  return is_scalar(*value.getType()) ? scalar_bits(*value.getType()) : 0;
}

std::optional<Pointer> Values::pointer(const llvm::Value& value) const {
  auto object = values_.find(&value), index = indices_.find(&value);
  if (object == values_.end() || index == indices_.end()) return std::nullopt;
  return Pointer{object->second, index->second};
}

void Values::define(const llvm::Instruction& instruction, Term term) {
  define(instruction, term, values_);
}

void Values::define(const llvm::Instruction& instruction, const Pointer& pointer) {
  define(instruction, pointer.object, values_);
  define(instruction, pointer.index, indices_);
}

void Values::set(const llvm::Value& value, const Pointer& pointer) {
  values_[&value] = pointer.object;
  indices_[&value] = pointer.index;
}

void Values::define(const llvm::Instruction& instruction, Term term, Terms& among) {
  std::uint32_t last = chains_.last_use(instruction);
  if (last == 0) return;  // unused
  bool beyond = last == Chains::kBeyond;
  if (beyond && !t_.is_value(term)) {
    Term variable = automaton_.internal(t_.sort(term), bits_of(instruction));
    automaton_.emit(Command::assign(variable, term), instruction);
    term = variable;
  }
  among[&instruction] = term;
  if (!beyond) open_.push_back(&instruction);
}

void Values::keep_before_write(Term variable, const llvm::Instruction& writer) {
  std::uint32_t now = chains_.order(writer);
  std::erase_if(open_, [&](const auto* open) { return chains_.last_use(*open) <= now; });
  for (const llvm::Instruction* open : open_)
    for (Terms* among : {&values_, &indices_}) {
      auto found = among->find(open);
      if (found == among->end() || !reads(t_, found->second, variable)) continue;
      Term saved = automaton_.internal(t_.sort(found->second), bits_of(*open));
      automaton_.emit(Command::assign(saved, found->second), writer);
      found->second = saved;
    }
}

void Values::havoc(Term variable, const llvm::Instruction& writer) {
  keep_before_write(variable, writer);
  automaton_.emit(Command::havoc(variable), writer);
}

std::vector<Command> Values::at_once(const std::vector<Write>& writes) {
  std::vector<Command> saves, assignments;
  for (auto here = writes.begin(); here != writes.end(); ++here) {
    Term value = here->value;
    std::vector<Term> read = variables_of(t_, value);
    bool late = std::any_of(writes.begin(), here, [&](const Write& earlier) {
      return std::find(read.begin(), read.end(), earlier.variable) != read.end();
    });
    if (late) {
      Term saved = automaton_.internal(t_.sort(value));
      saves.push_back(Command::assign(saved, value));
      value = saved;
    }
    assignments.push_back(Command::assign(here->variable, value));
  }
  saves.insert(saves.end(), assignments.begin(), assignments.end());
  return saves;
}

void Values::write(const std::vector<Write>& writes, const llvm::Instruction& writer) {
  for (const Write& write : writes) keep_before_write(write.variable, writer);
  for (Command& command : at_once(writes)) automaton_.emit(std::move(command), writer);
}

}  // namespace lem::c
