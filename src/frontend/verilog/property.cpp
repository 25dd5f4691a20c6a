#include "frontend/verilog/property.h"

#include <algorithm>

#include "frontend/verilog/names.h"

namespace lem::verilog {

namespace {

constexpr std::size_t kDeepest = 50;      // properties inside each other
constexpr std::size_t kMostParts = 5000;  // implications and brackets of one property

class PropertyReader {
 public:
  explicit PropertyReader(const PropertyWriter& writer) : writer_(writer), design_(writer.design) {}

  Result<Claim> run(Range range, ScopeId scope) {
    Status done = specification(range, scope, 0);
    if (!done) return done.error();
    return std::move(claim_);
  }

 private:
  const Token& token(std::size_t at) const { return design_.text.tokens[at]; }
  Error wrong(std::size_t at, std::string message) const {
    return {design_.place(at), std::move(message), ErrorKind::BadInput};
  }
  /// Behind the bracket that closes the one at `open`.
  std::size_t behind(std::size_t open, std::size_t last) const {
    int depth = 0;
    for (std::size_t i = open; i < last; ++i) {
      depth += token(i).is("(") || token(i).is("[") || token(i).is("{") ? 1 : 0;
      depth -= token(i).is(")") || token(i).is("]") || token(i).is("}") ? 1 : 0;
      if (depth == 0) return i + 1;
    }
    return last;
  }
  bool is_bracketed(Range range) const {
    return !range.empty() && token(range.first).is("(") &&
           behind(range.first, range.last) == range.last;
  }

  /// The declaration that the range names, if it is nothing but that name.
  const Symbol* instance(Range range, ScopeId scope) const {
    std::size_t size = range.last - range.first;
    bool call = size == 3 && token(range.first + 1).is("(");
    if ((size != 1 && !call) || !token(range.first).names()) return nullptr;
    const Symbol* symbol = design_.find(scope, token(range.first).name());
    bool property = symbol != nullptr &&
                    (symbol->kind == SymbolKind::Property || symbol->kind == SymbolKind::Sequence);
    return property ? symbol : nullptr;
  }
  Status take_event(Range& range) {
    std::size_t at = range.first + 1;
    if (at >= range.last) return wrong(range.first, "syntax error: the clock is missing");
    bool bracket = token(at).is("(");
    std::size_t end = bracket ? behind(at, range.last) : at + 1;
    Range event = bracket ? Range{at + 1, end - 1} : Range{at, end};
    if (claim_.clock && design_.words(*claim_.clock) != design_.words(event))
      return wrong(range.first, "unsupported: a property of two clocks");
    claim_.clock = event;
    range.first = end;
    return Ok{};
  }
  Status take_disable(Range& range, ScopeId scope) {
    std::size_t open = range.first + 2;
    if (open >= range.last || !token(range.first + 1).is("iff") || !token(open).is("("))
      return wrong(range.first, "syntax error: expected 'disable iff (...)'");
    if (claim_.disable) return wrong(range.first, "a second 'disable iff' in one property");
    std::size_t end = behind(open, range.last);
    claim_.disable = Range{open + 1, end - 1};
    claim_.disable_scope = scope;
    range.first = end;
    return Ok{};
  }

  /// @(clock) disable iff (reset) property
  Status specification(Range range, ScopeId scope, std::size_t depth) {
    if (!range.empty() && token(range.first).is("@"))
      if (Status done = take_event(range); !done) return done;
    if (!range.empty() && token(range.first).is("disable"))
      if (Status done = take_disable(range, scope); !done) return done;
    if (const Symbol* symbol = instance(range, scope)) {
      Result<const PropertyDeclaration*> found = declaration(*symbol, range.first, depth);
      if (!found) return found.error();
      return specification((*found)->body, (*found)->scope, depth + 1);
    }
    return property(range, scope, "", depth);
  }
  Result<const PropertyDeclaration*> declaration(const Symbol& symbol, std::size_t at,
                                                 std::size_t depth) const {
    const PropertyDeclaration& found = design_.properties[symbol.declaration];
    if (!found.plain)
      return wrong(at, "unsupported: a property or sequence with arguments or variables");
    if (depth > kDeepest) return wrong(at, "the property refers to itself");
    return &found;
  }

  std::optional<std::size_t> implication(Range range) const {
    int depth = 0;
    for (std::size_t i = range.first; i < range.last; ++i) {
      depth += token(i).is("(") || token(i).is("[") || token(i).is("{") ? 1 : 0;
      depth -= token(i).is(")") || token(i).is("]") || token(i).is("}") ? 1 : 0;
      if (depth == 0 && (token(i).is("|->") || token(i).is("|=>"))) return i;
    }
    return {};
  }

  /// `trigger`: the attempts that are alive at this tick; empty: one starts at each.
  Status property(Range range, ScopeId scope, const std::string& trigger, std::size_t depth) {
    if (++parts_ > kMostParts)
      return wrong(range.first, "unsupported: a property of so many parts");
    if (range.empty()) return wrong(range.first, "syntax error: a property is missing");
    if (std::optional<std::size_t> sign = implication(range)) {
      Result<std::string> premise = condition({range.first, *sign}, scope, depth);
      if (!premise) return premise.error();
      claim_.implication = true;
      std::string alive = trigger.empty() ? *premise : trigger + " && " + *premise;
      if (token(*sign).is("|=>")) {
        claim_.kept.push_back({writer_.fresh(), alive});
        alive = claim_.kept.back().name;
      }
      return property({*sign + 1, range.last}, scope, alive, depth);
    }
    if (const Symbol* symbol = instance(range, scope)) {
      Result<const PropertyDeclaration*> found = declaration(*symbol, range.first, depth);
      if (!found) return found.error();
      return nested(**found, trigger, depth, range.first);
    }
    if (is_bracketed(range) && holds_property({range.first + 1, range.last - 1}, scope))
      return property({range.first + 1, range.last - 1}, scope, trigger, depth);
    bool live = token(range.first).is("s_eventually") || token(range.first).is("eventually");
    if (live && trigger.empty() && !claim_.clock && !claim_.disable) {
      if (Status fine =
              check_expression(design_, {range.first + 1, range.last}, scope, writer_.place);
          !fine)
        return fine;
      claim_.liveness = true;
      claim_.holds = writer_.print(range);
      return Ok{};
    }
    Result<std::string> formula = condition(range, scope, depth);
    if (!formula) return formula.error();
    claim_.holds = trigger.empty() ? *formula : "!(" + trigger + ") || " + *formula;
    return Ok{};
  }
  Status nested(const PropertyDeclaration& inner, const std::string& trigger, std::size_t depth,
                std::size_t at) {
    Range body = inner.body;
    if (!body.empty() && token(body.first).is("@"))
      if (Status done = take_event(body); !done) return done;
    if (!body.empty() && token(body.first).is("disable"))
      return wrong(at, "unsupported: a property with 'disable iff' inside another");
    return property(body, inner.scope, trigger, depth + 1);
  }
  bool holds_property(Range range, ScopeId scope) const {
    if (is_bracketed(range)) return holds_property({range.first + 1, range.last - 1}, scope);
    return implication(range) || instance(range, scope) != nullptr;
  }

  /// A boolean expression, or the name of a property or sequence that is one.
  Result<std::string> condition(Range range, ScopeId scope, std::size_t depth) {
    if (const Symbol* symbol = instance(range, scope)) {
      Result<const PropertyDeclaration*> found = declaration(*symbol, range.first, depth);
      if (!found) return found.error();
      return condition((*found)->body, (*found)->scope, depth + 1);
    }
    if (is_bracketed(range) && instance({range.first + 1, range.last - 1}, scope) != nullptr)
      return condition({range.first + 1, range.last - 1}, scope, depth);
    if (Status fine = check_expression(design_, range, scope, writer_.place); !fine)
      return fine.error();
    return "(" + writer_.print(range) + ")";
  }

  const PropertyWriter& writer_;
  const Syntax& design_;
  Claim claim_;
  std::size_t parts_ = 0;
};

}  // namespace

Result<Claim> read_property(const PropertyWriter& writer, Range range, ScopeId scope) {
  return PropertyReader(writer).run(range, scope);
}

}  // namespace lem::verilog
