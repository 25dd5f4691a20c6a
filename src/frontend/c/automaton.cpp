#include "frontend/c/automaton.h"

#include <algorithm>
#include <memory>

#include "frontend/c/place.h"

namespace lem::c {

Automaton::Automaton(const llvm::Function& main, const std::string& path)
    : path_(path), builder_(std::make_shared<TermStore>()), frames_(main) {
  at_ = builder_.add_location("start");
  exit_ = builder_.add_location("exit");
  error_ = builder_.add_location("error");
  builder_.set_initial(at_);
  builder_.set_error(error_);
}

// Variables -------------------------------------------------------------------------------------

Term Automaton::declare(CVariable variable, Sort sort, const CDeclaration& declaration) {
  std::string name = variable.function.empty() ? "" : variable.function + "::";
  name += variable.name.empty() ? "$" : variable.name;
  std::uint32_t copy = ++names_[name];
  if (variable.name.empty())
    name += std::to_string(copy);
  else if (copy > 1)
    name += '@' + std::to_string(copy);
  variable.term = builder_.add_variable(name, sort);
  variables_.push_back(std::move(variable));
  marks_.variables.push_back(declaration);
  return variables_.back().term;
}

Term Automaton::internal(Sort sort, std::uint32_t bits) {
  CVariable variable;
  variable.bits = bits;
  return declare(std::move(variable), sort, {});
}

Term Automaton::any(Sort sort, const llvm::Instruction& at) {
  Term variable = internal(sort);
  emit(Command::havoc(variable), at);
  return variable;
}

// Locations -------------------------------------------------------------------------------------

LocationId Automaton::location(const llvm::BasicBlock& head) {
  auto found = locations_.find(&head);
  if (found != locations_.end()) return found->second;
  std::uint32_t line = 0;
  CMark mark;
  for (const llvm::Instruction& instruction : head) {
    line = line_of(instruction);
    mark = frames_.mark(instruction);
    if (line != 0) break;
  }
  LocationId id = builder_.add_location("b" + std::to_string(locations_.size()), line);
  locations_.insert({&head, id});
  marks_.locations.resize(index(id) + 1);
  marks_.locations[index(id)] = mark;
  return id;
}

void Automaton::begin(const llvm::BasicBlock& head) {
  assert(pending_.empty() && "what is pending belongs to another chain");
  at_ = location(head);
  line_ = 0;
  pending_marks_.clear();
}

// Edges -----------------------------------------------------------------------------------------

void Automaton::emit(Command command, const llvm::Instruction& at) {
  emit_on(std::move(command), line_of(at));
}

void Automaton::emit_on(Command command, std::uint32_t line) {
  if (line != 0 && line_ != 0) flush_before(line);
  if (line != 0) line_ = line;
  pending_.push_back(std::move(command));
  pending_marks_.push_back(mark());
}

void Automaton::edge(LocationId to, std::vector<Command> commands, std::uint32_t line) {
  // What is not pending belongs to the instruction at hand: a jump and the moves along it.
  std::vector<CMark>& marks = marks_.edges.emplace_back(pending_marks_);
  marks.resize(std::max<std::size_t>(commands.size(), 1), mark());
  Command command = commands.size() == 1 ? commands[0] : Command::sequence(std::move(commands));
  last_edge_ = builder_.add_edge(at_, std::move(command), to, line);
}

void Automaton::flush() {
  if (pending_.empty()) return;
  LocationId next = builder_.add_location("s" + std::to_string(index(last_edge_) + 1), line_);
  edge(next, std::exchange(pending_, {}), line_);
  pending_marks_.clear();
  at_ = next;
}

void Automaton::flush_before(std::uint32_t line) {
  if (line != line_) flush();
}

void Automaton::branch(LocationId to, const std::vector<Command>& more, std::uint32_t line) {
  std::vector<Command> commands = pending_;
  commands.insert(commands.end(), more.begin(), more.end());
  edge(to, std::move(commands), pending_.empty() || line_ == 0 ? line : line_);
}

void Automaton::end(LocationId to, std::uint32_t line) {
  edge(to, std::exchange(pending_, {}), line);
}

void Automaton::add_input(Term variable, const std::string& function, CSign sign, SourcePos at) {
  inputs_.push_back({last_edge_, variable, function, sign, std::move(at)});
}

Result<CProgram> Automaton::finish() && {
  Result<Cfa> cfa = std::move(builder_).freeze();
  if (!cfa) return Error{{path_}, cfa.error().message, ErrorKind::Internal};
  std::stable_sort(inputs_.begin(), inputs_.end(),
                   [](const CInput& a, const CInput& b) { return a.edge < b.edge; });
  marks_.frames = frames_.all();
  marks_.files = frames_.files();
  marks_.locations.resize(cfa->locations().size());
  return CProgram{*std::move(cfa),    path_, std::move(variables_),
                  std::move(inputs_), {},    std::move(marks_)};
}

}  // namespace lem::c
