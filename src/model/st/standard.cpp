#include "model/st/standard.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lem::st {

namespace {

struct Function {
  std::string_view key;
  std::string_view inputs;  // separated by blanks; empty: IN1, IN2, ...
};
constexpr std::array<Function, 30> kFunctions = {{{"limit", "mn in mx"},
                                                  {"sel", "g in0 in1"},
                                                  {"mux", ""},
                                                  {"min", ""},
                                                  {"max", ""},
                                                  {"shl", "in n"},
                                                  {"shr", "in n"},
                                                  {"rol", "in n"},
                                                  {"ror", "in n"},
                                                  {"abs", "in"},
                                                  {"move", "in"},
                                                  {"sqrt", "in"},
                                                  {"trunc", "in"},
                                                  {"round", "in"},
                                                  {"add", ""},
                                                  {"sub", ""},
                                                  {"mul", ""},
                                                  {"div", ""},
                                                  {"eq", ""},
                                                  {"ne", ""},
                                                  {"gt", ""},
                                                  {"ge", ""},
                                                  {"lt", ""},
                                                  {"le", ""},
                                                  {"expt", ""},
                                                  {"add_time", ""},
                                                  {"sub_time", ""},
                                                  {"norm_x", "min value max"},
                                                  {"scale_x", "min value max"},
                                                  {"to_", "in"}}};

constexpr std::array<std::string_view, 15> kTypes = {"bool", "byte",  "word",  "dword", "lword",
                                                     "sint", "int",   "dint",  "lint",  "usint",
                                                     "uint", "udint", "ulint", "real",  "lreal"};

const Function* function_of(std::string_view key) {
  for (const Function& one : kFunctions)
    if (one.key == key) return &one;
  bool converts = key.find("_to_") != key.npos || key.starts_with("to_");
  return converts ? &kFunctions.back() : nullptr;
}

/// Which input a name means, from 0; nothing for a name that the function does not have.
std::optional<std::size_t> place_of(const Function& function, std::string_view name) {
  std::size_t place = 0;
  for (std::string_view rest = function.inputs; !rest.empty(); ++place) {
    std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return place;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  bool mux = function.key == "mux";
  if (mux && name == "k") return 0;
  // IN1, IN2, ... of MIN, MAX, ADD; IN0, IN1, ... of MUX behind K.
  bool numbered = function.inputs.empty() && name.size() > 2 && name.size() < 5 &&
                  name.starts_with("in") && name.find_first_not_of("0123456789", 2) == name.npos;
  if (!numbered) return {};
  std::size_t number = std::stoul(std::string(name.substr(2)));
  if (!mux && number == 0) return {};
  return mux ? number + 1 : number - 1;
}

Status put_in_order(const Function& function, Expr& call) {
  const std::string& shown = call.operand->name->text;
  std::vector<Argument> out(call.arguments.size());
  bool any = std::any_of(call.arguments.begin(), call.arguments.end(),
                         [](const Argument& one) { return one.name.has_value(); });
  if (!any) return Ok{};
  for (const Argument& one : call.arguments) {
    if (one.kind == Argument::Kind::Output)
      return Error{one.name->at, "'" + shown + "' has inputs only"};
    if (!one.name)
      return Error{call.at, "either all arguments of '" + shown + "' have names or none"};
    bool single = call.arguments.size() == 1;  // ABS(VALUE := x): there is nothing to confuse
    std::optional<std::size_t> place = single ? 0 : place_of(function, one.name->key);
    if (!place || *place >= out.size() || out[*place].value != nullptr)
      return Error{one.name->at,
                   "'" + shown + "' has no input '" + one.name->text + "', or it is given twice"};
    out[*place].value = one.value;
  }
  call.arguments = std::move(out);
  return Ok{};
}

ExprPtr converted(const ExprPtr& value, const std::string& type) {
  Expr name{Expr::Kind::Name, value->at};
  name.name = Name{"TO_" + type, "to_" + type, value->at};
  Expr call{Expr::Kind::Call, value->at};
  call.operand = std::make_shared<const Expr>(std::move(name));
  call.arguments.push_back({Argument::Kind::Positional, {}, false, value});
  return std::make_shared<const Expr>(std::move(call));
}

}  // namespace

Result<Expr> standard_call(const Expr& call) {
  Expr out = call;
  std::string key = call.operand->name->key;
  if (const Function* function = function_of(key)) {
    if (Status done = put_in_order(*function, out); !done) return done.error();
    return out;
  }
  std::size_t cut = key.rfind('_');
  std::string type = cut == key.npos ? "" : key.substr(cut + 1);
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) return out;
  const Function* function = function_of(key.substr(0, cut));
  if (function == nullptr || function->key == "trunc" || function->key == "round") return out;
  if (Status done = put_in_order(*function, out); !done) return done.error();
  Expr plain = *call.operand;
  plain.name = Name{call.operand->name->text, std::string(function->key), call.operand->name->at};
  out.operand = std::make_shared<const Expr>(std::move(plain));
  bool selects = function->key == "sel" || function->key == "mux";
  bool shifts = function->inputs == "in n";
  for (std::size_t i = 0; i < out.arguments.size(); ++i) {
    bool other = (selects && i == 0) || (shifts && i == 1);  // a selector, a number of bits
    if (out.arguments[i].value != nullptr && !other)
      out.arguments[i].value = converted(out.arguments[i].value, type);
  }
  return out;
}

}  // namespace lem::st
