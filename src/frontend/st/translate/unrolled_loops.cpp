#include "frontend/st/translate/unrolled_loops.h"

#include <algorithm>

#include "frontend/st/visit_expressions.h"

namespace lem::st {

namespace {

constexpr std::size_t kMostTurns = 256;
constexpr std::size_t kMostStatements = 2'000;  // of all turns together

bool is_name(const Expr* expr, const std::string& key) {
  return expr != nullptr && expr->kind == Expr::Kind::Name && expr->name->key == key;
}

/// Whether a call in the expression may be given the variable itself, not its value.
bool hands_over(const Expr* expr, const std::string& key) {
  if (expr == nullptr) return false;
  bool call = expr->kind == Expr::Kind::Call;
  for (const Argument& one : expr->arguments)
    if ((call && is_name(one.value.get(), key)) || hands_over(one.value.get(), key)) return true;
  return hands_over(expr->operand.get(), key) || hands_over(expr->right.get(), key);
}

/// Whether the variable may change in the body.
bool changes(const Body& body, const std::string& key) {
  return std::any_of(body.begin(), body.end(), [&](const Statement& one) {
    bool target = one.kind == Statement::Kind::Assign || one.kind == Statement::Kind::For ||
                  one.kind == Statement::Kind::Havoc;
    if (target && !(one.target != nullptr && one.target->kind == Expr::Kind::Index) &&
        !(one.target != nullptr && one.target->kind == Expr::Kind::Name &&
          one.target->name->key != key))
      return true;
    for (const ExprPtr& expr : {one.target, one.value, one.to, one.by})
      if (hands_over(expr.get(), key)) return true;
    for (const Branch& branch : one.branches)
      if (hands_over(branch.condition.get(), key) || changes(branch.body, key)) return true;
    for (const CaseBranch& branch : one.cases)
      if (changes(branch.body, key)) return true;
    return changes(one.body, key);
  });
}

/// Whether the body calls an action or a method of the block, which may change its variables.
bool calls_own(const Body& body, const PouInfo& pou) {
  const PouInfo& block = pou.owner != nullptr ? *pou.owner : pou;
  bool found = false;
  walk(body, [&](const Expr& expr) {
    if (expr.kind != Expr::Kind::Call || !expr.operand->name) return;
    const std::string& key = expr.operand->name->key;
    found = found || block.find_method(key) != nullptr || block.pou->find_action(key) != nullptr;
  });
  return found;
}

std::size_t size_of(const Body& body) {
  std::size_t out = body.size();
  for (const Statement& one : body) {
    out += size_of(one.body);
    for (const Branch& branch : one.branches) out += size_of(branch.body);
    for (const CaseBranch& branch : one.cases) out += size_of(branch.body);
  }
  return out;
}

}  // namespace

std::optional<std::vector<mpz_class>> loop_turns(TermStore& t, const Frame& here,
                                                 const Statement& one, const Type& type, Term from,
                                                 Term last, Term step) {
  if (one.target->kind != Expr::Kind::Name || !t.is_value(from) || !t.is_value(last) ||
      !t.is_value(step))
    return {};
  const std::string& key = one.target->name->key;
  bool own = here.self != nullptr && !here.references.contains(key) &&
             std::any_of(here.self->type->parts.begin(), here.self->type->parts.end(),
                         [&](const Part& part) { return part.name.key == key; });
  if (!own || changes(one.body, key) || calls_own(one.body, *here.pou)) return {};
  std::size_t most =
      std::min(kMostTurns, kMostStatements / std::max<std::size_t>(1, size_of(one.body)));
  mpz_class limit = t.signed_value(last), by = t.signed_value(step);
  std::vector<mpz_class> out = {type.is_signed() ? t.signed_value(from) : t.integer_value(from)};
  for (mpz_class now = out[0]; by > 0 ? now <= limit : now >= limit;) {
    if (out.size() > most) return {};
    now += by;
    Term narrowed = t.bv(now, type.bits);
    out.push_back(type.is_signed() ? t.signed_value(narrowed) : t.integer_value(narrowed));
    if (out.back() != now) return {};  // goes beyond the type: as the loop does it
  }
  return out;
}

}  // namespace lem::st
