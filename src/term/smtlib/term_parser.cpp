#include "term/smtlib/term_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "term/smtlib/operators.h"
#include "term/smtlib/printer.h"
#include "term/traverse.h"

namespace lem::smtlib {

namespace {

constexpr std::uint32_t kMaxSortDepth = 64;

Error placed(Error error, SourcePos at) {
  error.at = std::move(at);
  return error;
}

mpq_class decimal_value(std::string_view text) {
  std::size_t dot = text.find('.');
  std::string digits(text.substr(0, dot));
  digits += text.substr(dot + 1);
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, text.size() - dot - 1);
  mpq_class value(mpz_class(digits, 10), scale);
  value.canonicalize();
  return value;
}

}  // namespace

// Scope ---------------------------------------------------------------------------------------

const TermParser::Meaning* TermParser::find(std::string_view symbol) const {
  auto at = scope_.find(std::string(symbol));
  return at == scope_.end() || !at->second ? nullptr : &at->second;
}

void TermParser::bind(std::string_view symbol, Term term) {
  slot(symbol) = {term, nullptr};
}

Term TermParser::lookup(std::string_view symbol) const {
  const Meaning* meaning = find(symbol);
  return meaning == nullptr ? Term() : meaning->term;
}

bool TermParser::knows(std::string_view symbol) const {
  return find(symbol) != nullptr;
}

void TermParser::declare_function(std::string_view symbol, std::vector<Sort> params,
                                  Application apply) {
  slot(symbol) = {{}, std::make_shared<Function>(Function{std::move(params), {}, {}, apply})};
}

void TermParser::shadow(std::string_view symbol, Term term) {
  Meaning& meaning = slot(symbol);
  saved_.emplace_back(&meaning, std::move(meaning));
  meaning = {term, nullptr};
}

void TermParser::restore(std::size_t mark) {
  for (; saved_.size() > mark; saved_.pop_back())
    *saved_.back().first = std::move(saved_.back().second);
}

// Terms ---------------------------------------------------------------------------------------

Result<Term> TermParser::term(const Sexpr& expr) {
  assert(frames_.empty() && "a handler must not parse with the parser that calls it");
  std::size_t before = mark();
  Result<Term> result = run(expr);
  frames_.clear();
  values_.clear();
  restore(before);
  return result;
}

Result<Term> TermParser::term(const Sexpr& expr, Sort wanted) {
  Result<Term> result = term(expr);
  if (!result) return result;
  if (Term fitting = coerce(t_, *result, wanted)) return fitting;
  return error(expr, "expected a term of sort " + sort_text(t_, wanted) + ", found " +
                         sort_text(t_, t_.sort(*result)));
}

Result<Term> TermParser::run(const Sexpr& root) {
  if (Status ok = visit(root); !ok) return ok.error();
  while (!frames_.empty())
    if (Status ok = step(); !ok) return ok.error();
  assert(values_.size() == 1 && "one expression has one value");
  return values_.back();
}

Status TermParser::visit(const Sexpr& expr) {
  if (expr.is_list() && !expr.is_call("_") && !expr.is_call("as")) return visit_call(expr);
  Result<Term> value = expr.is_list() ? indexed_constant(expr) : atom(expr);
  if (!value) return value.error();
  push_value(*value);
  return Ok{};
}

Status TermParser::visit_call(const Sexpr& expr) {
  if (expr.size() == 0) return error(expr, "expected a term, found '()'");
  auto kind = Frame::Kind::Call;
  if (expr.is_call("let")) {
    kind = Frame::Kind::Let;
    if (expr.size() != 3 || !expr[1].is_list())
      return error(expr, "expected (let ((symbol term) ...) term)");
    for (const Sexpr& binding : expr[1])
      if (binding.size() != 2 || !binding[0].is_symbol())
        return error(binding, "expected a binding (symbol term)");
  } else if (expr.is_call("!")) {
    kind = Frame::Kind::Annotation;
    if (expr.size() < 2) return error(expr, "expected (! term attributes)");
  } else if (expr.is_call("forall") || expr.is_call("exists")) {
    if (!quantifier_) return error(expr, "unsupported: a quantifier at this place");
    if (expr.size() != 3)
      return error(expr, "expected (" + std::string(expr[0].text) + " vars formula)");
    kind = Frame::Kind::Binder;
  } else if (expr.is_call("match")) {
    return error(expr, "unsupported: 'match'");
  } else if (!expr[0].is_list() && !expr[0].is_symbol()) {
    return error(expr[0], "expected a function, found " + describe(expr[0]));
  }
  bool binds = kind == Frame::Kind::Let || kind == Frame::Kind::Binder;
  std::size_t first = binds ? 0 : kind == Frame::Kind::Call && rounding(expr) ? 2 : 1;
  frames_.push_back({kind, &expr, first, values_.size(), saved_.size()});
  return Ok{};
}

/// The rounding mode that a call begins with.
std::optional<Rounding> TermParser::rounding(const Sexpr& call) const {
  if (call.size() < 2 || !call[1].is_symbol() || knows(call[1].text)) return {};
  return rounding_of(call[1].text);
}

Status TermParser::step() {
  Frame& frame = frames_.back();
  if (frame.kind == Frame::Kind::Let) return step_let(frame);
  if (frame.kind == Frame::Kind::Binder) return step_binder(frame);
  std::size_t last = frame.kind == Frame::Kind::Annotation ? 2 : frame.expr->size();
  if (frame.next < last) return visit((*frame.expr)[frame.next++]);
  Frame done = frame;
  frames_.pop_back();
  return finish(done);
}

/// The bindings' terms in the outer scope, then the body with all of them bound.
Status TermParser::step_let(Frame& frame) {
  const Sexpr& bindings = (*frame.expr)[1];
  if (frame.next < bindings.size()) return visit(bindings[frame.next++][1]);
  if (frame.next == bindings.size()) {
    ++frame.next;
    for (std::size_t i = 0; i < bindings.size(); ++i)
      shadow(bindings[i][0].text, values_[frame.values + i]);
    values_.resize(frame.values);
    return visit((*frame.expr)[2]);
  }
  restore(frame.saved);
  frames_.pop_back();
  return Ok{};
}

/// The body with fresh variables for those that are bound.
Status TermParser::step_binder(Frame& frame) {
  const Sexpr& expr = *frame.expr;
  if (frame.next++ == 0) {
    auto vars = sorted_vars(expr[1]);
    if (!vars) return vars.error();
    for (const SortedVar& var : *vars) shadow(var.name, t_.fresh(var.name, var.sort));
    return visit(expr[2]);
  }
  if (t_.sort(values_.back()) != t_.bool_sort()) return error(expr[2], "expected a formula");
  std::vector<Term> bound;
  for (const Sexpr& item : expr[1]) bound.push_back(lookup(item[0].text));
  Quantifier kind = expr.is_call("forall") ? Quantifier::Forall : Quantifier::Exists;
  values_.back() = quantifier_(kind, bound, values_.back());
  restore(frame.saved);
  frames_.pop_back();
  return Ok{};
}

Status TermParser::finish(const Frame& frame) {
  if (frame.kind == Frame::Kind::Annotation)
    return annotation_ ? annotation_(values_.back(), *frame.expr) : Ok{};
  Result<Term> value = apply(*frame.expr, std::span(values_).subspan(frame.values));
  if (!value) return value.error();
  values_.resize(frame.values);
  push_value(*value);
  return Ok{};
}

// Leaves --------------------------------------------------------------------------------------

Result<Term> TermParser::atom(const Sexpr& expr) {
  switch (expr.kind) {
    case Token::Symbol:
      return symbol(expr);
    case Token::Numeral:
      return t_.integer(mpz_class(std::string(expr.text), 10));
    case Token::Decimal:
      return t_.real(decimal_value(expr.text));
    case Token::Binary:
    case Token::Hex: {
      bool hex = expr.kind == Token::Hex;
      std::size_t width = expr.text.size() * (hex ? 4 : 1);
      if (width > kMaxWidth)
        return error(expr, "unsupported: a bit-vector of " + std::to_string(width) + " bits");
      return t_.bv(mpz_class(std::string(expr.text), hex ? 16 : 2),
                   static_cast<std::uint32_t>(width));
    }
    case Token::List:
    case Token::Keyword:
    case Token::String:
      break;
  }
  return error(expr, "expected a term, found " + describe(expr));
}

Result<Term> TermParser::symbol(const Sexpr& expr) {
  if (const Meaning* meaning = find(expr.text)) {
    if (meaning->term) return meaning->term;
    if (meaning->function->sorts.empty()) return apply_function(expr, *meaning->function, {});
    return error(expr, "'" + std::string(expr.text) + "' expects arguments");
  }
  if (expr.text == "true" || expr.text == "false") return t_.boolean(expr.text == "true");
  if (is_operator(expr.text)) return error(expr, describe(expr) + " expects arguments");
  return error(expr, "undeclared symbol " + describe(expr));
}

/// (_ bv5 8), (as x S)
Result<Term> TermParser::indexed_constant(const Sexpr& expr) {
  if (expr.is_call("as")) {
    if (expr.size() != 3) return error(expr, "expected (as symbol sort)");
    Result<Term> value = atom(expr[1]);
    if (!value) return value;
    Result<Sort> wanted = sort(expr[2]);
    if (!wanted) return wanted.error();
    if (t_.sort(*value) != *wanted)
      return error(expr, "expected a term of sort " + sort_text(t_, *wanted) + ", found " +
                             sort_text(t_, t_.sort(*value)));
    return value;
  }
  if (expr.size() == 4) return float_constant(expr);
  std::string_view name = expr.size() == 3 ? expr[1].text : std::string_view();
  bool digits =
      name.size() > 2 && name.starts_with("bv") &&
      std::all_of(name.begin() + 2, name.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return error(expr, "unknown indexed constant " + describe(expr));
  Result<std::uint32_t> width = index(expr[2]);
  if (!width) return width.error();
  if (*width == 0 || *width > kMaxWidth)
    return error(expr[2], "unsupported: a bit-vector of " + std::to_string(*width) + " bits");
  mpz_class value(std::string(name.substr(2)), 10);
  if (mpz_sizeinbase(value.get_mpz_t(), 2) > *width)
    return error(expr, "the value does not fit into " + std::to_string(*width) + " bits");
  return t_.bv(value, *width);
}

/// (_ +oo 8 24)
Result<Term> TermParser::float_constant(const Sexpr& expr) {
  Result<FloatFormat> format = float_format(expr);
  if (!format) return format.error();
  std::string_view name = expr[1].text;
  if (name == "NaN") return t_.floating(FloatValue::nan(*format));
  if (name == "+oo" || name == "-oo")
    return t_.floating(FloatValue::infinity(*format, name == "-oo"));
  if (name == "+zero" || name == "-zero")
    return t_.floating(FloatValue::zero(*format, name == "-zero"));
  return error(expr, "unknown indexed constant " + describe(expr));
}

/// The last two of (_ symbol 8 24).
Result<FloatFormat> TermParser::float_format(const Sexpr& expr) const {
  Result<std::uint32_t> exponent = index(expr[2]);
  if (!exponent) return exponent.error();
  Result<std::uint32_t> significand = index(expr[3]);
  if (!significand) return significand.error();
  FloatFormat format{*exponent, *significand};
  if (!format.is_supported())
    return error(expr, "unsupported: floats of " + std::to_string(*exponent) + " and " +
                           std::to_string(*significand) + " bits");
  return format;
}

Result<std::uint32_t> TermParser::index(const Sexpr& expr) const {
  std::uint32_t value = 0;
  const char* end = expr.text.data() + expr.text.size();
  if (expr.kind == Token::Numeral)
    if (auto [stop, ec] = std::from_chars(expr.text.data(), end, value); ec == std::errc{})
      return value;
  return error(expr, "expected a number as index, found " + describe(expr));
}

// Applications --------------------------------------------------------------------------------

Result<Term> TermParser::apply(const Sexpr& call, std::span<const Term> args) {
  const Sexpr& head = call[0];
  if (head.is_list()) return apply_head_list(call, args);
  if (const Meaning* meaning = find(head.text)) {
    if (meaning->function) return apply_function(call, *meaning->function, args);
    return error(head, describe(head) + " is no function");
  }
  if (args.empty()) return error(head, describe(call) + " has no arguments");
  Result<Term> value = apply_operator(t_, head.text, args, rounding(call));
  if (!value) return placed(value.error(), document_.pos(call));
  return value;
}

Result<Term> TermParser::apply_head_list(const Sexpr& call, std::span<const Term> args) {
  const Sexpr& head = call[0];
  if (head.is_call("as") && head.size() == 3 && head[1].is_symbol("const")) {
    Result<Sort> array = sort(head[2]);
    if (!array) return array.error();
    if (t_.kind(*array) != SortKind::Array) return error(head[2], "expected an array sort");
    Term value = args.size() == 1 ? coerce(t_, args[0], t_.element_sort(*array)) : Term();
    if (!value)
      return error(call, "a constant array expects one argument of sort " +
                             sort_text(t_, t_.element_sort(*array)));
    return t_.make_const_array(*array, value);
  }
  if (!head.is_call("_") || head.size() < 3 || !head[1].is_symbol())
    return error(head, "unknown function " + describe(head));
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 2; i < head.size(); ++i) {
    Result<std::uint32_t> value = index(head[i]);
    if (!value) return value.error();
    indices.push_back(*value);
  }
  Result<Term> value = apply_indexed(t_, head[1].text, indices, args, rounding(call));
  if (!value) return placed(value.error(), document_.pos(call));
  return value;
}

Result<Term> TermParser::apply_function(const Sexpr& call, const Function& function,
                                        std::span<const Term> args) {
  const Sexpr& head = call.is_list() ? call[0] : call;
  if (args.size() != function.sorts.size())
    return error(head, describe(head) + " expects " + std::to_string(function.sorts.size()) +
                           " arguments, found " + std::to_string(args.size()));
  std::vector<Term> fitting;
  for (std::size_t i = 0; i < args.size(); ++i) {
    Term arg = coerce(t_, args[i], function.sorts[i]);
    if (!arg)
      return error(call[i + 1], "argument " + std::to_string(i + 1) + " of " + describe(head) +
                                    " must be of sort " + sort_text(t_, function.sorts[i]) +
                                    ", found " + sort_text(t_, t_.sort(args[i])));
    fitting.push_back(arg);
  }
  if (function.apply) return function.apply(fitting);
  TermMap map;
  for (std::size_t i = 0; i < fitting.size(); ++i) map[function.params[i]] = fitting[i];
  return substitute(t_, function.body, map);
}

// Sorts and commands --------------------------------------------------------------------------

Result<Sort> TermParser::sort(const Sexpr& expr, std::uint32_t depth) {
  if (depth > kMaxSortDepth) return error(expr, "unsupported: an array sort nested this deep");
  if (expr.is_symbol("Bool")) return t_.bool_sort();
  if (expr.is_symbol("Int")) return t_.int_sort();
  if (expr.is_symbol("Real")) return t_.real_sort();
  if (expr.is_symbol("Float32")) return t_.float_sort(kFloat32);
  if (expr.is_symbol("Float64")) return t_.float_sort(kFloat64);
  if (expr.is_symbol())
    if (auto at = sorts_.find(std::string(expr.text)); at != sorts_.end()) return at->second;
  if (expr.is_call("_") && expr.size() == 3 && expr[1].is_symbol("BitVec")) {
    Result<std::uint32_t> width = index(expr[2]);
    if (!width) return width.error();
    if (*width == 0 || *width > kMaxWidth)
      return error(expr[2], "unsupported: a bit-vector of " + std::to_string(*width) + " bits");
    return t_.bv_sort(*width);
  }
  if (expr.is_call("_") && expr.size() == 4 && expr[1].is_symbol("FloatingPoint")) {
    Result<FloatFormat> format = float_format(expr);
    if (!format) return format.error();
    return t_.float_sort(*format);
  }
  if (expr.is_call("Array") && expr.size() == 3) {
    Result<Sort> from = sort(expr[1], depth + 1);
    if (!from) return from;
    Result<Sort> to = sort(expr[2], depth + 1);
    if (!to) return to;
    return t_.array_sort(*from, *to);
  }
  return error(expr, "unknown sort " + describe(expr));
}

Result<std::vector<TermParser::SortedVar>> TermParser::sorted_vars(const Sexpr& list) {
  if (!list.is_list()) return error(list, "expected a list of variables ((name sort) ...)");
  std::vector<SortedVar> vars;
  for (const Sexpr& item : list) {
    if (item.size() != 2 || !item[0].is_symbol())
      return error(item, "expected a variable (name sort), found " + describe(item));
    Result<Sort> of = sort(item[1]);
    if (!of) return of.error();
    vars.push_back({item[0].text, *of, &item});
  }
  return vars;
}

Result<Term> TermParser::declare_constant(const Sexpr& command) {
  bool fun = command.is_call("declare-fun");
  if (command.size() != (fun ? 4U : 3U) || !command[1].is_symbol())
    return error(command, fun ? "expected (declare-fun symbol (sorts) sort)"
                              : "expected (declare-const symbol sort)");
  if (fun && (!command[2].is_list() || command[2].size() > 0))
    return error(command[2], "unsupported: a declared function with arguments");
  if (knows(command[1].text))
    return error(command[1], describe(command[1]) + " is already declared");
  Result<Sort> of = sort(command[command.size() - 1]);
  if (!of) return of.error();
  Term variable = t_.variable(command[1].text, *of);
  bind(command[1].text, variable);
  return variable;
}

Status TermParser::define(const Sexpr& command, ResultSort result) {
  if (command.size() < 4 || !command[1].is_symbol())
    return error(command, "malformed definition " + describe(command));
  if (command.is_call("define-sort")) {
    if (command.size() != 4 || !command[2].is_list() || command[2].size() > 0)
      return error(command, "unsupported: a sort with parameters");
    Result<Sort> meaning = sort(command[3]);
    if (!meaning) return meaning.error();
    sorts_[std::string(command[1].text)] = *meaning;
    return Ok{};
  }
  bool fun = command.is_call("define-fun");
  if (command.size() != (fun ? 5U : 4U))
    return error(command, "malformed definition " + describe(command));
  if (knows(command[1].text))
    return error(command[1], describe(command[1]) + " is already declared");
  if (fun && !command[2].is_list()) return error(command[2], "expected a list of parameters");
  if (fun && command[2].size() > 0) return define_function(command, 4);
  Result<Sort> wanted = sort(command[fun ? 3 : 2]);
  if (!wanted) return wanted.error();
  const Sexpr& text = command[fun ? 4 : 3];
  Result<Term> body = result == ResultSort::Checked ? term(text, *wanted) : term(text);
  if (!body) return body.error();
  bind(command[1].text, *body);
  return Ok{};
}

/// Parameters become fresh variables, so that no argument is captured when the body is expanded.
Status TermParser::define_function(const Sexpr& command, std::size_t body) {
  Result<std::vector<SortedVar>> vars = sorted_vars(command[2]);
  if (!vars) return vars.error();
  Result<Sort> wanted = sort(command[3]);
  if (!wanted) return wanted.error();
  Function function;
  std::size_t before = mark();
  for (const SortedVar& var : *vars) {
    Term param = t_.fresh(var.name, var.sort);
    function.sorts.push_back(var.sort);
    function.params.push_back(param);
    shadow(var.name, param);
  }
  Result<Term> meaning = term(command[body], *wanted);
  restore(before);
  if (!meaning) return meaning.error();
  function.body = *meaning;
  slot(command[1].text) = {{}, std::make_shared<Function>(std::move(function))};
  return Ok{};
}

bool is_idle_command(const Sexpr& command) {
  constexpr auto kIdle = std::to_array<std::string_view>(
      {"set-info", "set-logic", "set-option", "echo", "check-sat", "get-model", "get-info",
       "get-option", "get-proof", "get-unsat-core"});
  return std::any_of(kIdle.begin(), kIdle.end(),
                     [&](std::string_view name) { return command.is_call(name); });
}

}  // namespace lem::smtlib
