#include "frontend/st/translate/requirements.h"

#include <array>

#include "base/try.h"
#include "frontend/st/parser.h"
#include "frontend/st/visit_expressions.h"

namespace lem::st {

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

Status Requirements::read(const StRequirement& one, std::size_t number) {
  ErrorKind kind = one.at.file == "--require" ? ErrorKind::Usage : ErrorKind::BadInput;
  const Pattern* pattern = nullptr;
  for (const Pattern& known : kPatterns)
    if (one.pattern == known.name) pattern = &known;
  if (pattern == nullptr) {
    std::string names;
    for (const Pattern& known : kPatterns)
      names += std::string(names.empty() ? "" : ", ") + known.name;
    return Error{one.at, "there is no pattern '" + one.pattern + "'; there are " + names, kind};
  }
  if (one.parameters.size() != pattern->parameters)
    return Error{one.at,
                 "the pattern '" + one.pattern + "' has " + std::to_string(pattern->parameters) +
                     " parameters, separated by '|'",
                 kind};
  Claim claim{&one};
  std::string text = pattern->text;
  for (std::size_t i = 0; i < one.parameters.size(); ++i) {
    LEM_LET(claim.parts.emplace_back(),
            parse_expression(one.parameters[i], one.at, context_.warnings));
    std::string hole = "{" + std::to_string(i + 1) + "}";
    text.replace(text.find(hole), hole.size(), "(" + one.parameters[i] + ")");
  }
  std::string name = one.name.empty() ? "R" + std::to_string(number) : one.name;
  SourcePos at = one.at;
  at.line = at.line == 0 ? static_cast<std::uint32_t>(number) : at.line;
  claim.property = &properties_.add(name,
                                    one.pattern == "reachability" ? StProperty::Kind::Reachability
                                                                  : StProperty::Kind::Requirement,
                                    at, text);
  claim.property->pattern = one.pattern;
  claim.property->parts = claim.parts;
  bool remembers =
      one.pattern == "during-cycle" || one.pattern == "between-cycles" || one.pattern == "past";
  if (remembers) claim.memory = cfa_.temporary(t_.bool_sort());
  if (one.pattern == "between-cycles") monitors_.push_back({claim.memory, claim.parts[0]});
  if (one.pattern == "past") monitors_.push_back({claim.memory, claim.parts[1], true});
  claims_.push_back(std::move(claim));
  return Ok{};
}

Result<Term> Requirements::previous(const Expr& call) {
  const std::string& name = call.operand->name->text;
  if (call.arguments.size() != 1 || call.arguments[0].value == nullptr)
    return Error{call.at, name + " has one argument"};
  const ExprPtr& of = call.arguments[0].value;
  bool calls = false;
  walk(of.get(), [&](const Expr& one) { calls = calls || one.kind == Expr::Kind::Call; });
  if (calls) return Error{call.at, "calls in " + name + " are not supported"};
  for (const Monitor& one : monitors_)
    if (one.now == of && one.from_start) return one.variable;
  InFrame inside(context_, context_.entry_frame);
  LEM_LET(Value value, expressions_.eval(*of, nullptr));
  if (value.type == nullptr) return Error{call.at, name + " needs a variable"};
  Term memory = cfa_.variable("", types_.sort_of(*value.type), {{}, "", value.type});
  monitors_.push_back({memory, of, false, true});
  return memory;
}

/// When a requirement says something at all; `p`: its parameters at the end of the cycle.
std::optional<Term> Requirements::premise_of(const Claim& claim, const std::vector<Term>& p) {
  const std::string& pattern = claim.from->pattern;
  if (pattern == "implication" || pattern == "past") return p[0];
  if (pattern == "during-cycle") return claim.memory;
  if (pattern == "between-cycles") return t_.make_and(claim.memory, p[1]);
  const Expr& whole = *claim.parts[0];
  if (pattern != "invariant" || whole.kind != Expr::Kind::Binary ||
      whole.binary != BinaryOp::Implies)
    return {};
  Result<Term> first = expressions_.boolean(*whole.operand);  // was read a moment ago
  return first ? std::optional(*first) : std::nullopt;
}

Term Requirements::claimed(const Claim& claim, const std::vector<Term>& p) {
  const std::string& pattern = claim.from->pattern;
  if (pattern == "implication") return t_.make_implies(p[0], p[1]);
  if (pattern == "invariant") return p[0];
  if (pattern == "during-cycle") return t_.make_implies(claim.memory, p[1]);
  if (pattern == "between-cycles") return t_.make_implies(t_.make_and(claim.memory, p[1]), p[2]);
  if (pattern == "past") return t_.make_implies(p[0], claim.memory);
  assert((pattern == "forbidden" || pattern == "reachability") && "all patterns are known");
  return t_.make_not(p[0]);
}

Status Requirements::read() {
  const std::vector<StRequirement>& all = context_.options.requirements;
  for (std::size_t i = 0; i < all.size(); ++i) LEM_TRY(read(all[i], i + 1));
  return Ok{};
}

Status Requirements::at_start() {
  for (const Monitor& one : std::vector<Monitor>(monitors_)) {  // prev() within one adds more
    Term first = t_.boolean(false);
    if (one.from_start) {
      LEM_LET(Value now, expressions_.eval(*one.now, nullptr));
      first = now.term;
    }
    cfa_.emit(Command::assign(one.variable, first));
  }
  return Ok{};
}

Status Requirements::at_begin_of_cycle() {
  for (const Claim& claim : claims_)
    if (claim.from->pattern == "during-cycle") {
      LEM_LET(Term now, expressions_.boolean(*claim.parts[0]));
      cfa_.emit(Command::assign(claim.memory, now));
    }
  return Ok{};
}

Status Requirements::at_end_of_cycle() {
  for (const Claim& claim : claims_) {
    std::vector<Term> p;
    for (const ExprPtr& part : claim.parts) {
      LEM_LET(p.emplace_back(), expressions_.boolean(*part));
    }
    properties_.prove(claim.property->error, claimed(claim, p));
    if (std::optional<Term> premise = premise_of(claim, p)) {
      claim.property->premise = cfa_.new_location("premise");
      properties_.prove(*claim.property->premise, t_.make_not(*premise));
    }
  }
  if (cfa_.is_restricted()) {
    std::optional<LocationId>& ended = cfa_.source().ended;
    ended = cfa_.new_location("some cycle ends");
    properties_.prove(*ended, t_.boolean(false));
  }
  for (const Monitor& one : std::vector<Monitor>(monitors_)) {
    LEM_LET(Value now, expressions_.eval(*one.now, nullptr));
    cfa_.emit(
        Command::assign(one.variable, one.sticky ? t_.make_or(one.variable, now.term) : now.term));
  }
  return Ok{};
}

}  // namespace lem::st
