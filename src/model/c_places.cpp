#include "model/c_places.h"

#include <algorithm>
#include <map>

namespace lem {

CPlaces::CPlaces(const Cfa& cfa, const CSource& source, const CText& text)
    : cfa_(cfa), source_(source), text_(text) {
  find_heads();
  find_loops();
  for (const CVariable& variable : source.variables)
    declarations_.push_back(variable.origin == COrigin::User
                                ? text.declaration(variable.name, variable.line)
                                : std::nullopt);
}

// Loops of the automaton ------------------------------------------------------------------------

/// Depth first: an edge to a location that is being visited closes a cycle.
void CPlaces::find_heads() {
  enum class Color : std::uint8_t { New, Active, Done };
  std::vector<Color> colors(cfa_.locations().size(), Color::New);
  std::vector<std::pair<LocationId, std::size_t>> stack = {{cfa_.initial(), 0}};
  colors[index(cfa_.initial())] = Color::Active;
  while (!stack.empty()) {
    auto& [at, next] = stack.back();
    if (next == cfa_.out(at).size()) {
      colors[index(at)] = Color::Done;
      stack.pop_back();
      continue;
    }
    LocationId to = cfa_[cfa_.out(at)[next++]].to;
    if (colors[index(to)] == Color::Active) back_.push_back({at, to});
    if (colors[index(to)] != Color::New) continue;
    colors[index(to)] = Color::Active;
    stack.push_back({to, 0});
  }
  for (const auto& [from, to] : back_) heads_.push_back(to);
  std::sort(heads_.begin(), heads_.end());
  heads_.erase(std::unique(heads_.begin(), heads_.end()), heads_.end());
}

/// The variables that are used between a head and what leads back to it.
void CPlaces::find_loops() {
  std::map<Term, std::size_t> numbers;
  for (std::size_t i = 0; i < source_.variables.size(); ++i) numbers[source_.variables[i].term] = i;
  for (LocationId head : heads_) {
    std::vector<bool> inside(cfa_.locations().size(), false), used(source_.variables.size(), false);
    std::vector<LocationId> waiting;
    inside[index(head)] = true;
    for (const auto& [from, to] : back_)
      if (to == head) waiting.push_back(from);
    while (!waiting.empty()) {
      LocationId at = waiting.back();
      waiting.pop_back();
      if (inside[index(at)]) continue;
      inside[index(at)] = true;
      for (EdgeId edge : cfa_.in(at)) waiting.push_back(cfa_[edge].from);
    }
    for (const CfaEdge& edge : cfa_.edges())
      if (inside[index(edge.from)] && inside[index(edge.to)])
        for (Term term : variables_of(cfa_.terms(), edge.command))
          if (auto found = numbers.find(term); found != numbers.end()) used[found->second] = true;
    used_.push_back(std::move(used));
  }
}

// Places in the text ----------------------------------------------------------------------------

bool CPlaces::starts_statement(std::size_t token) const {
  if (token == 0) return false;
  std::string_view before = text_[token - 1];
  if (text_[token] == "}" || text_[token] == "{" || text_[token] == "else") return false;
  if (before == ")") {  // if (...) x = 1;
    std::size_t open = text_.tokens()[token - 1].match;
    std::string_view keyword = open > 0 ? text_[open - 1] : std::string_view();
    return keyword == "if" || keyword == "while" || keyword == "for" || keyword == "switch";
  }
  bool follows = before == ";" || before == "{" || before == "}" || before == ":" ||
                 before == "else" || before == "do";
  std::optional<std::size_t> around = text_.enclosing(token);
  return follows && around && text_[*around] == "{";
}

/// The `while` of do ... while (...);
bool CPlaces::ends_do_loop(std::size_t token) const {
  if (text_[token] != "while" || token < 2) return false;
  std::size_t start = token - 1;
  if (text_[start] == "}") {
    start = text_.tokens()[start].match;
    return start > 0 && text_[start - 1] == "do";
  }
  if (text_[start] != ";") return false;
  while (start > 0 && text_[start - 1] != ";" && text_[start - 1] != "{" && text_[start - 1] != "}")
    --start;
  return text_[start] == "do";
}

/// The one loop whose keyword is on the line, or whose head the line is in.
std::optional<CPlace> CPlaces::loop_on(CSpan line) const {
  std::vector<std::size_t> keywords;
  auto consider = [&](std::size_t token) {
    bool loop = text_[token] == "for" || (text_[token] == "while" && !ends_do_loop(token));
    if (loop && std::find(keywords.begin(), keywords.end(), token) == keywords.end())
      keywords.push_back(token);
  };
  for (std::optional<std::size_t> open = text_.enclosing(line.first); open;
       open = text_.enclosing(*open))
    if (text_[*open] == "(" && *open > 0) consider(*open - 1);
  for (std::size_t i = line.first; i <= line.last; ++i) consider(i);
  if (keywords.size() != 1) return {};
  return CPlace{CPlace::Kind::Loop, keywords[0]};
}

std::optional<CPlace> CPlaces::place(LocationId id) const {
  std::optional<CSpan> line = text_.line(cfa_[id].line);
  if (cfa_[id].line == 0 || !line) return {};
  bool is_head = std::binary_search(heads_.begin(), heads_.end(), id);
  if (is_head)
    if (std::optional<CPlace> loop = loop_on(*line)) return loop;
  for (std::size_t i = line->first; i <= line->last; ++i)
    if (starts_statement(i) && text_[i + 1] != ":") return CPlace{CPlace::Kind::Statement, i};
  return {};
}

CPosition CPlaces::position(std::size_t token) const {
  const CFunction* function = text_.function_of(token);
  return {text_.tokens()[token].row, text_.tokens()[token].column,
          function == nullptr ? std::string() : function->name};
}

std::optional<CPlace> CPlaces::at(CPlace::Kind kind, std::uint32_t row,
                                  std::uint32_t column) const {
  for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
    const CToken& token = text_.tokens()[i];
    if (token.row != row || (column != 0 && token.column != column)) continue;
    bool loop = token.text == "for" || token.text == "while";
    if (kind == CPlace::Kind::Loop ? loop : starts_statement(i)) return CPlace{kind, i};
  }
  return {};
}

// Names -----------------------------------------------------------------------------------------

/// The innermost declaration; of a function's copies the one that the location's loop uses.
const CVariable* CPlaces::variable(std::string_view name, LocationId id,
                                   const CPlace& place) const {
  auto head = std::lower_bound(heads_.begin(), heads_.end(), id);
  bool is_head = head != heads_.end() && *head == id;
  // Before the condition of a loop, what its head declares is known.
  std::size_t here = place.token;
  if (place.kind == CPlace::Kind::Loop && text_[here + 1] == "(")
    here = text_.tokens()[here + 1].match;
  const CVariable* best = nullptr;
  std::size_t best_token = 0;
  bool best_used = false;
  for (std::size_t i = 0; i < source_.variables.size(); ++i) {
    const CVariable& one = source_.variables[i];
    if (one.origin != COrigin::User || one.name != name || !declarations_[i]) continue;
    CSpan scope = text_.scope_of(*declarations_[i]);
    if (here <= scope.first || here > scope.last) continue;
    bool used = is_head && used_[static_cast<std::size_t>(head - heads_.begin())][i];
    bool nearer = best == nullptr || *declarations_[i] > best_token ||
                  (*declarations_[i] == best_token && used && !best_used);
    if (!nearer) continue;
    best = &one;
    best_token = *declarations_[i];
    best_used = used;
  }
  return best;
}

const CVariable* CPlaces::visible(Term term, LocationId id, const CPlace& place) const {
  for (const CVariable& one : source_.variables)
    if (one.term == term && one.origin == COrigin::User)
      return variable(one.name, id, place) == &one ? &one : nullptr;
  return nullptr;
}

// Calls and statements --------------------------------------------------------------------------

std::optional<std::size_t> CPlaces::call_end(const CInput& input) const {
  std::optional<CSpan> line = text_.line(input.at.line);
  if (!line) return {};
  std::vector<std::size_t> calls;
  for (std::size_t i = line->first; i <= line->last; ++i)
    if (text_[i] == input.function && text_[i + 1] == "(" && text_.tokens()[i + 1].match > i)
      calls.push_back(i);
  for (std::size_t call : calls)
    if (calls.size() == 1 || text_.tokens()[call].column == input.at.column)
      return text_.tokens()[call + 1].match;
  return {};
}

std::size_t CPlaces::statement_start(std::size_t token) const {
  std::size_t at = token;
  while (at > 0 && !starts_statement(at)) --at;
  return at > 0 && text_.function_of(at) == text_.function_of(token) ? at : token;
}

std::optional<std::size_t> CPlaces::error_statement(std::uint32_t number) const {
  static constexpr std::string_view kErrors[] = {"reach_error",       "__VERIFIER_error", "ERROR",
                                                 "__VERIFIER_assert", "assert",           "sassert",
                                                 "__assert_fail"};
  std::optional<CSpan> line = text_.line(number);
  if (!line) return {};
  for (std::size_t i = line->first; i <= line->last; ++i)
    if (std::find(std::begin(kErrors), std::end(kErrors), text_[i]) != std::end(kErrors) &&
        text_.function_of(i) != nullptr)
      return statement_start(i);
  return statement_start(line->first);
}

std::optional<std::size_t> CPlaces::behind_declaration(const CVariable& variable) const {
  std::optional<std::size_t> name = text_.declaration(variable.name, variable.line);
  if (!name) return {};
  std::size_t next = text_.statement_end(*name) + 1;
  return next < text_.tokens().size() && starts_statement(next) ? std::optional(next)
                                                                : std::nullopt;
}

}  // namespace lem
