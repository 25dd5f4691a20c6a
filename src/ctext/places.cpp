#include "ctext/places.h"

#include <algorithm>
#include <set>

namespace lem::ctext {

CPlaces::CPlaces(const Cfa& cfa, const CSource& source, const CMarks& marks, const CText& text)
    : cfa_(cfa), source_(source), marks_(marks), text_(text) {
  assert(marks.edges.size() == cfa.edges().size() && "marks of another automaton");
  find_heads();
  find_lines();
  for (std::size_t i = 0; i < source.variables.size(); ++i)
    declarations_.push_back(declaration(source.variables[i], marks.variables[i].column));
}

std::optional<std::size_t> CPlaces::declaration(const CVariable& variable,
                                                std::uint32_t column) const {
  if (variable.origin != COrigin::User) return {};
  std::optional<std::size_t> token = token_at(variable.line, column);
  if (token && column != 0 && text_[*token] == base_name(variable.name)) return token;
  return text_.declaration(variable.name, variable.line);
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
    EdgeId edge = cfa_.out(at)[next++];
    LocationId to = cfa_[edge].to;
    if (colors[index(to)] == Color::Active) back_[to].push_back(edge);
    if (colors[index(to)] != Color::New) continue;
    colors[index(to)] = Color::Active;
    stack.push_back({to, 0});
  }
  for (const auto& [head, edges] : back_) heads_.push_back(head);
}

// Marks -----------------------------------------------------------------------------------------

/// As CText::line, for all lines at once.
void CPlaces::find_lines() {
  for (std::size_t i = 0; i < text_.tokens().size(); ++i) {
    if (!text_.in_main_file(i)) continue;
    auto [line, is_new] = lines_.insert({text_.tokens()[i].line, CSpan{i, i}});
    if (!is_new && line->second.last + 1 >= i) line->second.last = i;
  }
}

/// The last token that begins at the column or before it.
std::optional<std::size_t> CPlaces::token_at(std::uint32_t line, std::uint32_t column) const {
  auto found = lines_.find(line);
  if (line == 0 || found == lines_.end()) return {};
  std::size_t token = found->second.first;
  for (std::size_t i = token; i <= found->second.last; ++i)
    if (text_.tokens()[i].column <= column) token = i;
  return token;
}

std::vector<CPlaces::Reached> CPlaces::stack(const CMark& mark) const {
  std::vector<Reached> out;
  std::uint32_t line = mark.line, column = mark.column, frame = mark.frame;
  for (;;) {
    if (std::optional<std::size_t> token = token_at(line, column)) out.push_back({frame, *token});
    if (frame == 0) return out;
    const CFrame& call = marks_.frames[frame];
    line = call.line;
    column = call.column;
    frame = call.parent;
  }
}

std::vector<CEntry> CPlaces::entries_of(CSpan statement) const {
  // The calls in which control is inside of the statement, by edge and command.
  auto inside = [&](const CMark& mark) {
    std::vector<std::uint32_t> frames;
    for (const Reached& at : stack(mark))
      if (statement.first <= at.token && at.token <= statement.last) frames.push_back(at.frame);
    return frames;
  };
  std::vector<std::vector<std::vector<std::uint32_t>>> in(cfa_.edges().size());
  for (std::size_t e = 0; e < in.size(); ++e) {
    const std::vector<CMark>& marks = marks_.edges[e];
    in[e].resize(marks.size());
    // A command without a place, such as the passing of arguments, gets the place of the command
    // before it.
    for (std::size_t i = 0; i < marks.size(); ++i)
      in[e][i] = marks[i].line == 0 && i > 0 ? in[e][i - 1] : inside(marks[i]);
  }
  std::set<CEntry> out;
  auto enter = [&](const auto& before, const auto& now, EdgeId edge, std::size_t command) {
    for (std::uint32_t frame : now)
      if (std::find(before.begin(), before.end(), frame) == before.end())
        out.insert({edge, command, frame});
  };
  for (std::uint32_t e = 0; e < in.size(); ++e) {
    for (std::size_t i = 1; i < in[e].size(); ++i) enter(in[e][i - 1], in[e][i], EdgeId{e}, i);
    for (EdgeId next : cfa_.out(cfa_.edges()[e].to))
      enter(in[e].back(), in[index(next)].front(), EdgeId{e}, in[e].size());
  }
  // A jump from the inside of a statement to its start. Loops do that without being at their start.
  if (is_loop(statement.first) && !has_goto(statement)) return {out.begin(), out.end()};
  std::set<CEntry> all = out;
  for (const CEntry& entry : out)
    if (entry.command == in[index(entry.edge)].size())
      for (EdgeId edge : cfa_.in(cfa_[entry.edge].to))
        all.insert({edge, in[index(edge)].size(), entry.frame});
  return {all.begin(), all.end()};
}

bool CPlaces::has_goto(CSpan statement) const {
  for (std::size_t i = statement.first; i <= statement.last; ++i)
    if (text_[i] == "goto") return true;
  return false;
}

/// Whether the token is the keyword of a loop.
bool CPlaces::is_loop(std::size_t token) const {
  bool head = text_[token] == "for" || text_[token] == "while";
  return text_[token] == "do" || (head && !ends_do_loop(token));
}

/// A declaration without a value, or ;
bool CPlaces::does_nothing(CSpan statement) const {
  for (std::size_t i = statement.first; i <= statement.last; ++i) {
    std::string_view word = text_[i];
    for (std::string_view one : {"(", "=", "{", "+", "-", "goto", "return", "break", "continue"})
      if (word == one) return false;
  }
  return true;
}

std::vector<CEntry> CPlaces::entries(std::size_t token) const {
  for (std::size_t first = token; starts_statement(first);) {
    CSpan statement{first, text_.statement_end(first)};
    std::vector<CEntry> found = entries_of(statement);
    if (!found.empty() || !does_nothing(statement)) return found;
    first = statement.last + 1;
  }
  return {};
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

/// Whether the loop of a keyword has no condition, so that control begins with its body.
bool CPlaces::is_endless(std::size_t keyword) const {
  std::size_t open = keyword + 1, close = text_.tokens()[open].match;
  if (text_[keyword] == "while") return close == open + 2 && text_[open + 1] == "1";
  std::size_t first = open + 1;
  while (first < close && text_[first] != ";") ++first;
  return text_[first + 1] == ";";
}

/// The for or while loop in whose head the token is, or which has no condition and begins with the
/// token's statement.
std::optional<CPlace> CPlaces::loop_around(std::size_t token) const {
  auto has_head = [&](std::size_t at) {
    return is_loop(at) && text_[at] != "do" && text_[at + 1] == "(" &&
           text_.tokens()[at + 1].match > at;
  };
  if (has_head(token)) return CPlace{CPlace::Kind::Loop, token};
  for (std::optional<std::size_t> open = text_.enclosing(token); open;
       open = text_.enclosing(*open))
    if (text_[*open] == "(" && *open > 0 && has_head(*open - 1))
      return CPlace{CPlace::Kind::Loop, *open - 1};
  std::size_t first = statement_start(token);
  if (first > 0 && text_[first - 1] == "{") --first;
  if (first == 0 || text_[first - 1] != ")") return {};
  std::size_t open = text_.tokens()[first - 1].match;
  if (open > 0 && has_head(open - 1) && is_endless(open - 1))
    return CPlace{CPlace::Kind::Loop, open - 1};
  return {};
}

/// The innermost call that lasts while the loop goes on: its body may begin with another.
std::optional<CPlaces::Reached> CPlaces::reached(LocationId head) const {
  auto lasts = [&](std::uint32_t frame, EdgeId edge) {
    std::uint32_t at = marks_.edges[index(edge)].back().frame;
    while (at != frame && at != 0) at = marks_.frames[at].parent;
    return at == frame;
  };
  for (const Reached& one : stack(marks_.locations[index(head)]))
    if (std::ranges::all_of(back_.at(head), [&](EdgeId edge) { return lasts(one.frame, edge); }))
      return one;
  return {};
}

std::optional<CPlace> CPlaces::place(LocationId head) const {
  std::optional<Reached> at = reached(head);
  if (!at) return {};
  if (std::optional<CPlace> loop = loop_around(at->token)) return loop;
  std::size_t start = statement_start(at->token);
  if (text_[start + 1] == ":") start += 2;  // a label is no statement
  if (!starts_statement(start)) return {};
  return CPlace{CPlace::Kind::Statement, start};
}

std::uint32_t CPlaces::frame(LocationId head) const {
  std::optional<Reached> at = reached(head);
  return at ? at->frame : 0;
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

/// The innermost declaration.
const CVariable* CPlaces::variable(std::string_view name, std::uint32_t frame,
                                   const CPlace& place) const {
  // Before the condition of a loop, what its head declares is known.
  std::size_t here = place.token;
  if (place.kind == CPlace::Kind::Loop && text_[here + 1] == "(")
    here = text_.tokens()[here + 1].match;
  const CVariable* best = nullptr;
  std::size_t best_token = 0;
  for (std::size_t i = 0; i < source_.variables.size(); ++i) {
    const CVariable& one = source_.variables[i];
    if (one.origin != COrigin::User || one.name != name || !declarations_[i]) continue;
    if (marks_.variables[i].frame.value_or(frame) != frame) continue;  // of another call
    CSpan scope = text_.scope_of(*declarations_[i]);
    if (here <= scope.first || here > scope.last) continue;
    if (best != nullptr && *declarations_[i] <= best_token) continue;
    best = &one;
    best_token = *declarations_[i];
  }
  return best;
}

const CVariable* CPlaces::visible(Term term, std::uint32_t frame, const CPlace& place) const {
  for (const CVariable& one : source_.variables)
    if (one.term == term && one.origin == COrigin::User)
      return variable(one.name, frame, place) == &one ? &one : nullptr;
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

std::optional<std::size_t> CPlaces::error_statement(EdgeId edge) const {
  std::vector<Reached> reached = stack(marks_.edges[index(edge)].back());
  if (reached.empty()) return {};
  return statement_start(reached.front().token);
}

std::optional<std::size_t> CPlaces::behind_declaration(const CVariable& variable) const {
  std::size_t i = 0;
  while (i < source_.variables.size() && source_.variables[i].term != variable.term) ++i;
  if (i == source_.variables.size() || !declarations_[i]) return {};
  std::optional<std::size_t> name = declarations_[i];
  std::size_t next = text_.statement_end(*name) + 1;
  return next < text_.tokens().size() && starts_statement(next) ? std::optional(next)
                                                                : std::nullopt;
}

}  // namespace lem::ctext
