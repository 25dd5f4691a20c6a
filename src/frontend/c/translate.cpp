#include "frontend/c/translate.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "frontend/c/place.h"
#include "term/traverse.h"

namespace lem::c {

static constexpr std::uint32_t kBeyond = std::numeric_limits<std::uint32_t>::max();

Translator::Translator(const llvm::Function& main, const std::string& path, const COptions& options)
    : main_(main),
      path_(path),
      checks_(options.checks),
      builder_(std::make_shared<TermStore>()),
      t_(builder_.terms()),
      arithmetic_(t_, options.arith),
      floats_(t_),
      frames_(main),
      points_to_(main),
      cells_(main, path, options, points_to_),
      failures_(builder_, path, options.errors) {}

Result<CProgram> Translator::run() {
  find_chains();
  points_to_.analyse(blocks_);
  if (Status found = cells_.collect(blocks_); !found) return found.error();
  cell_variables_.resize(cells_.size());
  find_last_uses();
  find_filled();
  find_open_cells();
  LocationId start = builder_.add_location("start");
  exit_ = builder_.add_location("exit");
  builder_.set_error(failures_.first());
  builder_.set_initial(start);
  at_ = start;
  if (Status done = initial_values(); !done) return done.error();
  if (Status found = find_rounding(); !found) return found.error();
  begin_checks();
  find_addresses();
  edge(location(main_.getEntryBlock()), std::move(pending_), 0);
  pending_.clear();
  pending_marks_.clear();
  for (const llvm::BasicBlock* head : heads_)
    if (Status done = chain(*head); !done) return done.error();
  Result<Cfa> cfa = std::move(builder_).freeze();
  if (!cfa) return Error{{path_}, cfa.error().message, ErrorKind::Internal};
  std::stable_sort(inputs_.begin(), inputs_.end(),
                   [](const CInput& a, const CInput& b) { return a.edge < b.edge; });
  marks_.frames = frames_.all();
  marks_.files = frames_.files();
  marks_.locations.resize(cfa->locations().size());
  marks_.variables.resize(variables_.size());
  return CProgram{*std::move(cfa),
                  path_,
                  std::move(variables_),
                  std::move(inputs_),
                  {},
                  std::move(marks_),
                  std::move(failures_).properties()};
}

// Order -----------------------------------------------------------------------------------------

/// The block behind this one in its chain, if any.
static const llvm::BasicBlock* next_in_chain(const llvm::BasicBlock& block) {
  const llvm::BasicBlock* next = block.getUniqueSuccessor();
  auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  bool chained = next && jump && jump->isUnconditional() && next->getSinglePredecessor() == &block;
  return chained && next != &block ? next : nullptr;
}

void Translator::find_chains() {
  std::vector<const llvm::BasicBlock*> waiting = {&main_.getEntryBlock()};
  std::uint32_t order = 0;
  while (!waiting.empty()) {
    const llvm::BasicBlock* head = waiting.back();
    waiting.pop_back();
    if (head_of_.count(head) != 0) continue;
    heads_.push_back(head);
    const llvm::BasicBlock* last = head;
    for (const llvm::BasicBlock* block = head; block != nullptr; block = next_in_chain(*block)) {
      head_of_[block] = head;
      blocks_.push_back(block);
      for (const llvm::Instruction& instruction : *block) order_[&instruction] = order++;
      last = block;
    }
    std::vector<const llvm::BasicBlock*> successors(llvm::succ_begin(last), llvm::succ_end(last));
    waiting.insert(waiting.end(), successors.rbegin(), successors.rend());
  }
}

/// A phi uses its operand at the end of the block that the operand comes from.
void Translator::find_last_uses() {
  for (const llvm::BasicBlock* block : blocks_)
    for (const llvm::Instruction& instruction : *block) {
      std::uint32_t last = 0;
      for (const llvm::Use& use : instruction.uses()) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
          user = phi->getIncomingBlock(use)->getTerminator();
        if (head_of_.count(user->getParent()) == 0) continue;  // never reached
        bool here = head_of_.lookup(user->getParent()) == head_of_.lookup(block);
        last = std::max(last, here ? order_.lookup(user) : kBeyond);
      }
      last_use_[&instruction] = last;
    }
}

// Variables -------------------------------------------------------------------------------------

Term Translator::declare(CVariable variable, Sort sort) {
  std::string name = variable.function.empty() ? "" : variable.function + "::";
  name += variable.name.empty() ? "$" : variable.name;
  std::uint32_t copy = ++names_[name];
  if (variable.name.empty())
    name += std::to_string(copy);
  else if (copy > 1)
    name += '@' + std::to_string(copy);
  variable.term = builder_.add_variable(name, sort);
  variables_.push_back(std::move(variable));
  return variables_.back().term;
}

Term Translator::internal(Sort sort, std::uint32_t bits) {
  CVariable variable;
  variable.bits = bits;
  return declare(std::move(variable), sort);
}

Term Translator::phi_variable(const llvm::PHINode& phi) {
  Term& variable = values_[&phi];
  if (!variable) variable = internal(scalar_sort(*phi.getType(), 0), scalar_bits(*phi.getType()));
  return variable;
}

/// What is known without a variable has none.
Pointer Translator::phi_variables(const llvm::PHINode& phi) {
  Targets targets = points_to_(phi);
  Term& object = values_[&phi];
  if (!object) {
    bool known = targets.single() && !points_to_[targets.objects.begin()->first].many;
    object = known ? object_number(targets.objects.begin()->first) : internal(object_sort(), 0);
  }
  Term& position = indices_[&phi];
  if (!position) position = indexed(targets) ? internal(index_sort(), 0) : index_constant(0);
  return {object, position};
}

// Edges -----------------------------------------------------------------------------------------

LocationId Translator::location(const llvm::BasicBlock& head) {
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

void Translator::emit(Command command, std::uint32_t line) {
  if (line != 0 && line_ != 0 && line != line_) flush();
  if (line != 0) line_ = line;
  pending_.push_back(std::move(command));
  pending_marks_.push_back(current_ == nullptr ? CMark{} : frames_.mark(*current_));
}

void Translator::edge(LocationId to, std::vector<Command> commands, std::uint32_t line) {
  // What is not pending belongs to the instruction at hand: a jump and the moves along it.
  std::vector<CMark>& marks = marks_.edges.emplace_back(pending_marks_);
  marks.resize(std::max<std::size_t>(commands.size(), 1),
               current_ == nullptr ? CMark{} : frames_.mark(*current_));
  Command command = commands.size() == 1 ? commands[0] : Command::sequence(std::move(commands));
  last_edge_ = builder_.add_edge(at_, std::move(command), to, line);
}

/// What is pending goes on an edge of its own.
void Translator::flush() {
  if (pending_.empty()) return;
  LocationId next = builder_.add_location("s" + std::to_string(index(last_edge_) + 1), line_);
  edge(next, std::exchange(pending_, {}), line_);
  pending_marks_.clear();
  at_ = next;
}

Status Translator::chain(const llvm::BasicBlock& head) {
  at_ = location(head);
  line_ = 0;
  pending_marks_.clear();
  open_.clear();
  for (const llvm::BasicBlock* block = &head; block != nullptr; block = next_in_chain(*block))
    for (const llvm::Instruction& instruction_here : *block) {
      current_ = &instruction_here;
      if (instruction_here.isTerminator() && next_in_chain(*block) != nullptr) break;
      if (instruction_here.isTerminator()) return terminator(instruction_here);
      Result<Flow> flow = instruction(instruction_here);
      if (!flow) return flow.error();
      if (*flow == Flow::Ended) return Ok{};
    }
  unreachable();
}

/// The values that the phis of `to` have when control comes from `from`, all at once.
Result<std::vector<Command>> Translator::moves(const llvm::BasicBlock& from,
                                               const llvm::BasicBlock& to) {
  std::vector<std::pair<Term, Term>> pairs;
  for (const llvm::PHINode& phi : to.phis()) {
    if (phi.getType()->isPointerTy()) {
      Result<Pointer> source = pointer(*phi.getIncomingValueForBlock(&from), *from.getTerminator());
      if (!source) return source.error();
      Pointer target = phi_variables(phi);
      if (!t_.is_value(target.object)) pairs.push_back({target.object, source->object});
      if (!t_.is_value(target.index)) pairs.push_back({target.index, source->index});
      continue;
    }
    if (!is_scalar(*phi.getType())) return refuse(phi, "value of this type");
    Result<Term> term = value(*phi.getIncomingValueForBlock(&from), *from.getTerminator());
    if (!term) return term.error();
    pairs.push_back({phi_variable(phi), *term});
  }
  std::vector<Command> first, then;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::vector<Term> read = variables_of(t_, pairs[i].second);
    bool late = std::any_of(
        pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(i), [&](const auto& earlier) {
          return std::find(read.begin(), read.end(), earlier.first) != read.end();
        });
    Term source = pairs[i].second;
    if (late) {
      Term saved = internal(t_.sort(source), 0);
      first.push_back(Command::assign(saved, source));
      source = saved;
    }
    if (source != pairs[i].first) then.push_back(Command::assign(pairs[i].first, source));
  }
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

Status Translator::leave(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Term guard) {
  if (t_.is_false(guard)) return Ok{};
  Result<std::vector<Command>> phis = moves(from, to);
  if (!phis) return phis.error();
  std::vector<Command> commands = pending_;
  if (!t_.is_true(guard)) commands.push_back(Command::assume(guard));
  commands.insert(commands.end(), phis->begin(), phis->end());
  bool alone = pending_.empty() || line_ == 0;
  edge(location(to), std::move(commands), alone ? line_of(*from.getTerminator()) : line_);
  return Ok{};
}

Status Translator::terminator(const llvm::Instruction& last) {
  const llvm::BasicBlock& from = *last.getParent();
  if (llvm::isa<llvm::ReturnInst>(last)) {
    check_leaks(last);
    if (line_of(last) != line_) flush();
    edge(exit_, std::exchange(pending_, {}), line_of(last));
    return Ok{};
  }
  if (llvm::isa<llvm::UnreachableInst>(last)) {  // the program says that no run gets here
    pending_.clear();
    return Ok{};
  }
  std::vector<std::pair<const llvm::BasicBlock*, Term>> targets;
  if (auto* jump = llvm::dyn_cast<llvm::BranchInst>(&last)) {
    Term condition = t_.boolean(true);
    if (jump->isConditional()) {
      Result<Term> found = value(*jump->getCondition(), last);
      if (!found) return found.error();
      condition = *found;
      targets.push_back({jump->getSuccessor(1), t_.make_not(condition)});
    }
    targets.insert(targets.begin(), {jump->getSuccessor(0), condition});
  } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&last)) {
    Result<Term> on = value(*choice->getCondition(), last);
    if (!on) return on.error();
    std::vector<Term> others;
    for (const auto& one : choice->cases()) {
      Term here =
          t_.make_eq(*on, arithmetic_.constant(one.getCaseValue()->getValue(), CSign::Signed));
      targets.push_back({one.getCaseSuccessor(), here});
      others.push_back(t_.make_not(here));
    }
    targets.push_back({choice->getDefaultDest(), t_.make_and(others)});
  } else {
    return refuse(last,
                  llvm::isa<llvm::IndirectBrInst>(last) ? "computed goto" : last.getOpcodeName());
  }
  if (targets.size() > 1) flush();
  for (const auto& [to, guard] : targets)
    if (Status left = leave(from, *to, guard); !left) return left;
  pending_.clear();
  return Ok{};
}

}  // namespace lem::c
