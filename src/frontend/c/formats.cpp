// The meaning of conversions: ISO C 11, 7.21.6.
// Tests: tests/unit/frontend/c/formats_test.cpp
#include "frontend/c/formats.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <bitset>
#include <optional>
#include <vector>

#include "frontend/c/environment.h"
#include "frontend/c/place.h"

namespace lem::c {

namespace {

/// One part of a format: text, or a conversion.
struct Part {
  std::string text;     // without a conversion
  char conversion = 0;  // its letter
  bool left = false, zeros = false, plus = false, blank = false;
  bool skipped = false;  // scanf: %*d
  std::optional<std::uint64_t> width, precision;
  bool precision_given = false;  // as an argument: %.*s
  unsigned longs = 0, halves = 0;
  bool size = false;           // z, t: as wide as a pointer
  std::bitset<256> letters{};  // scanf: those that %s or %[ takes
};

/// Reads a number at `at`, which moves behind it.
std::optional<std::uint64_t> number_at(llvm::StringRef format, std::size_t& at) {
  std::size_t start = at;
  while (at < format.size() && llvm::isDigit(format[at])) ++at;
  std::uint64_t value = 0;
  if (format.slice(start, at).getAsInteger(10, value) || value > 1'000'000) return std::nullopt;
  return value;
}

enum class Kind : std::uint8_t { Prints, Scans };

std::bitset<256> white_space() {
  std::bitset<256> out;
  for (char c : {' ', '\t', '\n', '\v', '\f', '\r'}) out.set(static_cast<unsigned char>(c));
  return out;
}

/// The letters of `[a-z]` from behind the bracket at `at`, which moves behind the last one.
std::optional<std::bitset<256>> letters_at(llvm::StringRef format, std::size_t& at) {
  std::bitset<256> out;
  bool others = format.substr(at).startswith("^");
  if (others) ++at;
  for (bool first = true; at < format.size(); first = false) {
    if (format[at] == ']' && !first) {
      ++at;
      return others ? ~out : out;
    }
    auto from = static_cast<unsigned char>(format[at]), to = from;
    bool range = at + 2 < format.size() && format[at + 1] == '-' && format[at + 2] != ']';
    if (range) to = static_cast<unsigned char>(format[at + 2]);
    if (from > to) return std::nullopt;  // as the implementation has it
    for (unsigned c = from; c <= to; ++c) out.set(c);
    at += range ? 3 : 1;
  }
  return std::nullopt;
}

/// The conversion behind a % at `at`; nothing if there is more to it than is known here.
std::optional<Part> conversion_at(llvm::StringRef format, std::size_t& at, Kind kind) {
  Part out;
  for (; at < format.size(); ++at) {
    char c = format[at];
    if (kind == Kind::Scans && c == '*')
      out.skipped = true;
    else if (kind == Kind::Prints && llvm::StringRef("-0+ ").contains(c))
      (c == '-' ? out.left : c == '0' ? out.zeros : c == '+' ? out.plus : out.blank) = true;
    else
      break;
  }
  if (at < format.size() && llvm::isDigit(format[at])) {
    out.width = number_at(format, at);
    if (!out.width) return std::nullopt;
  }
  if (at < format.size() && format[at] == '.' && kind == Kind::Prints) {
    ++at;
    out.precision_given = at < format.size() && format[at] == '*';
    if (out.precision_given)
      ++at;
    else
      out.precision = number_at(format, at);
    if (!out.precision && !out.precision_given) return std::nullopt;
  }
  for (; at < format.size() && llvm::StringRef("hlzjt").contains(format[at]); ++at) {
    if (format[at] == 'l') ++out.longs;
    if (format[at] == 'h') ++out.halves;
    if (format[at] == 'j') out.longs = 2;
    if (format[at] == 'z' || format[at] == 't') out.size = true;
  }
  if (at == format.size()) return std::nullopt;
  out.conversion = format[at++];
  if (kind == Kind::Scans && out.conversion == 's') out.letters = ~white_space();
  if (kind == Kind::Scans && out.conversion == '[') {
    std::optional<std::bitset<256>> letters = letters_at(format, at);
    if (!letters) return std::nullopt;
    out.letters = *letters;
  }
  return out;
}

/// The parts of a format, or the text of the conversion that is not known.
struct Format {
  std::vector<Part> parts;
  std::string unknown;
};

Format parse(llvm::StringRef format, Kind kind) {
  Format out;
  for (std::size_t at = 0; at < format.size();) {
    std::size_t next = format.find('%', at);
    if (next > at) {
      Part text;
      text.text = format.slice(at, next).str();
      out.parts.push_back(text);
      at = std::min(next, format.size());
      continue;
    }
    std::size_t behind = at + 1;
    std::optional<Part> part = conversion_at(format, behind, kind);
    llvm::StringRef known = kind == Kind::Scans ? "diuxXocs%[n" : "diuxXocs%";
    if (!part || !known.contains(part->conversion)) {
      out.unknown = format.slice(at, behind).str();
      return out;
    }
    if (part->conversion == '%' && kind == Kind::Prints) {
      part->text = "%";
      part->conversion = 0;
    }
    out.parts.push_back(*part);
    at = behind;
  }
  return out;
}

// What can be read ------------------------------------------------------------------------------

bool is_blank(char c) {
  return white_space().test(static_cast<unsigned char>(c));
}

/// Whether input that is there may not fit. %c and %s take any.
bool may_fail(const Part& part) {
  if (part.conversion == 0) return !llvm::all_of(part.text, is_blank);
  return part.conversion != 'n';
}

/// What a format does before it assigns anything.
struct ScanShape {
  std::uint32_t assigning = 0;  // conversions
  bool may_fit_none = false;    // no assignment, though there is input
  bool may_end = false;         // by the end of the input
};

ScanShape shape_of(const Format& format) {
  ScanShape out;
  for (const Part& part : format.parts) {
    bool assigns =
        part.conversion != 0 && !llvm::StringRef("%n").contains(part.conversion) && !part.skipped;
    bool takes_any = part.conversion == 'c' || part.conversion == 's';
    if (out.assigning == 0 && may_fail(part) && !(assigns && takes_any)) out.may_fit_none = true;
    out.may_end = out.may_end || may_fail(part);
    if (assigns) ++out.assigning;
  }
  return out;
}

/// Numbers in a field of this many characters, a sign among them.
struct ScanRange {
  std::int64_t least = INT64_MIN, most = INT64_MAX;
};

std::int64_t largest(std::uint64_t digits, std::int64_t base) {
  std::int64_t out = 0;
  for (std::uint64_t i = 0; i < digits; ++i) {
    if (out > INT64_MAX / base - 1) return INT64_MAX;
    out = out * base + base - 1;
  }
  return out;
}

/// Beyond the numbers of the type: any.
ScanRange range_of(const Part& part, unsigned bits) {
  ScanRange out;
  if (!part.width) return out;
  auto of = [&](std::uint64_t digits) {
    std::int64_t base = part.conversion == 'o'                  ? 8
                        : llvm::toLower(part.conversion) == 'x' ? 16
                                                                : 10;
    std::int64_t hexadecimal = digits > 2 ? largest(digits - 2, 16) : 0;  // of %i: 0xF
    return std::max(largest(digits, base), part.conversion == 'i' ? hexadecimal : 0);
  };
  if (of(*part.width) > llvm::APInt::getSignedMaxValue(bits).getSExtValue()) return out;
  return {-of(*part.width - 1), of(*part.width)};
}

/// Without those that a conversion counts when it assigns.
std::uint32_t least_letters(const Part& part) {
  if (part.conversion == 0)
    return static_cast<std::uint32_t>(
        llvm::count_if(part.text, [](char c) { return !is_blank(c); }));
  bool letters = part.conversion == 'c';
  return letters ? static_cast<std::uint32_t>(part.width.value_or(1)) : 1;
}

/// No blanks that are skipped, and no number of unknown length.
bool reads_exactly(const Part& part) {
  if (part.conversion == 0) return llvm::none_of(part.text, is_blank);
  return part.conversion == 'c' || (part.conversion == '[' && !part.skipped);
}

/// A conversion takes all that it can: what the %c behind it can be.
std::bitset<256> letters_behind(const Part& part, const std::bitset<256>& before) {
  std::bitset<256> all = ~std::bitset<256>();
  if (part.conversion == 0) {
    if (part.text.empty()) return before;
    return is_blank(part.text.back()) ? ~white_space() : all;
  }
  if (part.width || part.conversion == 'c' || part.conversion == '%') return all;
  if (part.conversion == 's' || part.conversion == '[') return ~part.letters;
  bool tens = part.conversion == 'd' || part.conversion == 'u';
  bool sixteens = llvm::toLower(part.conversion) == 'x';
  for (char c = '0'; c <= (tens || sixteens ? '9' : '7'); ++c)
    all.reset(static_cast<unsigned char>(c));
  for (char c = 'a'; sixteens && c <= 'f'; ++c) {
    all.reset(static_cast<unsigned char>(c));
    all.reset(static_cast<unsigned char>(llvm::toUpper(c)));
  }
  return all;
}

/// A call of sprintf or scanf, and what it becomes.
class Expansion {
 public:
  Expansion(llvm::CallBase& call, unsigned format)
      : call_(call),
        next_(format + 1),
        module_(*call.getModule()),
        build_(&call),
        size_(build_.getIntNTy(module_.getDataLayout().getPointerSizeInBits())) {}
  bool prints(const Format& format, llvm::Value* to, llvm::Value* most);
  bool scans(const Format& format);

 private:
  llvm::Value* argument() {
    return next_ < call_.arg_size() ? call_.getArgOperand(next_++) : nullptr;
  }
  llvm::Value* model(llvm::StringRef name, llvm::Type* result,
                     const std::vector<llvm::Value*>& args);
  llvm::Value* size(std::uint64_t value) { return llvm::ConstantInt::get(size_, value); }
  bool print_text(const Part& part);
  bool print_string(const Part& part);
  bool print_number(const Part& part);
  llvm::Value* scan(const Part& part, llvm::Value* taken, const std::bitset<256>& first);
  bool scan_place(const Part& part, llvm::Value* taken, llvm::Value* read, bool exact);
  unsigned bits_of(const Part& part) const;
  void replace(llvm::Value* result) {
    call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
  }

  llvm::CallBase& call_;
  unsigned next_;  // argument
  llvm::Module& module_;
  llvm::IRBuilder<> build_;
  llvm::IntegerType* size_;
  llvm::Value *to_ = nullptr, *most_ = nullptr, *at_ = nullptr;
};

llvm::Value* Expansion::model(llvm::StringRef name, llvm::Type* result,
                              const std::vector<llvm::Value*>& args) {
  std::vector<llvm::Type*> types;
  for (const llvm::Value* arg : args) types.push_back(arg->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  llvm::CallInst* made = build_.CreateCall(module_.getOrInsertFunction(name, type), args);
  made->setDebugLoc(call_.getDebugLoc());
  return made;
}

bool Expansion::print_text(const Part& part) {
  llvm::Value* text = build_.CreateGlobalStringPtr(part.text);
  at_ = model("lemmata_put_text", size_, {to_, most_, at_, text, size(part.text.size())});
  return true;
}

bool Expansion::print_string(const Part& part) {
  llvm::Value* most = size(part.precision ? *part.precision : ~0ULL);
  if (part.precision_given) {
    llvm::Value* given = argument();
    if (given == nullptr || !given->getType()->isIntegerTy(32)) return false;
    most = build_.CreateSExt(given, size_);  // negative: as if there were none
  }
  llvm::Value* value = argument();
  if (value == nullptr || part.longs != 0) return false;
  llvm::Value* width = size(part.width.value_or(0));
  llvm::Value* left = build_.getInt32(part.left);
  if (part.conversion == 'c') {
    if (!value->getType()->isIntegerTy(32)) return false;
    at_ = model("lemmata_put_letter", size_, {to_, most_, at_, width, left, value});
    return true;
  }
  if (!value->getType()->isPointerTy()) return false;
  value = build_.CreateBitCast(value, build_.getInt8PtrTy());
  at_ = model("lemmata_put_string", size_, {to_, most_, at_, width, left, value, most});
  return true;
}

/// Its size and sign as the function has them: `sign` is a character or 0.
bool Expansion::print_number(const Part& part) {
  llvm::Value* value = argument();
  if (value == nullptr || part.precision || part.precision_given) return false;
  unsigned word = size_->getBitWidth();
  unsigned bits = part.longs > 1 ? 64 : part.longs == 1 || part.size ? word : 32;
  if (!value->getType()->isIntegerTy(bits)) return false;
  bool is_signed = part.conversion == 'd' || part.conversion == 'i';
  if (part.halves > 0) {
    llvm::Type* narrow = build_.getIntNTy(part.halves > 1 ? 8 : 16);
    value = build_.CreateIntCast(build_.CreateTrunc(value, narrow), build_.getInt32Ty(), is_signed);
  }
  llvm::Value* sign = build_.getInt8(0);
  if (is_signed) {
    auto letter = static_cast<std::uint8_t>(part.plus ? '+' : part.blank ? ' ' : 0);
    llvm::Value* negative =
        build_.CreateICmpSLT(value, llvm::ConstantInt::get(value->getType(), 0));
    sign = build_.CreateSelect(negative, build_.getInt8('-'), build_.getInt8(letter));
    value = build_.CreateSelect(negative, build_.CreateNeg(value), value);
  }
  unsigned base = part.conversion == 'o' ? 8 : llvm::toLower(part.conversion) == 'x' ? 16 : 10;
  auto ten = static_cast<std::uint8_t>(part.conversion == 'X' ? 'A' : 'a');
  at_ =
      model(bits == 64 ? "lemmata_put_long" : "lemmata_put_int", size_,
            {to_, most_, at_, size(part.width.value_or(0)), build_.getInt32(part.left),
             build_.getInt32(part.zeros), sign, value, build_.getInt32(base), build_.getInt8(ten)});
  return true;
}

bool Expansion::prints(const Format& format, llvm::Value* to, llvm::Value* most) {
  most_ = most == nullptr ? size(~0ULL) : most;
  if (!to->getType()->isPointerTy() || most_->getType() != size_) return false;
  to_ = build_.CreateBitCast(to, build_.getInt8PtrTy());
  at_ = size(0);
  for (const Part& part : format.parts) {
    bool done = part.conversion == 0                               ? print_text(part)
                : part.conversion == 'c' || part.conversion == 's' ? print_string(part)
                                                                   : print_number(part);
    if (!done) return false;
  }
  replace(model("lemmata_put_end", build_.getInt32Ty(), {to_, most_, at_}));
  return true;
}

unsigned Expansion::bits_of(const Part& part) const {
  if (part.longs > 1) return 64;
  if (part.longs == 1 || part.size) return size_->getBitWidth();
  return part.halves > 1 ? 8 : part.halves == 1 ? 16 : 32;
}

/// Reads letters or a number, if the conversion takes place; returns how many letters it read at
/// least, or null if the argument does not fit.
llvm::Value* Expansion::scan(const Part& part, llvm::Value* taken, const std::bitset<256>& first) {
  llvm::Value* to = argument();
  if (to == nullptr || !to->getType()->isPointerTy() || part.width == 0U) return nullptr;
  llvm::Value* flag = build_.CreateZExt(taken, build_.getInt32Ty());
  llvm::Type* result = build_.getInt32Ty();
  if (llvm::StringRef("cs[").contains(part.conversion)) {
    if (part.longs != 0) return nullptr;
    bool word = part.conversion != 'c';
    constexpr std::uint64_t kAny = 0x7FFFFFFF;
    std::vector<llvm::Value*> args = {
        flag, build_.CreateBitCast(to, build_.getInt8PtrTy()),
        build_.getInt32(static_cast<std::uint32_t>(part.width.value_or(word ? kAny : 1)))};
    const std::bitset<256>& letters = word ? part.letters : first;
    for (unsigned at = 0; at < 256; at += 64)
      args.push_back(build_.getInt64(((letters >> at) & std::bitset<256>(~0ULL)).to_ullong()));
    return model(word ? "lemmata_scan_word" : "lemmata_scan_letters", result, args);
  }
  unsigned bits = bits_of(part);
  llvm::Value* place = build_.CreateBitCast(to, build_.getIntNTy(bits)->getPointerTo());
  ScanRange range = range_of(part, bits);
  return model("lemmata_scan_" + std::to_string(bits), result,
               {flag, place, build_.getInt64(static_cast<std::uint64_t>(range.least)),
                build_.getInt64(static_cast<std::uint64_t>(range.most))});
}

bool Expansion::scan_place(const Part& part, llvm::Value* taken, llvm::Value* read, bool exact) {
  llvm::Value* to = argument();
  if (to == nullptr || !to->getType()->isPointerTy() || bits_of(part) != 32 || part.width)
    return false;
  model("lemmata_scan_place", build_.getVoidTy(),
        {build_.CreateZExt(taken, build_.getInt32Ty()),
         build_.CreateBitCast(to, build_.getInt32Ty()->getPointerTo()), read,
         build_.getInt32(exact ? 1 : 0)});
  return true;
}

bool Expansion::scans(const Format& format) {
  ScanShape shape = shape_of(format);
  llvm::Value* count = model("lemmata_scan_count", build_.getInt32Ty(),
                             {build_.getInt32(shape.assigning), build_.getInt32(shape.may_fit_none),
                              build_.getInt32(shape.may_end)});
  std::uint32_t done = 0;
  bool exact = true;  // nothing but what is counted was read
  bool sure = true;   // control comes here whenever it came behind the last one
  std::bitset<256> first = ~std::bitset<256>();  // that the next %c can take
  llvm::Value* read = build_.getInt32(0);
  auto has = [&](std::uint32_t n) { return build_.CreateICmpSGE(count, build_.getInt32(n)); };
  for (const Part& part : format.parts) {
    if (part.conversion == 'n') {
      if (part.skipped) return false;
      llvm::Value* taken = done == 0 ? build_.getTrue() : has(done);
      if (!sure) {
        llvm::Value* any = model("__VERIFIER_nondet_u1_libc", build_.getInt1Ty(), {});
        taken = build_.CreateOr(has(done + 1), build_.CreateAnd(taken, any));
      }
      if (!scan_place(part, taken, read, exact)) return false;
      continue;
    }
    bool assigns = part.conversion != 0 && part.conversion != '%' && !part.skipped;
    llvm::Value* letters = build_.getInt32(least_letters(part));
    if (assigns) letters = scan(part, has(++done), first);
    if (letters == nullptr) return false;
    read = build_.CreateAdd(read, letters);
    exact = exact && reads_exactly(part);
    sure = assigns || (sure && !may_fail(part));
    first = letters_behind(part, first);
  }
  replace(count);
  return true;
}

struct Known {
  Kind kind;
  unsigned format;
};

std::optional<Known> known(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Known>>(name)
      .Case("sprintf", Known{Kind::Prints, 1})
      .Case("snprintf", Known{Kind::Prints, 2})
      .Cases("scanf", "__isoc99_scanf", Known{Kind::Scans, 0})
      .Cases("fscanf", "__isoc99_fscanf", Known{Kind::Scans, 1})
      .Default(std::nullopt);
}

/// Why the call stays; empty if it was replaced.
std::string expand(llvm::CallBase& call, const Known& what) {
  std::string name = called(call)->getName().str();
  llvm::StringRef shown = name;
  shown.consume_front("__isoc99_");
  llvm::StringRef text;
  if (call.arg_size() <= what.format || !call.getType()->isIntegerTy(32) ||
      !call.getArgOperand(what.format)->getType()->isPointerTy() ||
      !llvm::getConstantStringInfo(call.getArgOperand(what.format), text))
    return shown.str() + " with a format that is not constant";
  Format format = parse(text, what.kind);
  if (!format.unknown.empty()) return shown.str() + " with '" + format.unknown + "'";
  Expansion expansion(call, what.format);
  bool bounded = what.format == 2;
  bool done = what.kind == Kind::Prints
                  ? expansion.prints(format, call.getArgOperand(0),
                                     bounded ? call.getArgOperand(1) : nullptr)
                  : expansion.scans(format);
  return done ? "" : shown.str() + " with arguments that do not fit the format";
}

}  // namespace

bool expand_formats(llvm::Module& module) {
  std::vector<std::pair<llvm::CallBase*, Known>> found;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? called(*call) : nullptr;
      if (callee == nullptr || !callee->isDeclaration()) continue;
      if (std::optional<Known> what = known(callee->getName())) found.push_back({call, *what});
    }
  bool changed = false;
  for (auto& [call, what] : found) {
    std::string why = expand(*call, what);
    changed = changed || why.empty();
    if (why.empty()) continue;
    llvm::LLVMContext& context = module.getContext();
    call->setMetadata(kRefused, llvm::MDNode::get(context, {llvm::MDString::get(context, why)}));
  }
  return changed;
}

}  // namespace lem::c
