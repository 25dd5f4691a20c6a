// `if ... then ... elsif ... else ... fi` as a statement: every variable that it defines becomes
// one equation with a conditional expression. A branch that leaves a variable out would leave its
// value open, which is refused.
#include <algorithm>
#include <tuple>

#include "frontend/lustre/parser.h"

namespace lem::lustre {

/// A condition is a variable of its own: each variable of the branches refers to it.
std::string Parser::condition_variable(Unit& unit, Place at) {
  std::string name = "if_" + std::to_string(at.line) + "_" + std::to_string(at.column);
  auto taken = [&] {
    return std::any_of(unit.vars.begin(), unit.vars.end(),
                       [&](const Variable& one) { return one.name == name; });
  };
  while (taken()) name += "_";
  Variable made{.name = name, .at = at};
  made.type_expr.kind = TypeExpr::Kind::Known;
  made.type_expr.at = at;
  made.type_expr.known = kBool;
  unit.vars.push_back(std::move(made));
  unit.equations.push_back({at, {{name, at}}, expr()});
  return name;
}

std::vector<Parser::Definition> Parser::branch(Unit& unit) {
  std::vector<Definition> out;
  auto add = [&](Definition one) {
    for (const Definition& other : out)
      if (other.name == one.name)
        fail(one.at, "the variable '" + one.name + "' is defined twice in one branch");
    out.push_back(std::move(one));
  };
  while (!is("elsif") && !is("else") && !is("fi") && !done()) {
    if (is("if")) {
      for (Definition& one : if_statement(unit)) add(std::move(one));
      continue;
    }
    Place at = now().at;
    std::string name = identifier("an equation, 'elsif', 'else' or 'fi'");
    if (is(",")) fail(now().at, "unsupported: several variables in an equation of a branch");
    expect("=");
    add({std::move(name), at, expr()});
    expect(";");
  }
  return out;
}

std::vector<Parser::Definition> Parser::if_statement(Unit& unit) {
  if (++depth_ > 1000) fail(now().at, "the statement is nested too deeply");
  Place at = now().at;
  step();
  std::string condition = condition_variable(unit, at);
  expect("then");
  std::vector<Definition> yes = branch(unit), no;
  Place otherwise = now().at;
  if (is("elsif")) {
    no = if_statement(unit);  // ends with the same `fi`
  } else {
    if (accept("else")) no = branch(unit);
    expect("fi");
  }
  --depth_;
  for (const auto& [some, others, where] :
       {std::tuple(&yes, &no, otherwise), std::tuple(&no, &yes, at)})
    for (const Definition& one : *some)
      if (std::none_of(others->begin(), others->end(),
                       [&](const Definition& other) { return other.name == one.name; })) {
        fail(where, "unsupported: a branch without a definition of '" + one.name + "'");
        return {};
      }
  for (Definition& one : yes) {
    auto other = std::find_if(no.begin(), no.end(),
                              [&](const Definition& each) { return each.name == one.name; });
    ExprId when = make({.kind = ExprKind::Name, .at = at, .name = condition});
    one.value = make({.kind = ExprKind::Ite, .at = at, .args = {when, one.value, other->value}});
  }
  return yes;
}

}  // namespace lem::lustre
