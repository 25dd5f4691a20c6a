#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "base/assert.h"
#include "frontend/c/checks.h"
#include "frontend/c/place.h"
#include "frontend/c/promotion.h"
#include "frontend/c/translate.h"
#include "term/traverse.h"

namespace lem::c {

Error Translator::refuse(const llvm::Instruction& at, const std::string& construct) const {
  return unsupported(at, path_, construct);
}

static std::string kind_of(const llvm::Type& type) {
  if (type.isFloatingPointTy()) return "floating-point number of this type";
  if (type.isPointerTy()) return "pointer as a value";
  if (type.isVectorTy()) return "vector";
  return "struct as a value";
}

// Values ----------------------------------------------------------------------------------------

std::optional<Term> Translator::constant(const llvm::Value& value, CSign sign) const {
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return arithmetic_.constant(number->getValue(), sign);
  if (auto* number = llvm::dyn_cast<llvm::ConstantFP>(&value))
    return floats_.constant(number->getValueAPF());
  return std::nullopt;
}

Result<Term> Translator::value(const llvm::Value& value, const llvm::Instruction& user,
                               CSign sign) {
  if (!is_scalar(*value.getType())) return refuse(user, kind_of(*value.getType()));
  if (std::optional<Term> number = constant(value, sign)) return *number;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value))
    return read_as(phi_variable(*phi), value, sign);
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(&value)) {
    Term& term = values_[argument];  // of main: any value, as at the start
    if (!term) term = internal(scalar_sort(*value.getType(), 0), scalar_bits(*value.getType()));
    return read_as(term, value, sign);
  }
  auto found = values_.find(&value);
  if (found != values_.end()) return read_as(found->second, value, sign);
  if (auto* number = llvm::dyn_cast<llvm::PtrToIntOperator>(&value))
    return address(*number->getPointerOperand(), *value.getType(), user);
  return refuse(user, "address as a number");
}

/// Over Int, the value as a number of this sign.
Term Translator::read_as(Term term, const llvm::Value& value, CSign sign) const {
  if (!arithmetic_.ideal() || t_.kind(term) != SortKind::Int || !value.getType()->isIntegerTy())
    return term;
  std::uint32_t bits = value.getType()->getIntegerBitWidth();
  if (sign_of(value) == sign) return term;
  if (sign == CSign::Signed)
    if (std::optional<mpz_class> most = most_of(value);
        most && *most < (mpz_class(1) << (bits - 1)))
      return term;
  return arithmetic_.read_as(term, bits, sign);
}

/// The highest number that an unsigned value can be, where that is less than its type allows.
std::optional<mpz_class> Translator::most_of(const llvm::Value& value) const {
  if (auto* wider = llvm::dyn_cast<llvm::ZExtInst>(&value))
    return (mpz_class(1) << wider->getSrcTy()->getIntegerBitWidth()) - 1;
  auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  auto* by = op ? llvm::dyn_cast<llvm::ConstantInt>(op->getOperand(1)) : nullptr;
  if (by == nullptr || by->getValue().getActiveBits() > 62) return std::nullopt;
  auto number = mpz_class(static_cast<unsigned long>(by->getZExtValue()));
  if (op->getOpcode() == llvm::Instruction::And) return number;
  if (op->getOpcode() == llvm::Instruction::URem && number > 0) return number - 1;
  return std::nullopt;
}

/// Operations on unsigned numbers, and those that are neither: shifts to the left.
bool Translator::wraps(const llvm::BinaryOperator& op) const {
  switch (op.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
      return !op.hasMetadata(kSigned) && !llvm::isa<llvm::PtrToIntOperator>(op.getOperand(0));
    case llvm::Instruction::Shl:
      return true;
    default:
      return false;
  }
}

/// Over Int, how the term of this value reads its bits.
CSign Translator::sign_of(const llvm::Value& value) const {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&value); load && !cells_.drops(*load)) {
    const Access& access = cells_.of(*load);
    return access.places.empty() ? CSign::Signed : cells_[access.places[0].cells[0]].variable.sign;
  }
  if (llvm::isa<llvm::ZExtInst>(value)) return CSign::Unsigned;
  if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(&value)) {
    auto* before = llvm::dyn_cast<llvm::SExtInst>(cut->getOperand(0));
    bool undone = before && before->getSrcTy()->getIntegerBitWidth() <=
                                cut->getDestTy()->getIntegerBitWidth();
    return undone ? CSign::Signed : CSign::Unsigned;
  }
  if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
    unsigned code = op->getOpcode();
    if (code == llvm::Instruction::UDiv || code == llvm::Instruction::URem ||
        code == llvm::Instruction::LShr || code == llvm::Instruction::And || wraps(*op))
      return CSign::Unsigned;
  }
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&value))
    if (const llvm::Function* callee = called(*call); callee && is_input(*callee))
      return nondet_sign(callee->getName());
  return CSign::Signed;
}

/// Gives the instruction its value: a term while its chain lasts, a variable beyond.
void Translator::define(const llvm::Instruction& instruction, Term term) {
  define(instruction, term, values_);
}

static std::uint32_t bits_of(const llvm::Instruction& instruction) {
  return is_scalar(*instruction.getType()) ? scalar_bits(*instruction.getType()) : 0;
}

void Translator::define(const llvm::Instruction& instruction, Term term,
                        llvm::DenseMap<const llvm::Value*, Term>& among) {
  std::uint32_t last = last_use_.lookup(&instruction);
  if (last == 0) return;  // unused
  bool beyond = last == UINT32_MAX;
  if (beyond && !t_.is_value(term)) {
    Term variable = internal(t_.sort(term), bits_of(instruction));
    emit(Command::assign(variable, term), line_of(instruction));
    term = variable;
  }
  among[&instruction] = term;
  if (!beyond) open_.push_back(&instruction);
}

/// Terms that will be used behind a write to a variable in them are saved before.
void Translator::keep_before_write(Term written, const llvm::Instruction& writer) {
  std::uint32_t now = order_.lookup(&writer);
  std::erase_if(open_, [&](const auto* open) { return last_use_.lookup(open) <= now; });
  for (const llvm::Instruction* open : open_)
    for (auto* among : {&values_, &indices_}) {
      auto found = among->find(open);
      if (found == among->end()) continue;
      Term term = found->second;
      std::vector<Term> read = variables_of(t_, term);
      if (std::find(read.begin(), read.end(), written) == read.end()) continue;
      Term saved = internal(t_.sort(term), bits_of(*open));
      emit(Command::assign(saved, term), line_of(writer));
      (*among)[open] = saved;
    }
}

// Instructions ----------------------------------------------------------------------------------

/// Only differences of addresses are numbers.
static bool is_subtracted(const llvm::Instruction& address) {
  return std::all_of(address.user_begin(), address.user_end(), [](const llvm::User* user) {
    return llvm::cast<llvm::Instruction>(user)->getOpcode() == llvm::Instruction::Sub &&
           llvm::isa<llvm::PtrToIntOperator>(user->getOperand(0)) &&
           llvm::isa<llvm::PtrToIntOperator>(user->getOperand(1));
  });
}

Result<Translator::Flow> Translator::instruction(const llvm::Instruction& instruction) {
  if (auto* calls = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call(*calls);
  if (cells_.drops(instruction)) {
    if (llvm::isa<llvm::StoreInst>(instruction)) return Flow::On;
    if (instruction.getType()->isPointerTy()) {
      Pointer none = any_pointer(instruction);
      define(instruction, none.object, values_);
      define(instruction, none.index, indices_);
    } else {
      define(instruction, any(scalar_sort(*instruction.getType(), 0), instruction));
    }
    return Flow::On;
  }
  if (auto* stores = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (Status done = store(*stores); !done) return done.error();
    return Flow::On;
  }
  const llvm::Type& type = *instruction.getType();
  if (llvm::isa<llvm::AllocaInst, llvm::PHINode>(instruction)) return Flow::On;
  if (llvm::isa<llvm::PtrToIntInst>(instruction) && is_subtracted(instruction)) return Flow::On;
  if (type.isPointerTy()) {
    if (Status done = define_pointer(instruction); !done) return done.error();
    return Flow::On;
  }
  if (llvm::isa<llvm::FenceInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return refuse(instruction, "atomic access");
  if (!is_scalar(type)) return refuse(instruction, kind_of(type));
  Result<Term> term = compute(instruction);
  if (!term) return term.error();
  define(instruction, *term);
  return Flow::On;
}

Result<Term> Translator::compute(const llvm::Instruction& instruction) {
  if (auto* loads = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load(*loads, 0);
  if (is_float_operation(instruction)) return compute_float(instruction);
  if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return binary(*op);
  if (auto* test = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return compare(*test);
  if (auto* change = llvm::dyn_cast<llvm::CastInst>(&instruction)) return cast(*change);
  if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction))
    return value(*freeze->getOperand(0), instruction);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    Result<Term> condition = value(*select->getCondition(), instruction);
    Result<Term> yes = value(*select->getTrueValue(), instruction);
    Result<Term> no = value(*select->getFalseValue(), instruction);
    for (const Result<Term>* part : {&condition, &yes, &no})
      if (!*part) return part->error();
    return t_.make_ite(*condition, *yes, *no);
  }
  if (llvm::isa<llvm::VAArgInst>(instruction)) return refuse(instruction, "variable arguments");
  return refuse(instruction, std::string("instruction '") + instruction.getOpcodeName() + "'");
}

static bool reads_unsigned(const llvm::BinaryOperator& op) {
  switch (op.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::LShr:
    case llvm::Instruction::And:
      return true;
    default:
      return false;
  }
}

Result<Term> Translator::binary(const llvm::BinaryOperator& op) {
  if (std::optional<Result<Term>> apart = difference(op)) return *apart;
  CSign sign = reads_unsigned(op) || wraps(op) ? CSign::Unsigned : CSign::Signed;
  Result<Term> a = value(*op.getOperand(0), op, sign);
  if (!a) return a;
  Result<Term> b = value(*op.getOperand(1), op, sign);
  if (!b) return b;
  if (op.isShift()) return shift(op, *a, *b);
  if (arithmetic_.ideal() && t_.kind(*a) == SortKind::Int && wraps(op))
    return *arithmetic_.wrapping(op.getOpcode(), *a, *b, op.getType()->getIntegerBitWidth());
  if (std::optional<Term> term = arithmetic_.binary(op.getOpcode(), *a, *b)) return *term;
  if (op.isIntDivRem() && t_.kind(*a) == SortKind::Int) return division(op, *a, *b);
  return refuse_operation(op);
}

Error Translator::refuse_operation(const llvm::BinaryOperator& op) const {
  return refuse(op, std::string("operation '") + op.getOpcodeName() + "' over integers (" +
                        (arithmetic_.ideal() ? "--arith int" : "one bit") + ")");
}

/// The amount as the program has it: clang cuts off what is beyond the type of the other operand.
static const llvm::Value* whole_amount(const llvm::BinaryOperator& shift) {
  auto* cut = llvm::dyn_cast<llvm::TruncInst>(shift.getOperand(1));
  bool by_clang = cut != nullptr && cut->getDebugLoc() == shift.getDebugLoc();
  return by_clang ? cut->getOperand(0) : shift.getOperand(1);
}

/// By the width or more, or by less than nothing: any value, for processors differ.
Result<Term> Translator::shift(const llvm::BinaryOperator& op, Term a, Term b) {
  std::uint32_t width = op.getType()->getIntegerBitWidth();
  bool outside = arithmetic_.ideal() && t_.is_value(b) &&
                 (t_.integer_value(b) < 0 || t_.integer_value(b) >= width);
  if (outside) return any(t_.sort(a), op);
  std::optional<Term> term = arithmetic_.ideal() && wraps(op)
                                 ? arithmetic_.wrapping(op.getOpcode(), a, b, width)
                                 : arithmetic_.binary(op.getOpcode(), a, b);
  if (!term) return refuse_operation(op);
  if (arithmetic_.ideal()) return *term;
  Result<Term> amount = value(*whole_amount(op), op);
  if (!amount) return amount;
  Term inside = t_.make(Op::BvUlt, {*amount, t_.bv(width, t_.width(*amount))});
  return t_.is_true(inside) ? *term : t_.make_ite(inside, *term, any(t_.sort(a), op));
}

/// Over Int by what is not known: two fresh numbers and what is true of them.
Result<Term> Translator::division(const llvm::BinaryOperator& op, Term a, Term b) {
  Term quotient = internal(t_.int_sort(), op.getType()->getIntegerBitWidth());
  Term remainder = internal(t_.int_sort(), op.getType()->getIntegerBitWidth());
  emit(Command::havoc(quotient), line_of(op));
  emit(Command::havoc(remainder), line_of(op));
  emit(Command::assume(arithmetic_.divides(a, b, quotient, remainder)), line_of(op));
  unsigned code = op.getOpcode();
  bool wants_quotient = code == llvm::Instruction::UDiv || code == llvm::Instruction::SDiv;
  return wants_quotient ? quotient : remainder;
}

Result<Term> Translator::compare(const llvm::ICmpInst& compare) {
  const llvm::Value &left = *compare.getOperand(0), &right = *compare.getOperand(1);
  if (left.getType()->isPointerTy()) return compare_pointers(compare);
  CSign sign = compare.isUnsigned() ? CSign::Unsigned : CSign::Signed;
  if (compare.isEquality())  // as both read it, if they do
    for (const llvm::Value* side : {&left, &right})
      if (!llvm::isa<llvm::Constant>(side) && sign_of(*side) == CSign::Unsigned)
        sign = CSign::Unsigned;
  Result<Term> a = value(left, compare, sign);
  if (!a) return a;
  Result<Term> b = value(right, compare, sign);
  if (!b) return b;
  return arithmetic_.compare(compare.getPredicate(), *a, *b);
}

Result<Term> Translator::cast(const llvm::CastInst& cast) {
  const llvm::Value& from = *cast.getOperand(0);
  if (from.getType()->isPointerTy()) return address(from, *cast.getType(), cast);
  auto narrowing = Arithmetic::Narrowing::Lossy;
  auto* to = llvm::cast<llvm::IntegerType>(cast.getType());
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&from))
    if (load->getMetadata(llvm::LLVMContext::MD_range)) narrowing = Arithmetic::Narrowing::Truth;
  if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(from)) {
    const llvm::Type* before = llvm::cast<llvm::CastInst>(from).getSrcTy();
    if (before->getIntegerBitWidth() <= to->getBitWidth())
      narrowing = Arithmetic::Narrowing::Undone;
  }
  CSign sign = llvm::isa<llvm::ZExtInst>(cast) ? CSign::Unsigned : CSign::Signed;
  if (llvm::isa<llvm::TruncInst>(cast)) sign = sign_of(from);
  Result<Term> a = value(from, cast, sign);
  if (!a) return a;
  bool cuts = llvm::isa<llvm::TruncInst>(cast) && arithmetic_.ideal() && to->getBitWidth() > 1;
  if (cuts && narrowing != Arithmetic::Narrowing::Undone)
    return arithmetic_.read_as(*a, to->getBitWidth(), CSign::Unsigned);
  if (std::optional<Term> term = arithmetic_.cast(cast.getOpcode(), *a, *to, narrowing))
    return *term;
  if (cast.getOpcode() == llvm::Instruction::Trunc)
    return refuse(cast, "conversion to a narrower type over integers (--arith int)");
  return refuse(cast, std::string("conversion '") + cast.getOpcodeName() + "'");
}

// Calls -----------------------------------------------------------------------------------------

static bool has_words(llvm::StringRef assertion) {
  return assertion == "__CPROVER_assert" || assertion.startswith("__ESBMC_");
}

Result<Translator::Flow> Translator::call(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return refuse(call, "inline assembly");
  const llvm::Function* callee = called(call);
  if (callee == nullptr) return refuse(call, "indirect call");
  std::uint32_t line = line_of(call);
  switch (is_error_loop(call) ? Callee::Error : callee_of(*callee)) {
    case Callee::Error:
      if (line != line_) flush();
      edge(failures_.at_report(call), std::exchange(pending_, {}), line);
      return Flow::Ended;
    case Callee::Fails:
      return failed_check(call);
    case Callee::Exit:
      if (callee->getName() == "exit") check_leaks(call);
      if (line != line_) flush();
      edge(exit_, std::exchange(pending_, {}), line);
      return Flow::Ended;
    case Callee::Assume:
    case Callee::Assert: {
      // Those of CBMC and ESBMC have a second argument: words for the report.
      if (call.arg_size() != 1 && (call.arg_size() != 2 || !has_words(callee->getName())))
        return refuse(call, "call of '" + callee->getName().str() + "'");
      Result<Term> argument = value(*call.getArgOperand(0), call);
      if (!argument) return argument.error();
      Term holds = *argument;
      if (t_.kind(holds) != SortKind::Bool)
        holds = t_.make_not(t_.make_eq(holds, t_.default_value(t_.sort(holds))));
      if (callee_of(*callee) == Callee::Assert) {
        flush();
        edge(failures_.at_report(call), {Command::assume(t_.make_not(holds))}, line);
      }
      if (!t_.is_true(holds)) emit(Command::assume(holds), line);
      return Flow::On;
    }
    case Callee::Printing:
      if (Status harmless = only_prints(call); !harmless) return harmless.error();
      [[fallthrough]];
    case Callee::Nondet:
      if (Status done = nondet(call, *callee); !done) return done.error();
      return Flow::On;
    case Callee::Fresh:
      if (Status done = fresh(call); !done) return done.error();
      return Flow::On;
    case Callee::Allocate:
    case Callee::AllocateZero:
    case Callee::Object:
      if (Status done = allocate(call); !done) return done.error();
      return Flow::On;
    case Callee::Shrink:
      if (Status done = shrink(call); !done) return done.error();
      return Flow::On;
    case Callee::Resize:  // memory is not checked where it is called
      return Flow::On;
    case Callee::Nothing:
      if (callee->getName() != "free") return Flow::On;
      if (Status done = release(call); !done) return done.error();
      return Flow::On;
    case Callee::First: {
      if (call.getType()->isPointerTy()) break;
      Result<Term> first = value(*call.getArgOperand(0), call);
      if (!first) return first.error();
      define(call, *first);
      return Flow::On;
    }
    case Callee::Defined:
    case Callee::Undefined:
      break;
  }
  return call_builtin(call, *callee);
}

/// Functions that are known by their name alone.
Result<Translator::Flow> Translator::call_builtin(const llvm::CallBase& call,
                                                  const llvm::Function& callee) {
  if (callee.getName() == kOwnGiven) {
    Result<Term> given = value(*call.getArgOperand(0), call);
    if (!given) return given.error();
    check(CRule::Uninitialised, call, t_.make_not(*given));
    return Flow::On;
  }
  if (callee.getName() == kOwnEnd) return refuse(call, "the end of a function that never returns");
  if (auto function = float_function(callee.getName())) {
    Result<Term> result = call_float(call, *function);
    if (!result) return result.error();
    define(call, *result);
    return Flow::On;
  }
  if (is_integer_function(callee) && is_scalar(*call.getType())) {
    Result<Term> result = call_integer(call);
    if (!result) return result.error();
    define(call, *result);
    return Flow::On;
  }
  if (auto* moves = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
    if (Status done = copy(*moves); !done) return done.error();
    return Flow::On;
  }
  if (auto* fills = llvm::dyn_cast<llvm::MemSetInst>(&call)) {
    if (Status done = fill(*fills); !done) return done.error();
    return Flow::On;
  }
  if (const llvm::MDNode* why = call.getMetadata(kRefused))
    return refuse(call, llvm::cast<llvm::MDString>(why->getOperand(0))->getString().str());
  return refuse(call, "call of '" + callee.getName().str() + "', which is not defined");
}

/// The run may end here as a failure; else it goes on, as it would without the check.
Result<Translator::Flow> Translator::failed_check(const llvm::CallBase& call) {
  if (in_assumption(call)) return Flow::Ended;  // an assumption without a meaning does not hold
  std::optional<CheckCall> check = check_of(call);
  if (!check) return refuse(call, "check of an unknown kind");
  SourcePos at = place_of(call, path_);
  if (check->line != 0) at = {at.file, check->line, check->column};
  flush();
  edge(failures_.at_check(check->rule, at), {}, at.line);
  return check->rule == CRule::Unreachable ? Flow::Ended : Flow::On;
}

/// The letter that ends the conversion at this place of a format, which is behind its %.
static char conversion(llvm::StringRef format, std::size_t at) {
  std::size_t end = format.find_first_not_of("-+ #0123456789'I*.$hljztLqZw", at);
  return end == llvm::StringRef::npos ? '\0' : format[end];
}

/// printf writes to memory by %n.
Status Translator::only_prints(const llvm::CallBase& call) const {
  llvm::StringRef name = called(call)->getName();
  if (!name.endswith("printf")) return Ok{};
  unsigned at_format = name.endswith("fprintf") ? 1 : 0;
  llvm::StringRef format;
  if (call.arg_size() <= at_format || !call.getArgOperand(at_format)->getType()->isPointerTy() ||
      !llvm::getConstantStringInfo(call.getArgOperand(at_format), format))
    return refuse(call, name.str() + " with a format that is not constant");
  for (std::size_t at = format.find('%'); at != llvm::StringRef::npos;
       at = format.find('%', at + (conversion(format, at + 1) == '%' ? 2 : 1)))
    if (conversion(format, at + 1) == 'n') return refuse(call, name.str() + " with %n");
  return Ok{};
}

/// Any value of its type. An input goes straight into the variable it is stored to.
/// Whether all that is written is one element of a small array, which is known here.
bool Translator::is_known_element(const llvm::StoreInst& store) {
  const Access& access = cells_.of(store);
  if (access.places.size() != 1 || access.null || access.elsewhere) return false;
  const Place& place = access.places[0];
  if (place.cells.size() != 1 || place.shifts[0] != 0 || !place.spoiled.empty()) return false;
  const Cell& cell = cells_[place.cells[0]];
  if (cell.indexed || points_to_[place.object].many) return false;
  Result<Pointer> to = pointer(*store.getPointerOperand(), store);
  return to && cell.type == store.getValueOperand()->getType() && t_.is_true(is_at(place, 0, *to));
}

Status Translator::nondet(const llvm::CallBase& call, const llvm::Function& callee) {
  bool input = is_input(callee);
  auto is_pointer = [](const llvm::Value* value) { return value->getType()->isPointerTy(); };
  if (input && (call.getType()->isVoidTy() || llvm::any_of(call.args(), is_pointer)))
    return refuse(call, "call of '" + callee.getName().str() + "', which may write to memory");
  if (call.getType()->isVoidTy()) return Ok{};
  if (call.use_empty() && !input) return Ok{};
  if (call.getType()->isPointerTy() && !input) return define_pointer(call);
  if (!is_scalar(*call.getType()))
    return refuse(call, kind_of(*call.getType()) + " from '" + callee.getName().str() + "'");
  std::uint32_t bits = scalar_bits(*call.getType());
  CSign sign = nondet_sign(callee.getName());
  Term variable;
  auto* store = call.hasOneUse() ? llvm::dyn_cast<llvm::StoreInst>(call.user_back()) : nullptr;
  bool direct = store != nullptr && store == call.getNextNonDebugInstruction();
  if (direct) {
    const Access& access = cells_.of(*store);
    bool single = access.plain || is_known_element(*store);
    const Cell* cell = single ? &cells_[access.places[0].cells[0]] : nullptr;
    direct = cell != nullptr && (cell->variable.origin == COrigin::User || cell->read) &&
             (!arithmetic_.ideal() || cell->variable.sign == sign);
  }
  if (direct) {
    variable = variable_of(cells_.of(*store).places[0].cells[0]);
    keep_before_write(variable, *store);
  } else {
    variable = internal(scalar_sort(*call.getType(), 0), bits);
  }
  if (input) flush();
  emit(Command::havoc(variable), line_of(call));
  Term range = arithmetic_.in_range(variable, bits, sign);
  if (!t_.is_true(range)) emit(Command::assume(range), line_of(call));
  values_[&call] = variable;
  if (!input) return Ok{};
  flush();
  inputs_.push_back({last_edge_, variable, callee.getName().str(), sign, place_of(call, path_)});
  return Ok{};
}

}  // namespace lem::c
