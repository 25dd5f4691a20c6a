#include "frontend/st/translate.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/st/builtins.h"
#include "frontend/st/lexer.h"
#include "frontend/st/walk.h"
#include "term/floats.h"
#include "term/traverse.h"

namespace lem::st {

Translator::Translator(std::shared_ptr<const Program> program, const StOptions& options,
                       std::vector<Warning>& warnings)
    : program_(std::move(program)),
      options_(options),
      warnings_(warnings),
      builder_(std::make_shared<TermStore>()),
      t_(builder_.terms()) {}

/// The same place is warned of once, however often it is inlined.
void Translator::warn(const SourcePos& at, const std::string& message) {
  if (!in_user_code()) return;
  for (const Warning& one : warnings_)
    if (one.at.line == at.line && one.at.column == at.column && one.message == message) return;
  warnings_.push_back({at, message});
}

// Edges -------------------------------------------------------------------------------------------

LocationId Translator::new_location(const char* name) {
  return builder_.add_location(name, line_);
}

void Translator::emit(Command command) {
  if (dead_) return;
  if (command.kind() == Command::Kind::Assign) written_.push_back(command.variable());
  pending_.push_back(std::move(command));
}

/// An edge from here, with what is pending before `commands`.
void Translator::edge(LocationId to, std::vector<Command> commands) {
  if (dead_) return;
  std::vector<Command> all = std::exchange(pending_, {});
  all.insert(all.end(), std::make_move_iterator(commands.begin()),
             std::make_move_iterator(commands.end()));
  builder_.add_edge(at_, all.size() == 1 ? all[0] : Command::sequence(std::move(all)), to, line_);
  ++edges_;
}

/// A location at which all that is pending has been done.
LocationId Translator::flush() {
  if (pending_.empty() || dead_) return at_;
  LocationId next = new_location("s");
  edge(next, {});
  at_ = next;
  return next;
}

void Translator::go_to(LocationId to) {
  edge(to, {});
  dead_ = true;
}

void Translator::continue_at(LocationId at) {
  pending_.clear();
  at_ = at;
  dead_ = false;
}

// Variables ---------------------------------------------------------------------------------------

Term Translator::variable(const std::string& name, Sort sort, StVariable about) {
  std::string unique = name.empty() ? "$" + std::to_string(source_->variables.size()) : name;
  for (const StVariable& other : source_->variables)
    if (t_.name(other.term) == unique) unique += "'";
  about.term = builder_.add_variable(unique, sort);
  source_->variables.push_back(about);
  return about.term;
}

static void collect_leaves(const Storage& storage, std::set<Term>& out) {
  if (storage.leaf) out.insert(storage.leaf);
  for (const Storage& part : storage.parts) collect_leaves(part, out);
}

Term Translator::temporary(Sort sort) {
  return variable("", sort, {});
}

Term Translator::any_value(Sort sort, const SourcePos& at) {
  Term out = temporary(sort);
  source_->choices.push_back({out, at});
  emit(Command::havoc(out));
  return out;
}

void Translator::keep(Term& term) {
  if (!term || t_.is_value(term) || aside_.contains(term)) return;
  Term out = temporary(t_.sort(term));
  emit(Command::assign(out, term));
  aside_.insert(out);
  term = out;
}

void Translator::keep(Place& place) {
  for (Place::Alternative& each : place.alternatives) {
    keep(each.guard);
    keep(each.index);
  }
}

void Translator::keep_held() {
  for (Term* term : held_) keep(*term);
}

bool Translator::changed_since(std::size_t mark, Term term) const {
  if (!term || mark == written_.size()) return false;
  std::vector<Term> read = variables_of(t_, term);
  return std::any_of(
      written_.begin() + static_cast<std::ptrdiff_t>(mark), written_.end(),
      [&](Term one) { return std::find(read.begin(), read.end(), one) != read.end(); });
}

bool Translator::changed_since(std::size_t mark, const Place& place) const {
  return std::any_of(place.alternatives.begin(), place.alternatives.end(),
                     [&](const Place::Alternative& each) {
                       return changed_since(mark, each.guard) || changed_since(mark, each.index);
                     });
}

/// Whether assignments `from` to `to` change more than variables of the functions they stand in.
bool Translator::writes_outside(std::size_t from, std::size_t to) const {
  std::set<Term> own(aside_);
  for (const auto& entry : function_storage_) {
    const auto& storage = entry.second;
    bool open = std::any_of(frames_.begin(), frames_.end(),
                            [&](const Frame& one) { return one.self == &storage; });
    if (!open) collect_leaves(storage, own);
  }
  return std::any_of(written_.begin() + static_cast<std::ptrdiff_t>(from),
                     written_.begin() + static_cast<std::ptrdiff_t>(to),
                     [&](Term one) { return !own.contains(one); });
}

// Properties --------------------------------------------------------------------------------------

/// One property for each name and place: inlined code checks the same one again.
LocationId Translator::property(const std::string& name, StProperty::Kind kind, const SourcePos& at,
                                const std::string& text) {
  std::string key = fmt::format("{}@{}:{}:{}", name, at.file, at.line, at.column);
  if (auto found = property_by_key_.find(key); found != property_by_key_.end())
    return properties_[found->second].error;
  std::string unique = name;
  auto taken = [&] {
    return std::any_of(properties_.begin(), properties_.end(),
                       [&](const StProperty& other) { return other.name == unique; });
  };
  if (taken()) unique += "@" + std::to_string(at.line);
  for (int copy = 2; taken(); ++copy) unique = name + "#" + std::to_string(copy);
  property_by_key_[key] = properties_.size();
  properties_.push_back({unique, kind, builder_.add_location("error", at.line), at, text});
  return properties_.back().error;
}

void Translator::prove(LocationId error, Term condition) {
  if (t_.is_true(condition) || dead_) return;
  LocationId here = flush();
  edge(error, {Command::assume(t_.make_not(condition))});
  at_ = here;
}

void Translator::check_that(StProperty::Kind kind, const SourcePos& at, const std::string& what,
                            Term holds) {
  const StOptions::Checks& wanted = options_.checks;
  bool asked = kind == StProperty::Kind::Overflow   ? wanted.overflow
               : kind == StProperty::Kind::Division ? wanted.division
                                                    : wanted.bounds;
  if (!asked || !in_user_code() || frame().self == nullptr) return;
  const char* group = kind == StProperty::Kind::Overflow   ? "overflow"
                      : kind == StProperty::Kind::Division ? "division"
                                                           : "bounds";
  std::string name =
      std::string(group) + "@" + std::to_string(at.line) + ":" + std::to_string(at.column);
  prove(property(name, kind, at, what), holds);
}

// The entry block ---------------------------------------------------------------------------------

static bool is_instance_of(const Type& type, const PouInfo& pou) {
  if (type.kind == Type::Kind::Array) return is_instance_of(*type.element, pou);
  if (type.kind == Type::Kind::Block) return type.block == &pou;
  return std::any_of(type.parts.begin(), type.parts.end(),
                     [&](const Part& part) { return is_instance_of(*part.type, pou); });
}

Result<const PouInfo*> Translator::choose_entry() const {
  std::vector<const PouInfo*> own;
  for (const PouInfo& one : program_->pous)
    if (!one.builtin && one.owner == nullptr) own.push_back(&one);
  auto names = [](const std::vector<const PouInfo*>& list) {
    std::string out;
    for (const PouInfo* one : list) out += (out.empty() ? "" : ", ") + one->pou->name.text;
    return out;
  };
  std::string key = lower(options_.entry);
  if (key.empty() && program_->unit->instances.size() == 1)
    key = program_->unit->instances[0].type.key;
  if (!key.empty()) {
    const PouInfo* found = program_->find_pou(key);
    if (found != nullptr) return found;
    std::string wanted =
        options_.entry.empty() ? program_->unit->instances[0].type.text : options_.entry;
    return Error{
        {}, "there is no block '" + wanted + "'; there are " + names(own), ErrorKind::Usage};
  }
  auto only = [&](auto&& wanted) -> const PouInfo* {
    std::vector<const PouInfo*> left;
    std::copy_if(own.begin(), own.end(), std::back_inserter(left), wanted);
    return left.size() == 1 ? left[0] : nullptr;
  };
  auto is_used = [&](const PouInfo* block) {
    auto holds = [&](const Variable& one) { return is_instance_of(*one.type, *block); };
    const std::vector<Variable>& globals = program_->globals;
    return std::any_of(globals.begin(), globals.end(), holds) ||
           std::any_of(own.begin(), own.end(), [&](const PouInfo* user) {
             return std::any_of(user->variables.begin(), user->variables.end(), holds);
           });
  };
  if (const PouInfo* program = only([&](const PouInfo* one) {
        return one->pou->kind == Pou::Kind::Program && !is_used(one);
      }))
    return program;
  if (const PouInfo* block = only(
          [&](const PouInfo* one) { return one->pou->kind == Pou::Kind::Block && !is_used(one); }))
    return block;
  if (own.size() == 1) return own[0];
  if (own.empty()) return Error{{}, "the file has no program, function block or function"};
  return Error{{},
               "several blocks could be the entry: give --entry with one of " + names(own),
               ErrorKind::Usage};
}

static StVariable::Role role_of(const Variable& one) {
  if (one.address.starts_with("%i")) return StVariable::Role::Input;
  switch (one.section) {
    case Section::Input:
      return StVariable::Role::Input;
    case Section::InOut:
      return StVariable::Role::InOut;
    case Section::Output:
      return StVariable::Role::Output;
    case Section::Temp:
      return StVariable::Role::Temp;
    case Section::Static:
    case Section::Global:
    case Section::External:
      return StVariable::Role::State;
  }
  unreachable();
}

StVariable::Role Translator::role_in_cycle(const Variable& one) const {
  return parameters_.contains(one.name.key) ? StVariable::Role::Parameter : role_of(one);
}

static bool asks_for_time(const Pou& pou) {
  bool found = false;
  walk(pou, [&](const Expr& expr) {
    found = found || (expr.kind == Expr::Kind::Call && expr.operand->kind == Expr::Kind::Name &&
                      is_clock(expr.operand->name->key));
  });
  return found;
}

/// Whether the block has a variable of its own under the name of a global one.
static bool hides(const PouInfo& block, const std::string& key) {
  return std::any_of(block.variables.begin(), block.variables.end(), [&](const Variable& one) {
    return one.name.key == key && one.section != Section::External;
  });
}

/// Variables of the entry block and global ones, with the roles they have for the environment.
Status Translator::make_entry() {
  if (Status done = mark_parameters(); !done) return done;
  if (Status done = check_addresses(); !done) return done;
  for (const PouInfo& pou : program_->pous)
    if (!clock_ && asks_for_time(*pou.pou))
      clock_ = variable(kStClock, t_.bv_sort(32),
                        {{}, kStClock, elementary("time"), StVariable::Role::Time});
  Type own{Type::Kind::Block};
  own.name = entry_->pou->name.text;
  auto add = [&](Storage& into, Type& type, const Variable& one, const PouInfo* scope) -> Status {
    bool hidden = scope == nullptr && hides(*entry_, one.name.key);
    Result<Storage> made =
        make_storage((hidden ? "GLOBAL." : "") + one.name.text, *one.type, role_in_cycle(one), 0);
    if (!made) return made.error();
    into.parts.push_back(*std::move(made));
    type.parts.push_back({one.name, one.type, one.initial, scope == nullptr ? one.scope : scope});
    return Ok{};
  };
  for (const Variable& one : program_->globals)
    if (!one.constant)
      if (Status done = add(globals_, globals_type_, one, nullptr); !done) return done;
  globals_.type = &globals_type_;
  for (const Variable& one : entry_->variables) {
    if (one.constant) continue;
    if (one.section == Section::External) {
      bool there = std::any_of(program_->globals.begin(), program_->globals.end(),
                               [&](const Variable& g) { return g.name.key == one.name.key; });
      if (!there)
        return Error{one.name.at, "the global variable '" + one.name.text + "' is not declared"};
      continue;
    }
    if (one.section == Section::InOut) {
      Result<Storage> made = make_storage(one.name.text, *one.type, role_in_cycle(one), 0);
      if (!made) return made.error();
      entry_references_.insert({one.name.key, *std::move(made)});
      continue;
    }
    if (Status done = add(entry_storage_, own, one, entry_); !done) return done;
  }
  if (entry_->result != nullptr) {
    Variable result{entry_->pou->name, entry_->result, Section::Output};
    if (Status done = add(entry_storage_, own, result, entry_); !done) return done;
  }
  own.block = entry_;
  own_types_.push_back(std::move(own));
  entry_storage_.type = &own_types_.back();
  collect_inputs();
  return Ok{};
}

/// Inputs that are arbitrary but constant.
Status Translator::mark_parameters() {
  for (const std::string& text : options_.parameters) {
    std::string key = lower(text);
    if (key.starts_with("instance.")) key = key.substr(9);
    bool known = false;
    for (const Variable& one : entry_->variables) {
      bool from_outside = one.section == Section::Input || one.section == Section::InOut;
      known = known || (from_outside && one.name.key == key);
    }
    if (!known)
      return Error{{},
                   "--parameter: '" + text + "' is no input of " + entry_->pou->name.text,
                   ErrorKind::Usage};
    parameters_.insert(key);
  }
  return Ok{};
}

/// Inputs of the controller (AT %I) that instances within a variable declare.
static void collect_located(const Storage& storage, std::vector<const Storage*>& out) {
  for (std::size_t i = 0; i < storage.parts.size(); ++i) {
    bool located = storage.type->kind == Type::Kind::Block &&
                   is_located_input(*storage.type, storage.type->parts[i]);
    if (located)
      out.push_back(&storage.parts[i]);
    else
      collect_located(storage.parts[i], out);
  }
}

/// Which variables the environment sets: inputs, and what is passed to the entry by reference.
void Translator::collect_inputs() {
  auto collect = [&](const Storage& storage, const std::vector<Variable>& variables) {
    for (std::size_t i = 0; i < storage.parts.size(); ++i)
      for (const Variable& one : variables) {
        if (one.name.key != storage.type->parts[i].name.key) continue;
        if (role_of(one) != StVariable::Role::Input)
          collect_located(storage.parts[i], inputs_);
        else if (!parameters_.contains(one.name.key))
          inputs_.push_back(&storage.parts[i]);
      }
  };
  collect(globals_, program_->globals);
  collect(entry_storage_, entry_->variables);
  for (const auto& [key, storage] : entry_references_)
    if (!parameters_.contains(key)) inputs_.push_back(&storage);
}

Translator::Frame Translator::entry_frame() const {
  Frame out{entry_, &entry_storage_};
  for (const auto& [key, storage] : entry_references_) out.references.insert({key, whole(storage)});
  return out;
}

// The scan cycle ----------------------------------------------------------------------------------

/// Only values of the type: literals of the enumeration, the subrange, numbers.
void Translator::restrict_input(Term leaf, const Type& type) {
  if (type.kind == Type::Kind::Real) {
    emit(Command::assume(t_.make_not(make_fp_is_nan(t_, leaf))));
    emit(Command::assume(t_.make_not(make_fp_is_infinite(t_, leaf))));
  }
  if (type.kind == Type::Kind::Enum && !type.text) {
    std::vector<Term> any;
    for (const auto& [name, value] : type.literals)
      any.push_back(t_.make_eq(leaf, number(value, type)));
    Term one = t_.make_or(any);
    if (!t_.is_true(one)) emit(Command::assume(one));
  }
  if (type.range) {
    Term low = number(type.range->first, type), high = number(type.range->second, type);
    bool sign = type.is_signed();
    emit(Command::assume(sign ? t_.make_bv_sle(low, leaf) : t_.make_bv_ule(low, leaf)));
    emit(Command::assume(sign ? t_.make_bv_sle(leaf, high) : t_.make_bv_ule(leaf, high)));
  }
}

/// `elements`: how many an array of the automaton has; 0 for a scalar.
Status Translator::take_input(const Storage& storage, std::size_t elements) {
  constexpr std::size_t kMostRestricted = 4096;
  if (storage.spread) elements = std::max<std::size_t>(elements, 1) * storage.type->elements();
  const Type& type = *storage.type;
  bool restricted = storage.leaf && (type.kind == Type::Kind::Real || type.range ||
                                     (type.kind == Type::Kind::Enum && !type.text));
  if (restricted && elements > kMostRestricted)
    return Error{entry_->pou->name.at, "inputs with more than " + std::to_string(kMostRestricted) +
                                           " elements of type " + type.name + " are not supported"};
  if (storage.leaf) emit(Command::havoc(storage.leaf));
  if (restricted && elements == 0) restrict_input(storage.leaf, type);
  for (std::size_t i = 0; restricted && i < elements; ++i)
    restrict_input(t_.make_select(storage.leaf, t_.bv(mpz_class(std::to_string(i)), 32)), type);
  for (const Storage& part : storage.parts)
    if (Status done = take_input(part, elements); !done) return done;
  return Ok{};
}

Status Translator::take_at_start(const Storage& storage, std::size_t elements) {
  if (Status done = take_input(storage, elements); !done) return done;
  std::vector<const Storage*> waiting = {&storage};
  while (!waiting.empty()) {
    const Storage* one = waiting.back();
    waiting.pop_back();
    for (const Storage& part : one->parts) waiting.push_back(&part);
    for (StVariable& about : source_->variables)
      if (one->leaf && about.term == one->leaf) about.arbitrary = true;
  }
  return Ok{};
}

/// What is declared RETAIN, and such variables of instances, in whatever block these stand. What is
/// set at each call is not kept.
Status Translator::take_retained(const Storage& storage, bool retained, std::size_t elements) {
  if (storage.leaf && retained) return take_at_start(storage, elements);
  if (storage.spread) elements = std::max<std::size_t>(elements, 1) * storage.type->elements();
  const PouInfo* block = storage.type->block;
  for (std::size_t i = 0; i < storage.parts.size(); ++i) {
    bool own = retained;
    if (block != nullptr)
      for (const Variable& one : block->variables)
        if (one.name.key == storage.type->parts[i].name.key)
          own = one.section != Section::Temp && (retained || one.retain);
    if (Status done = take_retained(storage.parts[i], own, elements); !done) return done;
  }
  return Ok{};
}

Status Translator::initial_state() {
  auto set_up = [&](const Storage& storage, const std::vector<Variable>& variables) -> Status {
    for (std::size_t i = 0; i < storage.parts.size(); ++i) {
      const Part& part = storage.type->parts[i];
      if (Status done = initialise(storage.parts[i], part.initial, part.scope); !done) return done;
      for (const Variable& one : variables)
        if (one.name.key == part.name.key && options_.any_retained)
          if (Status done = take_retained(storage.parts[i], one.retain, 0); !done) return done;
      bool parameter = &storage == &entry_storage_ && parameters_.contains(part.name.key);
      if (parameter)
        if (Status done = take_at_start(storage.parts[i], 0); !done) return done;
    }
    return Ok{};
  };
  if (Status done = set_up(globals_, program_->globals); !done) return done;
  if (Status done = set_up(entry_storage_, entry_->variables); !done) return done;
  if (clock_) emit(Command::assign(clock_, t_.bv(0, 32)));
  for (const auto& [key, storage] : entry_references_) {
    if (Status done = initialise(storage, {}, entry_); !done) return done;
    if (!parameters_.contains(key)) continue;
    if (Status done = take_at_start(storage, 0); !done) return done;
  }
  return Ok{};
}

/// Each timer gets older by the length of the cycle. Without a model of time, by any length: each
/// timer by its own, which allows more runs than there are.
void Translator::advance_time() {
  if (ages_.empty() && !clock_) return;
  const Type& time = *elementary("time");
  Term longest = t_.bv((mpz_class(1) << 31) - 1, 32);
  if (options_.time == StOptions::Time::Nondet) {
    for (Term age : ages_) {
      emit(Command::havoc(age));
      emit(Command::assume(t_.make_bv_sle(t_.bv(0, 32), age)));
    }
    if (clock_) emit(Command::havoc(clock_));
    return;
  }
  Term length = t_.bv(options_.least_ms, 32);
  if (options_.most_ms != options_.least_ms) {
    length = variable(kStCycle, sort_of(time), {{}, kStCycle, &time, StVariable::Role::Time});
    emit(Command::havoc(length));
    emit(Command::assume(t_.make_bv_ule(t_.bv(options_.least_ms, 32), length)));
    emit(Command::assume(t_.make_bv_ule(length, t_.bv(options_.most_ms, 32))));
  }
  if (clock_) emit(Command::assign(clock_, t_.make(Op::BvAdd, {clock_, length})));
  for (Term age : ages_) {
    Term sum = t_.make(Op::BvAdd, {age, length});
    Term wraps = t_.make(Op::BvSlt, {sum, t_.bv(0, 32)});
    emit(Command::assign(age, t_.make_ite(wraps, longest, sum)));
  }
}

Status Translator::begin_cycle() {
  for (const Storage* input : inputs_)
    if (Status done = take_input(*input, 0); !done) return done;
  advance_time();
  frames_.push_back(entry_frame());
  for (const std::string& text : options_.assumptions) {
    Result<ExprPtr> expr = parse_condition(text, {"--assume", 1, 1});
    if (!expr) return expr.error();
    Result<Term> holds = boolean(**expr);
    if (!holds) return holds.error();
    emit(Command::assume(*holds));
    assumes_ = true;
  }
  for (const Claim& claim : claims_)
    if (claim.from->pattern == "during-cycle") {
      Result<Term> now = boolean(*claim.parts[0]);
      if (!now) return now.error();
      emit(Command::assign(claim.memory, *now));
    }
  frames_.pop_back();
  LocationId begin = new_location("begin");
  go_to(begin);
  continue_at(begin);
  source_->cycle_begin = begin;
  return Ok{};
}

// Requirements ------------------------------------------------------------------------------------

Result<ExprPtr> Translator::parse_condition(const std::string& text, const SourcePos& at) {
  Result<std::vector<Token>> tokens = tokenize(at.file, text, {"", at.line, at.column});
  if (!tokens) return tokens.error();
  return Parser(*std::move(tokens), warnings_).whole_expression();
}

namespace {

struct Pattern {
  const char* name;
  std::size_t parameters;
  const char* text;
};
constexpr std::array<Pattern, 7> kPatterns = {{
    {"implication", 2, "if {1} at the end of a cycle, then {2} at the end of the same cycle"},
    {"invariant", 1, "{1} at the end of every cycle"},
    {"forbidden", 1, "never {1} at the end of a cycle"},
    {"during-cycle", 2, "if {1} at the beginning of a cycle, then {2} at its end"},
    {"between-cycles", 3,
     "if {1} at the end of a cycle and {2} at the end of the next, then {3} there"},
    {"reachability", 1, "{1} is possible at the end of a cycle"},
    {"past", 2, "if {1} at the end of a cycle, then {2} at the end of an earlier one"},
}};

}  // namespace

Status Translator::read_requirement(const StRequirement& one, std::size_t number_of) {
  const Pattern* pattern = nullptr;
  for (const Pattern& known : kPatterns)
    if (one.pattern == known.name) pattern = &known;
  if (pattern == nullptr) {
    std::string names;
    for (const Pattern& known : kPatterns)
      names += std::string(names.empty() ? "" : ", ") + known.name;
    return Error{one.at, "there is no pattern '" + one.pattern + "'; there are " + names,
                 one.at.file == "--require" ? ErrorKind::Usage : ErrorKind::BadInput};
  }
  if (one.parameters.size() != pattern->parameters)
    return Error{one.at,
                 "the pattern '" + one.pattern + "' has " + std::to_string(pattern->parameters) +
                     " parameters, separated by '|'",
                 one.at.file == "--require" ? ErrorKind::Usage : ErrorKind::BadInput};
  Claim claim{&one, {}, {}};
  std::string text = pattern->text;
  for (std::size_t i = 0; i < one.parameters.size(); ++i) {
    Result<ExprPtr> expr = parse_condition(one.parameters[i], one.at);
    if (!expr) return expr.error();
    claim.parts.push_back(*std::move(expr));
    std::string hole = "{" + std::to_string(i + 1) + "}";
    text.replace(text.find(hole), hole.size(), "(" + one.parameters[i] + ")");
  }
  std::string name = one.name.empty() ? "R" + std::to_string(number_of) : one.name;
  SourcePos at = one.at;
  at.line = at.line == 0 ? static_cast<std::uint32_t>(number_of) : at.line;
  claim.error = property(name,
                         one.pattern == "reachability" ? StProperty::Kind::Reachability
                                                       : StProperty::Kind::Requirement,
                         at, text);
  while (properties_[claim.property].error != claim.error) ++claim.property;
  properties_[claim.property].pattern = one.pattern;
  properties_[claim.property].parts = claim.parts;
  bool remembers =
      one.pattern == "during-cycle" || one.pattern == "between-cycles" || one.pattern == "past";
  if (remembers) claim.memory = temporary(t_.bool_sort());
  if (one.pattern == "between-cycles") monitors_.push_back({claim.memory, claim.parts[0]});
  if (one.pattern == "past") monitors_.push_back({claim.memory, claim.parts[1], true});
  claims_.push_back(std::move(claim));
  return Ok{};
}

Status Translator::read_requirements() {
  for (std::size_t i = 0; i < options_.requirements.size(); ++i)
    if (Status done = read_requirement(options_.requirements[i], i + 1); !done) return done;
  return Ok{};
}

/// The value at the end of the cycle before; in the first cycle, the initial value.
Result<Term> Translator::previous(const Expr& call) {
  if (call.arguments.size() != 1 || call.arguments[0].value == nullptr)
    return Error{call.at, call.operand->name->text + " has one argument"};
  const ExprPtr& of = call.arguments[0].value;
  if (has_call(*of))
    return Error{call.at, "calls in " + call.operand->name->text + " are not supported"};
  for (const Monitor& one : monitors_)
    if (one.now == of && one.from_start) return one.variable;
  frames_.push_back(entry_frame());
  Result<Value> value = eval(*of, nullptr);
  frames_.pop_back();
  if (!value) return value.error();
  if (value->type == nullptr) return Error{call.at, call.operand->name->text + " needs a variable"};
  Term memory = variable("", sort_of(*value->type), {{}, "", value->type});
  monitors_.push_back({memory, of, false, true});
  return memory;
}

/// When a requirement says something at all; `p`: its parameters at the end of the cycle.
std::optional<Term> Translator::premise_of(const Claim& claim, const std::vector<Term>& p) {
  const std::string& pattern = claim.from->pattern;
  if (pattern == "implication" || pattern == "past") return p[0];
  if (pattern == "during-cycle") return claim.memory;
  if (pattern == "between-cycles") return t_.make_and(claim.memory, p[1]);
  const Expr& whole = *claim.parts[0];
  if (pattern != "invariant" || whole.kind != Expr::Kind::Binary ||
      whole.binary != BinaryOp::Implies)
    return {};
  Result<Term> first = boolean(*whole.operand);  // was read a moment ago
  return first ? std::optional(*first) : std::nullopt;
}

/// What each requirement claims at the end of a cycle.
Status Translator::end_cycle() {
  LocationId end = new_location("end of cycle");
  go_to(end);
  continue_at(end);
  source_->cycle_end = end;
  line_ = 0;
  frames_.push_back(entry_frame());
  for (const Claim& claim : claims_) {
    const std::string& pattern = claim.from->pattern;
    std::vector<Term> p;
    for (const ExprPtr& part : claim.parts) {
      Result<Term> holds = boolean(*part);
      if (!holds) return holds.error();
      p.push_back(*holds);
    }
    Term holds = pattern == "implication"    ? t_.make_implies(p[0], p[1])
                 : pattern == "invariant"    ? p[0]
                 : pattern == "forbidden"    ? t_.make_not(p[0])
                 : pattern == "during-cycle" ? t_.make_implies(claim.memory, p[1])
                 : pattern == "between-cycles"
                     ? t_.make_implies(t_.make_and(claim.memory, p[1]), p[2])
                 : pattern == "past" ? t_.make_implies(p[0], claim.memory)
                                     : t_.make_not(p[0]);
    prove(claim.error, holds);
    if (std::optional<Term> premise = premise_of(claim, p)) {
      LocationId reached = builder_.add_location("premise");
      properties_[claim.property].premise = reached;
      prove(reached, t_.make_not(*premise));
    }
  }
  if (assumes_) {
    source_->ended = builder_.add_location("some cycle ends");
    prove(*source_->ended, t_.boolean(false));
  }
  for (const Monitor& one : std::vector<Monitor>(monitors_)) {
    Result<Value> now = eval(*one.now, nullptr);
    if (!now) return now.error();
    emit(Command::assign(one.variable,
                         one.sticky ? t_.make_or(one.variable, now->term) : now->term));
  }
  frames_.pop_back();
  go_to(head_);
  return Ok{};
}

Status Translator::initial_monitors() {
  continue_at(ready_);
  frames_.push_back(entry_frame());
  for (const Monitor& one : std::vector<Monitor>(monitors_)) {
    if (!one.from_start) {
      emit(Command::assign(one.variable, t_.boolean(false)));
      continue;
    }
    Result<Value> now = eval(*one.now, nullptr);
    if (!now) return now.error();
    emit(Command::assign(one.variable, now->term));
  }
  frames_.pop_back();
  go_to(head_);
  return Ok{};
}

Result<StProgram> Translator::finished(const std::string& file) {
  if (properties_.empty()) return Error{{file}, kNothingToCheck, ErrorKind::Usage};
  if (Status done = read_claims(); !done) return done.error();
  builder_.set_error(properties_[0].error);
  Result<Cfa> cfa = std::move(builder_).freeze();
  if (!cfa) return Error{{file}, cfa.error().message, ErrorKind::Internal};
  source_->program = program_;
  source_->entry = entry_->pou->name.text;
  source_->head = head_;
  source_->properties = properties_;
  return StProgram{*std::move(cfa), source_};
}

Result<StProgram> Translator::run(const std::string& file) {
  Result<const PouInfo*> chosen = choose_entry();
  if (!chosen) {
    Error error = chosen.error();
    error.at.file = file;
    return error;
  }
  entry_ = *chosen;
  if (Status done = make_entry(); !done) return done.error();
  if (Status done = read_requirements(); !done) return done.error();
  LocationId start = builder_.add_location("start");
  ready_ = builder_.add_location("ready");
  head_ = builder_.add_location("cycle");
  builder_.set_initial(start);
  continue_at(start);
  if (Status done = initial_state(); !done) return done.error();
  go_to(ready_);
  continue_at(head_);
  if (Status done = begin_cycle(); !done) return done.error();
  if (Status done = run_body(entry_frame(), entry_->pou->name.at); !done) return done.error();
  if (Status done = end_cycle(); !done) return done.error();
  if (Status done = initial_monitors(); !done) return done.error();
  return finished(file);
}

}  // namespace lem::st
