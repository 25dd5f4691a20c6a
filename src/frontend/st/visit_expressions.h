// All expressions of a body, from the outside in.
#pragma once

#include "model/st/syntax.h"

namespace lem::st {

template <typename Visit>
void walk(const Expr* expr, const Visit& visit) {
  if (expr == nullptr) return;
  visit(*expr);
  walk(expr->operand.get(), visit);
  walk(expr->right.get(), visit);
  for (const Argument& one : expr->arguments) walk(one.value.get(), visit);
}

template <typename Visit>
void walk(const Body& body, const Visit& visit) {
  for (const Statement& one : body) {
    for (const ExprPtr* expr : {&one.target, &one.value, &one.to, &one.by})
      walk(expr->get(), visit);
    for (const Branch& branch : one.branches) {
      walk(branch.condition.get(), visit);
      walk(branch.body, visit);
    }
    for (const CaseBranch& branch : one.cases) {
      for (const CaseLabel& label : branch.labels) {
        walk(label.low.get(), visit);
        walk(label.high.get(), visit);
      }
      walk(branch.body, visit);
    }
    walk(one.body, visit);
  }
}

template <typename Visit>
void walk(const Pou& pou, const Visit& visit) {
  walk(pou.body, visit);
  for (const Action& one : pou.actions) walk(one.body, visit);
  for (const Pou& one : pou.methods) walk(one.body, visit);
}

}  // namespace lem::st
