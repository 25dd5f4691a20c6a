#include "frontend/verilog/rewrite.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include "frontend/verilog/edits.h"
#include "frontend/verilog/names.h"
#include "frontend/verilog/property.h"

namespace lem::verilog {

namespace {

std::string verb(AssertionKind kind) {
  return kind == AssertionKind::Assert   ? "assert"
         : kind == AssertionKind::Assume ? "assume"
                                         : "cover";
}

class Rewriter {
 public:
  explicit Rewriter(Syntax& design) : design_(design), edits_(design) {}

  Result<Rewritten> run();

 private:
  const Token& token(std::size_t at) const { return design_.text.tokens[at]; }
  Error wrong(std::size_t at, std::string message) const {
    return {design_.place(at), std::move(message), ErrorKind::BadInput};
  }
  std::string fresh(const std::string& stem);
  std::string formal(AssertionKind kind, const std::string& formula, std::size_t at,
                     const std::string& label);

  // System functions.
  Status system_functions();
  Status random_range(std::size_t at);
  Result<std::string> range_function(std::size_t at);

  void gate_arrays();

  // Assertions.
  Status assertion(const Assertion& one);
  Status immediate(const Assertion& one);
  Status concurrent(const Assertion& one);
  void free_standing(const Assertion& one, const Claim& claim, const std::string& clock,
                     const std::string& disable);
  Status in_process(const Assertion& one, const Claim& claim, const std::string& disable);
  Result<std::string> clock_of(const Assertion& one, const Claim& claim) const;
  Result<std::string> disable_of(const Assertion& one, const Claim& claim) const;
  Status check_event(Range event, ScopeId scope, ScopeId place) const;
  std::string registers(const Claim& claim, const std::string& clock, const std::string& disable,
                        std::size_t first) const;

  // Values before the clock edge.
  Status sample(Range range, const Assertion& one, bool everything);
  std::optional<Error> changed_in_process(Range range, const Assertion& one) const;
  Result<std::string> sampled_name(std::size_t at, const Assertion& one);
  Result<std::string> wire_type(const Symbol& symbol, std::size_t at) const;

  // Initial values.
  Status initial_values();
  Status declaration(const Declaration& one);
  Status initial_block(const Process& one);
  Result<std::string> at_time_zero(const Symbol& symbol, const std::string& name, Range value,
                                   std::size_t at);
  using Known = std::function<bool(const std::string&)>;
  bool is_constant_step(const InitialStep& step, const Known& known, int& calls) const;
  bool is_constant_task(const InitialStep& call, int& calls) const;
  void keep_constants(const InitialStep& step, std::set<std::string>& known);
  bool changes_later(const Process& one, std::size_t number) const;

  Syntax& design_;
  Edits edits_;
  Rewritten out_;
  std::map<std::size_t, std::string> range_functions_;                  // by the end of the module
  std::set<std::string> taken_;                                         // all words of the text
  std::map<std::pair<std::size_t, std::string>, std::string> sampled_;  // by process and variable
  std::set<const Symbol*> zero_;                    // variables whose initial value is not constant
  std::map<const Symbol*, std::size_t> constants_;  // those with a constant one of an initial block
  std::set<std::size_t> wrapped_;                   // processes that have begin and end around them
};

std::string Rewriter::fresh(const std::string& stem) {
  std::string name = stem;
  for (int n = 2; !taken_.insert(name).second; ++n) name = stem + "_" + std::to_string(n);
  return name;
}

std::string Rewriter::formal(AssertionKind kind, const std::string& formula, std::size_t at,
                             const std::string& label) {
  std::string file = std::string(kStatementFile) + std::to_string(out_.statements.size());
  out_.statements.push_back({design_.place(at), label});
  return " `file_push \"" + file + "\"\n" + verb(kind) + " " + formula + ";\n`file_pop\n";
}

Result<Rewritten> Rewriter::run() {
  for (const Token& each : design_.text.tokens)
    if (each.names()) taken_.insert(each.name());
  for (Edit& each : design_.edits) edits_.replace(each.range, std::move(each.text));
  if (Status done = system_functions(); !done) return done.error();
  if (Status done = check_member_selects(design_); !done) return done.error();
  gate_arrays();
  if (Status done = initial_values(); !done) return done.error();
  for (const Assertion& each : design_.assertions)
    if (Status done = assertion(each); !done) return done.error();
  out_.texts = edits_.texts();
  return std::move(out_);
}

// --- system functions ---

/// Functions that Yosys reads; tasks stand alone and are dropped or left to it.
bool is_known(const std::string& function) {
  constexpr std::array<std::string_view, 46> kKnown = {
      "$past",       "$rose",         "$fell",      "$stable",    "$changed", "$onehot",
      "$onehot0",    "$countones",    "$countbits", "$initstate", "$clog2",   "$bits",
      "$size",       "$high",         "$low",       "$left",      "$right",   "$increment",
      "$dimensions", "$anyconst",     "$anyseq",    "$allconst",  "$allseq",  "$signed",
      "$unsigned",   "$global_clock", "$ln",        "$log10",     "$exp",     "$pow",
      "$sqrt",       "$floor",        "$ceil",      "$sin",       "$cos",     "$tan",
      "$asin",       "$acos",         "$atan",      "$atan2",     "$hypot",   "$rtoi",
      "$itor",       "$readmemh",     "$readmemb",  "$ff"};
  return std::find(kKnown.begin(), kKnown.end(), function) != kKnown.end();
}

Status Rewriter::system_functions() {
  std::vector<bool> read(design_.text.tokens.size(), true);
  auto drop = [&](Range range) {
    for (std::size_t i = range.first; i < range.last; ++i) read[i] = false;
  };
  for (const Edit& each : design_.edits)
    if (token(each.range.first).kind == TokenKind::System) drop(each.range);
  for (const Assertion& each : design_.assertions) drop({each.formula.last, each.whole.last});
  for (std::size_t i = 0; i < read.size(); ++i) {
    const Token& each = token(i);
    if (each.kind != TokenKind::System || !read[i]) continue;
    Range call = call_at(design_, i);
    bool arguments = call.last - call.first > 3;
    if (each.text == "$isunknown") {
      edits_.replace(call, "1'b0");
    } else if (each.text == "$random" || each.text == "$urandom") {
      if (arguments) return wrong(i, "unsupported: " + each.text + " with a seed");
      edits_.replace(call, each.text == "$random" ? "$signed($anyseq(32))" : "$anyseq(32)");
    } else if (each.text == "$urandom_range") {
      if (Status done = random_range(i); !done) return done;
    } else if (each.text == "$sampled") {
      edits_.replace({i, i + 1}, "");
    } else if (!is_known(each.text)) {
      bool task = i == 0 || token(i - 1).is(";") || token(i - 1).is("begin");
      if (each.text == "$error" || each.text == "$fatal" || each.text == "$warning" ||
          each.text == "$info")
        continue;
      return wrong(
          i, std::string("unsupported: system ") + (task ? "task " : "function ") + each.text);
    }
  }
  return Ok{};
}

/// Any value from the smaller to the larger argument. A remainder would do as well, but is harder
/// for solvers.
Status Rewriter::random_range(std::size_t at) {
  Range call = call_at(design_, at);
  std::vector<Range> arguments;
  int depth = 0;
  std::size_t first = call.first + 2;
  for (std::size_t i = first; i < call.last; ++i) {
    const Token& each = token(i);
    bool ends = depth == 0 && (each.is(",") || i + 1 == call.last);
    depth += each.is("(") || each.is("[") || each.is("{") ? 1 : 0;
    depth -= each.is(")") || each.is("]") || each.is("}") ? 1 : 0;
    if (!ends) continue;
    arguments.push_back({first, i});
    first = i + 1;
  }
  if (arguments.empty() || arguments.size() > 2 || arguments[0].empty())
    return wrong(at, "syntax error: $urandom_range has one or two arguments");
  Result<std::string> function = range_function(at);
  if (!function) return function.error();
  std::string second = arguments.size() > 1 ? edits_.words(arguments[1]) : "0";
  edits_.replace(call,
                 *function + "($anyseq(32), " + edits_.words(arguments[0]) + ", " + second + ")");
  return Ok{};
}

/// The function of the module around a word that brings any value into a range.
Result<std::string> Rewriter::range_function(std::size_t at) {
  for (const Scope& scope : design_.scopes) {
    bool around = scope.kind == ScopeKind::Unit && scope.range.first <= at && at < scope.range.last;
    if (!around) continue;
    std::string& name = range_functions_[scope.range.last];
    if (!name.empty()) return name;
    name = fresh("in_range");
    edits_.before(scope.range.last - 1,
                  "function [31:0] " + name + "; input [31:0] any, a, b; " + name +
                      " = (a < b ? any >= a && any <= b : any >= b && any <= a) ? any : a; "
                      "endfunction ");
    return name;
  }
  return wrong(at, "unsupported: $urandom_range outside of a module");
}

/// Yosys has no arrays of gates: each is an array of a module around the gate.
void Rewriter::gate_arrays() {
  std::map<std::string, std::string> made;  // by gate and number of ports
  for (const GateArray& each : design_.gate_arrays) {
    std::string gate = token(each.at).text;
    std::string& name = made[gate + ' ' + std::to_string(each.ports)];
    if (name.empty()) {
      name = fresh("gate_" + gate + "_" + std::to_string(each.ports));
      bool last_is_input = gate == "buf" || gate == "not";
      std::string ports, names;
      for (std::size_t i = 0; i < each.ports; ++i) {
        bool output = last_is_input ? i + 1 < each.ports : i == 0;
        std::string port = "p" + std::to_string(i);
        ports += (i == 0 ? "" : ", ") + std::string(output ? "output " : "input ") + port;
        names += (i == 0 ? "" : ", ") + port;
      }
      edits_.after(design_.text.tokens.size() - 1,
                   " module " + name + "(" + ports + "); " + gate + " (" + names + "); endmodule ");
    }
    edits_.replace({each.at, each.at + 1}, name);
  }
}

// --- assertions ---

Status Rewriter::assertion(const Assertion& one) {
  return one.concurrent ? concurrent(one) : immediate(one);
}

Status Rewriter::immediate(const Assertion& one) {
  if (Status fine = check_expression(design_, one.formula, one.scope, one.scope); !fine)
    return fine;
  if (Status done = sample(one.formula, one, false); !done) return done;
  std::string text = formal(one.kind, "(" + edits_.words(one.formula) + ")", one.at, one.label);
  bool alone = !one.process && !one.in_routine;
  edits_.replace(one.whole, alone ? "always @*" + text : text);
  return Ok{};
}

Status Rewriter::check_event(Range event, ScopeId scope, ScopeId place) const {
  bool edge =
      !event.empty() && (token(event.first).is("posedge") || token(event.first).is("negedge"));
  std::size_t comma = event.first;
  while (comma < event.last && !token(comma).is(",")) ++comma;
  if (!edge || comma < event.last)
    return wrong(event.first, "unsupported: a clock of a property that is not one edge");
  return check_expression(design_, {event.first + 1, event.last}, scope, place);
}

/// The event at which a claim is judged; empty: at every step. IEEE 1800, 16.16: its own, that of
/// the process, the default of the nearest scope.
Result<std::string> Rewriter::clock_of(const Assertion& one, const Claim& claim) const {
  std::optional<Range> event = claim.clock;
  if (one.process) {
    const Process& process = design_.processes[*one.process];
    if (process.edges.empty()) {
      if (event)
        return wrong(one.at, "unsupported: a clocked assertion in a process without a clock");
    } else if (process.edges.size() == 1) {
      if (event && design_.words(*event) != design_.words(process.event))
        return wrong(one.at, "unsupported: a property with another clock than the process");
      event = process.event;
    } else if (event) {
      return wrong(one.at, "unsupported: a property with a clock in a process of several edges");
    } else {
      return std::string();
    }
  }
  ScopeId scope = one.scope;
  for (ScopeId id = one.scope; !event && id != kNoScope; id = design_.scopes[id].parent)
    if (design_.scopes[id].clock) {
      event = design_.scopes[id].clock->range;
      scope = id;
    }
  if (!event) return std::string();
  if (one.process && design_.processes[*one.process].edges.empty())
    return wrong(one.at, "unsupported: a clocked assertion in a process without a clock");
  if (Status fine = check_event(*event, scope, one.scope); !fine) return fine.error();
  return edits_.words(*event);
}

/// IEEE 1800, 16.15: the default holds for the whole scope in which it is declared, and for the
/// scopes in it that have none; a property with its own has no other.
Result<std::string> Rewriter::disable_of(const Assertion& one, const Claim& claim) const {
  std::optional<Range> condition = claim.disable;
  ScopeId scope = claim.disable_scope;
  for (ScopeId id = one.scope; !condition && id != kNoScope; id = design_.scopes[id].parent)
    if (design_.scopes[id].disable) {
      condition = design_.scopes[id].disable->range;
      scope = id;
    }
  if (!condition) return std::string();
  if (Status fine = check_expression(design_, *condition, scope, one.scope); !fine)
    return fine.error();
  return "(" + edits_.words(*condition) + ")";
}

Status Rewriter::concurrent(const Assertion& one) {
  if (one.in_routine)
    return wrong(one.at, "unsupported: a concurrent assertion in a function or task");
  if (one.process && design_.processes[*one.process].kind == ProcessKind::Initial)
    return wrong(one.at, "unsupported: a concurrent assertion in an initial block");
  std::optional<Error> refused;
  auto print = [&](Range range) {
    if (!refused) refused = changed_in_process(range, one);
    return edits_.words(range);
  };
  PropertyWriter writer{design_, one.scope, print,
                        [&] { return fresh("premise_" + std::to_string(token(one.at).line)); }};
  if (Status done = sample(one.formula, one, true); !done) return done;
  Result<Claim> claim = read_property(writer, one.formula, one.scope);
  if (!claim) return claim.error();
  if (refused) return *refused;
  if (one.kind == AssertionKind::Cover && claim->implication)
    return wrong(one.at, "unsupported: cover property with an implication");
  Result<std::string> clock = clock_of(one, *claim);
  if (!clock) return clock.error();
  Result<std::string> disable = disable_of(one, *claim);
  if (!disable) return disable.error();
  if (claim->liveness && (!clock->empty() || !disable->empty() || one.process))
    return wrong(one.at, "unsupported: liveness with a clock or reset");
  if (claim->liveness) {
    edits_.replace(one.whole,
                   formal(one.kind, "property (" + claim->holds + ")", one.at, one.label));
    return Ok{};
  }
  if (!claim->kept.empty() && clock->empty())
    return wrong(one.at, "unsupported: '|=>' without a clock of one edge");
  if (one.process) return in_process(one, *claim, *disable);
  free_standing(one, *claim, *clock, *disable);
  return Ok{};
}

/// Registers of a claim, from the one of that number on.
std::string Rewriter::registers(const Claim& claim, const std::string& clock,
                                const std::string& disable, std::size_t first) const {
  std::string out;
  for (std::size_t i = 0; i < claim.kept.size(); ++i) {
    out += "reg " + claim.kept[i].name + " = 0; ";
    if (i < first) continue;
    out += "always @(" + clock + ") " + claim.kept[i].name +
           " <= " + (disable.empty() ? "" : "!" + disable + " && ") + "!!(" + claim.kept[i].next +
           "); ";
  }
  return out;
}

void Rewriter::free_standing(const Assertion& one, const Claim& claim, const std::string& clock,
                             const std::string& disable) {
  std::string text = registers(claim, clock, disable, 0);
  text += clock.empty() ? "always @*" : "always @(" + clock + ")";
  if (!disable.empty()) text += " if (!" + disable + ")";
  text += formal(one.kind, "(" + claim.holds + ")", one.at, one.label);
  edits_.replace(one.whole, one.in_branch ? "begin " + text + " end" : text);
}

/// An attempt starts where the procedure comes to the assertion; what it says of the next tick is
/// judged there whatever the procedure does.
Status Rewriter::in_process(const Assertion& one, const Claim& claim, const std::string& disable) {
  std::string guard = disable.empty() ? "" : "if (!" + disable + ") ";
  if (claim.kept.empty()) {
    edits_.replace(
        one.whole,
        "begin " + guard + formal(one.kind, "(" + claim.holds + ")", one.at, one.label) + " end");
    return Ok{};
  }
  const Process& process = design_.processes[*one.process];
  if (one.in_loop || process.edges.size() != 1 || one.scope != process.scope)
    for (ScopeId id = one.scope; id != process.scope; id = design_.scopes[id].parent)
      if (one.in_loop || !design_.scopes[id].names.empty())
        return wrong(one.at, "unsupported: '|=>' in a loop or a block with variables");
  if (one.in_loop) return wrong(one.at, "unsupported: '|=>' in a loop");
  std::string clock = edits_.words(process.event);
  const std::string& first = claim.kept[0].name;
  std::string text = registers(claim, clock, disable, 1) + "always @(" + clock + ") " + guard +
                     formal(one.kind, "(" + claim.holds + ")", one.at, one.label);
  if (process.in_branch && wrapped_.insert(*one.process).second) {
    edits_.before(process.whole.first, "begin ");
    edits_.after(process.whole.last - 1, " end ");
  }
  edits_.before(process.whole.first, text);
  edits_.before(process.body.first, "begin " + first + " <= 0; ");
  edits_.after(process.body.last - 1, " end ");
  edits_.replace(one.whole, "begin " + first +
                                " <= " + (disable.empty() ? "" : "!" + disable + " && ") + "!!(" +
                                claim.kept[0].next + "); end");
  return Ok{};
}

// --- values before the clock edge ---

/// Concurrent assertions and $past see variables as they were before the clock edge, also those
/// that the procedure has assigned since: such a variable is read through a net.
Status Rewriter::sample(Range range, const Assertion& one, bool everything) {
  std::size_t sampling = 0;  // up to this word
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Token& each = token(i);
    if (each.kind == TokenKind::System && is_sampling(each.text)) {
      if (one.process && design_.processes[*one.process].edges.size() > 1)
        return wrong(i, "unsupported: " + each.text +
                            " in a process of several edges (put the assertion into a process of "
                            "the clock)");
      sampling = std::max(sampling, call_at(design_, i).last);
    }
    if (!one.process || !each.names() || !(everything || i < sampling)) continue;
    if (i > 0 && (token(i - 1).is(".") || token(i - 1).is("::"))) continue;
    const Process& process = design_.processes[*one.process];
    bool changes = std::find(process.blocking.begin(), process.blocking.end(), each.name()) !=
                   process.blocking.end();
    if (!changes || process.edges.empty()) continue;
    Result<std::string> name = sampled_name(i, one);
    if (!name) return name.error();
    if (!name->empty()) edits_.replace({i, i + 1}, *name);
  }
  return Ok{};
}

/// The text of a named property is written as it is: a variable in it that the process assigns
/// would have its new value.
std::optional<Error> Rewriter::changed_in_process(Range range, const Assertion& one) const {
  bool own = range.first >= one.formula.first && range.last <= one.formula.last;
  if (own || !one.process) return {};
  const std::vector<std::string>& changed = design_.processes[*one.process].blocking;
  for (std::size_t i = range.first; i < range.last; ++i)
    if (token(i).names() &&
        std::find(changed.begin(), changed.end(), token(i).name()) != changed.end())
      return wrong(one.at, "unsupported: a named property with the variable '" + token(i).name() +
                               "', which this process assigns");
  return {};
}

/// Empty for a variable of a loop, which has a value for each round.
Result<std::string> Rewriter::sampled_name(std::size_t at, const Assertion& one) {
  const Process& process = design_.processes[*one.process];
  std::string name = token(at).name();
  const Symbol* symbol = design_.find(one.scope, name);
  if (symbol == nullptr) return wrong(at, "'" + name + "' is not declared");
  if (symbol->loop) return std::string();
  if (symbol != design_.find(process.scope, name))
    return wrong(at, "unsupported: the value of '" + name + "' before the clock edge");
  auto [found, made] = sampled_.try_emplace({*one.process, name});
  if (!made) return found->second;
  Result<std::string> type = wire_type(*symbol, at);
  if (!type) return type.error();
  found->second = fresh("sampled_" + std::to_string(sampled_.size()));
  if (process.in_branch && wrapped_.insert(*one.process).second) {
    edits_.before(process.whole.first, "begin ");
    edits_.after(process.whole.last - 1, " end ");
  }
  edits_.before(process.whole.first,
                *type + " " + found->second + " = " + token(symbol->at).text + " ; ");
  return found->second;
}

/// The declaration of a net with the values of a variable.
Result<std::string> Rewriter::wire_type(const Symbol& symbol, std::size_t at) const {
  std::string out = "wire";
  if (!symbol.dimensions.empty()) return wrong(at, "unsupported: an array in this place");
  for (std::size_t i = symbol.type.first; i < symbol.type.last; ++i) {
    const Token& each = token(i);
    if (each.is("[")) {
      out += " " + edits_.words({i, symbol.type.last});
      break;
    }
    if (each.is("reg") || each.is("logic") || each.is("bit") || each.is("output") || each.is("var"))
      continue;
    if (each.is("integer") || each.is("int"))
      out += " signed [31:0]";
    else if (each.is("byte"))
      out += " signed [7:0]";
    else if (each.is("shortint"))
      out += " signed [15:0]";
    else if (each.is("longint"))
      out += " signed [63:0]";
    else if (each.is("signed") || each.is("unsigned"))
      out += " " + each.text;
    else
      return wrong(at, "unsupported: a variable of the type '" + each.text + "' in this place");
  }
  return out;
}

// --- initial values ---

Status Rewriter::initial_values() {
  for (const Process& each : design_.processes)
    if (each.kind == ProcessKind::Initial)
      if (Status done = initial_block(each); !done) return done;
  for (const Declaration& each : design_.declarations)
    if (Status done = declaration(each); !done) return done;
  for (const auto& [symbol, at] : constants_)
    if (zero_.contains(symbol))
      return wrong(at, "unsupported: a second initial value of '" + token(symbol->at).name() + "'");
  auto nothing = [](const std::string&) { return false; };
  for (ScopeId id = 0; id < design_.scopes.size(); ++id)
    for (const auto& [name, symbol] : design_.scopes[id].names) {
      bool variable = symbol.kind == SymbolKind::Variable && !symbol.init.empty();
      if (!variable || zero_.contains(&symbol)) continue;
      if (!is_constant(design_, symbol.init, id, nothing))
        return wrong(symbol.at, "unsupported: an initial value of a port that is not constant");
    }
  return Ok{};
}

/// Text that gives a variable the value of an expression in the first step.
Result<std::string> Rewriter::at_time_zero(const Symbol& symbol, const std::string& name,
                                           Range value, std::size_t at) {
  Result<std::string> type = wire_type(symbol, at);
  if (!type) return type.error();
  if (!zero_.insert(&symbol).second)
    return wrong(at, "unsupported: a second initial value of '" + name + "'");
  std::string start = fresh("initial_" + std::to_string(zero_.size()));
  std::string variable = token(symbol.at).text + " ";  // it may be an escaped name
  out_.initial_values.push_back({start, name, design_.place(at)});
  return " " + *type + " " + start + " = " + edits_.words(value) + "; always @* if ($initstate)" +
         formal(AssertionKind::Assume, "(" + variable + " == " + start + ")", at, "");
}

/// A declaration for each name: a variable that nothing assigns later keeps its initial value.
Status Rewriter::declaration(const Declaration& one) {
  auto nothing = [](const std::string&) { return false; };
  const Scope& scope = design_.scopes[one.scope];
  bool changed = false;
  std::string text, more;
  for (const std::string& name : one.names) {
    const Symbol& symbol = scope.names.at(name);
    bool varies = !symbol.init.empty() && !is_constant(design_, symbol.init, one.scope, nothing);
    if (varies) {
      Result<std::string> made = at_time_zero(symbol, name, symbol.init, symbol.at);
      if (!made) return made.error();
      more += *made;
    }
    bool at_zero = zero_.contains(&symbol);
    changed = changed || at_zero;
    if (at_zero && !symbol.assigned) text += "(* anyconst *) ";
    text += design_.words(symbol.type) + " " + token(symbol.at).text + " " +
            design_.words(symbol.dimensions);
    // An initial block comes after the declaration.
    if (!symbol.init.empty() && !at_zero) text += " = " + edits_.words(symbol.init);
    text += "; ";
  }
  if (!changed) return Ok{};
  edits_.replace(one.whole, one.in_branch ? "begin " + text + more + " end" : text + more);
  return Ok{};
}

/// Whether a step has only values that are known before the first one: not so for an index on the
/// left either.
bool Rewriter::is_constant_step(const InitialStep& step, const Known& known, int& calls) const {
  auto is_known = [&](const std::string& name) { return known(name); };
  if (!is_constant(design_, step.value, step.scope, is_known)) return false;
  int index = 0;
  for (std::size_t i = step.target.first; i < step.target.last; ++i) {
    index += token(i).is("[") ? 1 : token(i).is("]") ? -1 : 0;
    if (index > 0 && !is_constant(design_, {i, i + 1}, step.scope, is_known)) return false;
  }
  return step.kind != InitialStep::Kind::Call || is_constant_task(step, calls);
}

/// A task that gives constant values to variables, if its arguments are constant.
bool Rewriter::is_constant_task(const InitialStep& call, int& calls) const {
  constexpr int kMost = 1000;
  const Symbol* symbol = design_.find(call.scope, token(call.at).name());
  bool routine = symbol != nullptr && symbol->kind == SymbolKind::Routine;
  if (!routine || ++calls > kMost) return false;
  ScopeId scope = symbol->declaration;
  Known local = [&](const std::string& name) { return is_local(design_, scope, name); };
  const std::vector<InitialStep>& steps = design_.scopes[scope].steps;
  return std::all_of(steps.begin(), steps.end(), [&](const InitialStep& step) {
    return step.kind != InitialStep::Kind::Wait && is_constant_step(step, local, calls);
  });
}

/// Notes the variables of a step with a constant value.
void Rewriter::keep_constants(const InitialStep& step, std::set<std::string>& known) {
  if (step.kind == InitialStep::Kind::Call) {
    const Symbol* task = design_.find(step.scope, token(step.at).name());
    if (task == nullptr || task->declaration >= design_.scopes.size()) return;
    for (const InitialStep& inner : design_.scopes[task->declaration].steps)
      keep_constants(inner, known);
    return;
  }
  for (std::size_t i = step.target.first; i < step.target.last; ++i) {
    if (!token(i).names()) continue;
    known.insert(token(i).name());
    if (const Symbol* symbol = design_.find(step.scope, token(i).name()))
      constants_.emplace(symbol, step.at);
  }
}

/// Whether a value reads a variable to which a later step gives another value.
bool Rewriter::changes_later(const Process& one, std::size_t number) const {
  const InitialStep& value = one.steps[number];
  for (std::size_t k = number + 1; k < one.steps.size(); ++k) {
    const InitialStep& later = one.steps[k];
    if (later.kind == InitialStep::Kind::Call) return true;
    if (later.kind != InitialStep::Kind::Assign) continue;
    for (std::size_t i = value.value.first; i < value.value.last; ++i) {
      if (!token(i).names()) continue;
      const Symbol* read = design_.find(value.scope, token(i).name());
      if (read != nullptr && read->kind == SymbolKind::Routine) return true;  // it may read any
      for (std::size_t j = later.target.first; j < later.target.last; ++j)
        if (token(j).names() && token(j).name() == token(i).name()) return true;
    }
  }
  return false;
}

Status Rewriter::initial_block(const Process& one) {
  std::set<std::string> known;
  Known is_known = [&](const std::string& name) { return known.contains(name); };
  bool waited = false, undecided = false;
  for (std::size_t k = 0; k < one.steps.size(); ++k) {
    const InitialStep& step = one.steps[k];
    if (step.kind == InitialStep::Kind::Wait) waited = true;
    int calls = 0;
    bool constant = is_constant_step(step, is_known, calls);
    if (step.kind == InitialStep::Kind::Condition) undecided = undecided || !constant;
    bool call = step.kind == InitialStep::Kind::Call;
    if (step.kind != InitialStep::Kind::Assign && !call) continue;
    if (waited)
      return wrong(step.at, "unsupported: an assignment after a delay in an initial block");
    if (constant && !(undecided && step.nested)) {
      keep_constants(step, known);
      continue;
    }
    std::string name = token(step.target.first).name();
    bool whole = !call && step.target.last - step.target.first == 1;
    const Symbol* symbol = design_.find(step.scope, name);
    if (!whole || step.nested || symbol == nullptr || known.contains(name) || one.in_branch ||
        changes_later(one, k))
      return wrong(step.at, "unsupported: an initial value that is not constant");
    Result<std::string> text = at_time_zero(*symbol, name, step.value, step.at);
    if (!text) return text.error();
    edits_.replace({step.target.first, step.value.last + 1}, "begin end");
    edits_.after(one.whole.last - 1, *text);
  }
  return Ok{};
}

}  // namespace

Result<Rewritten> rewrite(Syntax& design) {
  return Rewriter(design).run();
}

std::optional<std::size_t> statement_of(std::string_view file) {
  if (!file.starts_with(kStatementFile)) return {};
  file.remove_prefix(kStatementFile.size());
  std::size_t number = 0;
  auto [end, failed] = std::from_chars(file.data(), file.data() + file.size(), number);
  if (failed != std::errc{} || end != file.data() + file.size()) return {};
  return number;
}

}  // namespace lem::verilog
