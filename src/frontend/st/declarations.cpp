#include "frontend/st/declarations.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/try.h"
#include "frontend/st/implied_declarations.h"
#include "frontend/st/lexer.h"
#include "frontend/st/standard_blocks.h"
#include "frontend/st/text_type.h"

namespace lem::st {

namespace {

constexpr std::int64_t kMostElements = 100'000;
constexpr std::size_t kMostParts = 50'000;  // scalars of one variable, instances included

struct Elementary {
  const char* key;
  Type::Kind kind;
  std::uint32_t bits;
};
constexpr std::array<Elementary, 21> kElementary = {{
    {"bool", Type::Kind::Bool, 1},       {"byte", Type::Kind::Bits, 8},
    {"word", Type::Kind::Bits, 16},      {"dword", Type::Kind::Bits, 32},
    {"lword", Type::Kind::Bits, 64},     {"sint", Type::Kind::Signed, 8},
    {"int", Type::Kind::Signed, 16},     {"dint", Type::Kind::Signed, 32},
    {"lint", Type::Kind::Signed, 64},    {"usint", Type::Kind::Unsigned, 8},
    {"uint", Type::Kind::Unsigned, 16},  {"udint", Type::Kind::Unsigned, 32},
    {"ulint", Type::Kind::Unsigned, 64}, {"real", Type::Kind::Real, 32},
    {"lreal", Type::Kind::Real, 64},     {"time", Type::Kind::Time, 32},
    {"ltime", Type::Kind::Time, 64},     {"safebool", Type::Kind::Bool, 1},
    {"safeint", Type::Kind::Signed, 16}, {"safeword", Type::Kind::Bits, 16},
    {"bit", Type::Kind::Bool, 1},
}};

/// Types that real code has and that are refused by name.
bool is_known_unsupported(const std::string& key) {
  static constexpr std::array kNames = {
      "string",        "wstring", "char",    "wchar",   "date",    "time_of_day", "tod",
      "date_and_time", "dt",      "ldate",   "ltod",    "ldt",     "dtl",         "any",
      "variant",       "s5time",  "any_num", "any_int", "pointer", "anytype"};
  return std::find(kNames.begin(), kNames.end(), key) != kNames.end();
}

class Resolver {
 public:
  Resolver(Unit unit, std::vector<Warning>& warnings) : warnings_(warnings) {
    out_->unit = std::make_unique<Unit>(std::move(unit));
  }
  Result<std::shared_ptr<const Program>> run();

 private:
  Status add_builtins();
  void wanted_by(const TypePtr& type, std::set<std::string>& names) const;
  Status declare_pous();
  Status type_declarations();
  Status variables(PouInfo& info);
  Status parts_of(PouInfo& info);
  static void drop_borrowed_constants(Pou& pou);
  const PouInfo* declares_static(const Name& name) const;
  Status check_externals(const PouInfo& info) const;

  const Type* add(Type type) {
    out_->types.push_back(std::move(type));
    return &out_->types.back();
  }
  Result<const Type*> type_of(const TypeExpr& expr, const PouInfo* scope);
  Result<const Type*> named(const Name& name, const SourcePos& at);
  Result<const Type*> array(const TypeExpr& expr, const PouInfo* scope);
  Result<const Type*> text(const TypeExpr& expr, const PouInfo* scope);
  Result<const Type*> enumeration(const TypeExpr& expr, const std::string& name,
                                  const PouInfo* scope);
  Result<const Type*> structure(const TypeExpr& expr, const std::string& name,
                                const PouInfo* scope);
  Result<mpz_class> integer(const ExprPtr& expr, const PouInfo* scope, int depth = 0);
  Result<mpz_class> value_of(const Name& type, const mpz_class& value, const SourcePos& at) const;
  Result<mpz_class> constant(const Name& name, const PouInfo* scope, int depth);
  Status check_size(const Type& type, const SourcePos& at);
  std::size_t parts_in(const Type& type, int depth) const;

  std::vector<Warning>& warnings_;
  std::shared_ptr<Program> out_ = std::make_shared<Program>();
  std::set<const TypeDecl*> in_progress_;
  std::set<const PouInfo*> blocks_in_progress_;
  std::map<std::string, const TypeDecl*> declared_;
};

// Constants ---------------------------------------------------------------------------------------

Result<mpz_class> Resolver::constant(const Name& name, const PouInfo* scope, int depth) {
  auto among = [&](const std::vector<VarDecl>& list) -> const VarDecl* {
    for (const VarDecl& one : list)
      if (one.name.key == name.key && one.constant) return &one;
    return nullptr;
  };
  const VarDecl* found = scope == nullptr ? nullptr : among(scope->pou->variables);
  if (found == nullptr) found = among(out_->unit->globals);
  if (found != nullptr && found->initial != nullptr) {
    Result<mpz_class> value = integer(found->initial, scope, depth + 1);
    if (!value || found->type == nullptr) return value;
    return value_of(found->type->name, *value, found->initial->at);
  }
  auto [from, to] = out_->enumerators.equal_range(name.key);
  if (from != to) return from->second.second;
  return Error{name.at, "'" + name.text + "' is no constant"};
}

/// A constant of an elementary type; another type says nothing about it here.
Result<mpz_class> Resolver::value_of(const Name& type, const mpz_class& value,
                                     const SourcePos& at) const {
  for (const Elementary& one : kElementary) {
    Type is{one.kind, one.bits};
    if (one.key != type.key || !is.is_integer()) continue;
    mpz_class span = mpz_class(1) << is.bits, least = is.is_signed() ? mpz_class(-span / 2) : 0;
    if (value < least || value >= least + span)
      return Error{at, value.get_str() + " is no value of " + type.text};
  }
  return value;
}

Result<mpz_class> Resolver::integer(const ExprPtr& expr, const PouInfo* scope, int depth) {
  if (depth > 100) return Error{expr->at, "a constant is defined by itself"};
  switch (expr->kind) {
    case Expr::Kind::Integer:
    case Expr::Kind::Boolean:
      return expr->number;
    case Expr::Kind::Name:
      return constant(*expr->name, scope, depth);
    case Expr::Kind::Qualified: {
      auto [from, to] = out_->enumerators.equal_range(expr->name->key);
      if (from != to) return from->second.second;
      return constant(*expr->name, scope, depth);
    }
    case Expr::Kind::Unary: {
      Result<mpz_class> value = integer(expr->operand, scope, depth + 1);
      if (!value || expr->unary == UnaryOp::Plus) return value;
      if (expr->unary == UnaryOp::Minus) return mpz_class(-*value);
      break;
    }
    case Expr::Kind::Binary: {
      LEM_LET(mpz_class left, integer(expr->operand, scope, depth + 1));
      LEM_LET(mpz_class right, integer(expr->right, scope, depth + 1));
      switch (expr->binary) {
        case BinaryOp::Add:
          return mpz_class(left + right);
        case BinaryOp::Subtract:
          return mpz_class(left - right);
        case BinaryOp::Times:
          return mpz_class(left * right);
        case BinaryOp::Divide:
        case BinaryOp::Modulo:
          if (right == 0) return Error{expr->at, "division by zero"};
          return expr->binary == BinaryOp::Divide ? mpz_class(left / right)
                                                  : mpz_class(left % right);
        default:
          break;
      }
      break;
    }
    default:
      break;
  }
  return Error{expr->at, "expected an integer that is known before the program runs"};
}

// Types -------------------------------------------------------------------------------------------

Result<const Type*> Resolver::named(const Name& name, const SourcePos& at) {
  if (auto found = out_->named_types.find(name.key); found != out_->named_types.end())
    return found->second;
  if (auto found = declared_.find(name.key); found != declared_.end()) {
    const TypeDecl& decl = *found->second;
    if (!in_progress_.insert(&decl).second)
      return Error{at, "the type '" + name.text + "' contains itself"};
    Result<const Type*> made = decl.type->kind == TypeExpr::Kind::Enumeration
                                   ? enumeration(*decl.type, decl.name.text, nullptr)
                               : decl.type->kind == TypeExpr::Kind::Structure
                                   ? structure(*decl.type, decl.name.text, nullptr)
                                   : type_of(*decl.type, nullptr);
    if (!made) return made;
    bool own = decl.type->kind == TypeExpr::Kind::Enumeration ||
               decl.type->kind == TypeExpr::Kind::Structure;
    if (decl.initial != nullptr && own) {
      const_cast<Type&>(**made).initial = decl.initial;  // ours, and literals are told by its type
    } else if (decl.initial != nullptr) {
      Type with = **made;
      with.initial = decl.initial;
      made = add(std::move(with));
    }
    out_->named_types[name.key] = *made;
    return made;
  }
  if (const PouInfo* block = out_->find_pou(name.key);
      block != nullptr && block->pou->kind != Pou::Kind::Function) {
    auto& info = const_cast<PouInfo&>(*block);  // ours, in out_->pous
    if (info.instance == nullptr) LEM_TRY(parts_of(info));
    return info.instance;
  }
  std::string what = is_known_unsupported(name.key)
                         ? "the type " + name.text + " is not supported"
                         : "there is no type or function block '" + name.text +
                               "' in this file: one file has all that a program uses";
  return Error{at, what};
}

Result<const Type*> Resolver::array(const TypeExpr& expr, const PouInfo* scope) {
  Type type{Type::Kind::Array};
  type.name = "ARRAY [";
  std::int64_t total = 1;
  for (const Bounds& pair : expr.bounds) {
    Result<mpz_class> low = integer(pair.low, scope);
    if (!low) return low.error();
    Result<mpz_class> high = integer(pair.high, scope);
    if (!high) return high.error();
    if (*high < *low) return Error{pair.low->at, "the upper bound is below the lower one"};
    if (!low->fits_slong_p() || !high->fits_slong_p() || *high - *low >= kMostElements)
      return Error{pair.low->at, "arrays of more than " + std::to_string(kMostElements) +
                                     " elements are not supported"};
    type.bounds.push_back({low->get_si(), high->get_si()});
    total *= high->get_si() - low->get_si() + 1;
    if (total > kMostElements)
      return Error{expr.at, "arrays of more than " + std::to_string(kMostElements) +
                                " elements are not supported"};
    type.name += (type.bounds.size() > 1 ? ", " : "") + low->get_str() + ".." + high->get_str();
  }
  LEM_LET(const Type* element, type_of(*expr.element, scope));
  type.element = element;
  type.name += "] OF " + element->name;
  return add(std::move(type));
}

Result<const Type*> Resolver::enumeration(const TypeExpr& expr, const std::string& name,
                                          const PouInfo* scope) {
  Type type{Type::Kind::Enum};
  type.name = name.empty() ? "enumeration" : name;
  mpz_class next = 0, least = 0, most = 1;
  for (const EnumLiteral& one : expr.literals) {
    if (one.value != nullptr) {
      LEM_LET(mpz_class value, integer(one.value, scope));
      next = value;
    }
    for (const auto& [other, value] : type.literals)
      if (other.key == one.name.key)
        return Error{one.name.at, "'" + one.name.text + "' is listed twice"};
    if (Result<mpz_class> fits = value_of(expr.name, next, one.name.at); !fits) return fits.error();
    type.literals.push_back({one.name, next});
    least = std::min(least, next);
    most = std::max(most, next);
    ++next;
  }
  type.negative = least < 0;
  type.bits = static_cast<std::uint32_t>(mpz_sizeinbase(most.get_mpz_t(), 2));
  if (type.negative)
    type.bits = std::max<std::uint32_t>(
                    type.bits, static_cast<std::uint32_t>(mpz_sizeinbase(least.get_mpz_t(), 2))) +
                1;
  if (type.bits > 64) return Error{expr.at, "a literal of this enumeration is too large"};
  const Type* made = add(std::move(type));
  for (const auto& [literal, value] : made->literals)
    out_->enumerators.insert({literal.key, {made, value}});
  return made;
}

Result<const Type*> Resolver::structure(const TypeExpr& expr, const std::string& name,
                                        const PouInfo* scope) {
  Type type{Type::Kind::Structure};
  type.name = name.empty() ? "STRUCT" : name;
  for (const Field& field : expr.fields) {
    for (const Part& other : type.parts)
      if (other.name.key == field.name.key)
        return Error{field.name.at, "'" + field.name.text + "' is declared twice"};
    LEM_LET(const Type* is, type_of(*field.type, scope));
    type.parts.push_back({field.name, is, field.initial, scope});
  }
  return add(std::move(type));
}

Result<const Type*> Resolver::text(const TypeExpr& expr, const PouInfo* scope) {
  const Type* base = out_->named_types.at("string");
  if (expr.bounds.empty()) return base;
  LEM_LET(mpz_class length, integer(expr.bounds[0].high, scope));
  if (length >= base->length) return base;  // nothing is cut off
  if (length < 0) return Error{expr.at, "a length is not negative"};
  Type type = *base;
  type.length = static_cast<std::uint32_t>(length.get_ui());
  type.name += "[" + length.get_str() + "]";
  return add(std::move(type));
}

Result<const Type*> Resolver::type_of(const TypeExpr& expr, const PouInfo* scope) {
  switch (expr.kind) {
    case TypeExpr::Kind::Named:
      return named(expr.name, expr.at);
    case TypeExpr::Kind::Array:
      return array(expr, scope);
    case TypeExpr::Kind::Structure:
      return structure(expr, "", scope);
    case TypeExpr::Kind::Enumeration:
      return enumeration(expr, "", scope);
    case TypeExpr::Kind::Subrange: {
      LEM_LET(const Type* base, named(expr.name, expr.at));
      LEM_LET(mpz_class low, integer(expr.bounds[0].low, scope));
      LEM_LET(mpz_class high, integer(expr.bounds[0].high, scope));
      if (!base->is_integer() || high < low)
        return Error{expr.at, "a subrange has two bounds of an integer type, in order"};
      for (const mpz_class& bound : {low, high})
        if (Result<mpz_class> fits = value_of(expr.name, bound, expr.at); !fits)
          return fits.error();
      Type type = *base;
      type.range = {low, high};
      type.name += " (" + low.get_str() + ".." + high.get_str() + ")";
      return add(std::move(type));
    }
    case TypeExpr::Kind::Text:
      if (lower(expr.what) == "string") return text(expr, scope);
      [[fallthrough]];
    case TypeExpr::Kind::Pointer:
      return Error{expr.at, "the type " + expr.what + " is not supported"};
  }
  unreachable();
}

Status Resolver::type_declarations() {
  for (const Elementary& one : kElementary) {
    std::string name(one.key);
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    Type type{one.kind, one.bits};
    type.name = name == "SAFEBOOL" || name == "BIT" ? "BOOL"
                : name == "SAFEINT"                 ? "INT"
                : name == "SAFEWORD"                ? "WORD"
                                                    : name;
    out_->named_types[one.key] = add(std::move(type));
  }
  LEM_LET(Type text, text_type(*out_->unit));
  out_->named_types["string"] = add(std::move(text));
  for (const TypeDecl& decl : out_->unit->types)
    if (!declared_.insert({decl.name.key, &decl}).second)
      return Error{decl.name.at, "the type '" + decl.name.text + "' is declared twice"};
  for (const TypeDecl& decl : out_->unit->types)
    if (Result<const Type*> made = named(decl.name, decl.name.at); !made) return made.error();
  return Ok{};
}

// Blocks ------------------------------------------------------------------------------------------

void Resolver::wanted_by(const TypePtr& type, std::set<std::string>& names) const {
  if (type == nullptr) return;
  if (type->kind == TypeExpr::Kind::Named) names.insert(type->name.key);
  wanted_by(type->element, names);
  for (const Field& field : type->fields) wanted_by(field.type, names);
}

Status Resolver::add_builtins() {
  std::set<std::string> wanted, there;
  for (const Pou& pou : out_->unit->pous) {
    there.insert(pou.name.key);
    for (const VarDecl& one : pou.variables) wanted_by(one.type, wanted);
    for (const Pou& method : pou.methods)
      for (const VarDecl& one : method.variables) wanted_by(one.type, wanted);
  }
  for (const TypeDecl& one : out_->unit->types) {
    there.insert(one.name.key);
    wanted_by(one.type, wanted);
  }
  for (const VarDecl& one : out_->unit->globals) wanted_by(one.type, wanted);
  for (const std::string& key : wanted) {
    std::string_view text = builtin_block(key);
    if (there.contains(key) || text.empty()) continue;
    std::vector<Warning> ignored;
    LEM_LET(std::vector<Token> tokens, tokenize("(standard block)", text));
    Unit unit;
    LEM_TRY(Parser(std::move(tokens), ignored).unit(unit));
    unit.pous[0].name.key = key;
    out_->unit->pous.push_back(std::move(unit.pous[0]));
  }
  return Ok{};
}

Status Resolver::declare_pous() {
  for (const Pou& pou : out_->unit->pous) {
    out_->pous.push_back({&pou, {}});
    out_->pous.back().builtin = pou.name.at.file == "(standard block)";
    PouInfo& block = out_->pous.back();
    if (!out_->named_pous.insert({pou.name.key, &block}).second)
      return Error{pou.name.at, "'" + pou.name.text + "' is declared twice"};
    for (const Pou& method : pou.methods) {
      if (block.find_method(method.name.key) != nullptr)
        return Error{method.name.at, "'" + method.name.text + "' is declared twice"};
      out_->pous.push_back({&method, {}});
      out_->pous.back().owner = &block;
      block.methods.push_back(&out_->pous.back());
    }
  }
  return Ok{};
}

Status Resolver::variables(PouInfo& info) {
  std::set<std::string> names;
  for (const VarDecl& decl : info.pou->variables) {
    if (!names.insert(decl.name.key).second)
      return Error{decl.name.at, "'" + decl.name.text + "' is declared twice"};
    const Type* type = nullptr;
    if (decl.type != nullptr) {
      LEM_LET(const Type* is, type_of(*decl.type, &info));
      type = is;
    } else {  // CONST of SCL
      LEM_LET(mpz_class value, integer(decl.initial, &info));
      type = out_->named_types["dint"];
    }
    info.variables.push_back({decl.name,
                              type,
                              decl.section,
                              decl.constant,
                              decl.retain,
                              decl.address,
                              decl.initial,
                              {}});
  }
  if (info.pou->result != nullptr) {
    LEM_LET(const Type* result, type_of(*info.pou->result, &info));
    info.result = result;
  }
  return Ok{};
}

/// The state of an instance: everything but constants, externals and what is passed by reference.
Status Resolver::parts_of(PouInfo& info) {
  if (!blocks_in_progress_.insert(&info).second)
    return Error{info.pou->name.at,
                 "the function block '" + info.pou->name.text + "' contains itself"};
  LEM_TRY(variables(info));
  Type type{Type::Kind::Block};
  type.name = info.pou->name.text;
  type.block = &info;
  for (const Variable& one : info.variables)
    if (!one.constant && one.section != Section::External && one.section != Section::InOut)
      type.parts.push_back({one.name, one.type, one.initial, &info});
  info.instance = add(std::move(type));
  return Ok{};
}

std::size_t Resolver::parts_in(const Type& type, int depth) const {
  if (type.is_scalar() || depth > 60) return 1;
  if (type.kind == Type::Kind::Array)
    return std::min(kMostParts + 1, type.elements() * parts_in(*type.element, depth + 1));
  std::size_t sum = 1;
  for (const Part& part : type.parts) sum += parts_in(*part.type, depth + 1);
  return std::min(sum, kMostParts + 1);
}

/// CONSTANT of an input says that the block does not assign to it, and of VAR_EXTERNAL that the
/// global variable is one: neither has a value of its own.
void Resolver::drop_borrowed_constants(Pou& pou) {
  for (VarDecl& one : pou.variables)
    if (one.section == Section::Input || one.section == Section::InOut ||
        one.section == Section::External)
      one.constant = false;
  for (Pou& method : pou.methods) drop_borrowed_constants(method);
}

/// The POU that declares a global variable as VAR_STAT, by the name that the parser gave it:
/// Function.n, Block.Method.n. None for another variable.
const PouInfo* Resolver::declares_static(const Name& name) const {
  std::size_t last = name.key.rfind('.');
  if (last == name.key.npos) return nullptr;
  std::size_t first = name.key.find('.');
  const PouInfo* pou = out_->find_pou(name.key.substr(0, first));
  if (pou == nullptr || first == last) return pou;
  return pou->find_method(name.key.substr(first + 1, last - first - 1));
}

Status Resolver::check_externals(const PouInfo& info) const {
  for (const Variable& one : info.variables)
    for (const Variable& global : out_->globals)
      if (one.section == Section::External && one.name.key == global.name.key &&
          !same_type(*one.type, *global.type))
        return Error{one.name.at, "'" + one.name.text + "' is " + one.type->name + " here and " +
                                      global.type->name + " where the global variable is declared"};
  return Ok{};
}

Result<std::shared_ptr<const Program>> Resolver::run() {
  for (Pou& pou : out_->unit->pous) drop_borrowed_constants(pou);
  LEM_TRY(add_implied(*out_->unit));
  LEM_TRY(add_builtins());
  LEM_TRY(declare_pous());
  LEM_TRY(type_declarations());
  for (const VarDecl& decl : out_->unit->globals) {
    if (decl.type == nullptr) return Error{decl.name.at, "a global constant has no type"};
    for (const Variable& other : out_->globals)
      if (other.name.key == decl.name.key)
        return Error{decl.name.at,
                     "the global variable '" + decl.name.text + "' is declared twice"};
    const PouInfo* scope = declares_static(decl.name);
    LEM_LET(const Type* is, type_of(*decl.type, scope));
    out_->globals.push_back({decl.name, is, Section::Global, decl.constant, decl.retain,
                             decl.address, decl.initial, scope});
  }
  for (PouInfo& info : out_->pous) {
    if (info.instance != nullptr) continue;
    Status done = info.pou->kind == Pou::Kind::Function ? variables(info) : parts_of(info);
    if (!done) return done.error();
  }
  for (const PouInfo& info : out_->pous) LEM_TRY(check_externals(info));
  for (const PouInfo& info : out_->pous)
    if (info.instance != nullptr && parts_in(*info.instance, 0) > kMostParts)
      return Error{info.pou->name.at, "'" + info.pou->name.text + "' has more than " +
                                          std::to_string(kMostParts) + " variables in all"};
  return std::shared_ptr<const Program>(out_);
}

}  // namespace

Result<std::shared_ptr<const Program>> resolve(Unit unit, std::vector<Warning>& warnings) {
  return Resolver(std::move(unit), warnings).run();
}

}  // namespace lem::st
