#include "check/c/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace lem::check {

namespace {

struct Insertion {
  std::size_t behind;  // token
  std::string text;
};

/// Whether the declaration gives the variable its value, which is then not open.
bool is_initialised(const ctext::CText& text, std::size_t name) {
  std::size_t next = name + 1;
  while (next < text.tokens().size() && text[next] == "[")
    while (next < text.tokens().size() && text[next++] != "]") {
    }
  return next < text.tokens().size() && text[next] == "=";
}

/// Behind the declaration; nothing where no statement can be.
std::optional<std::size_t> place_for(const ctext::CText& text, const CVariable& variable) {
  std::optional<std::size_t> name = text.declaration(variable.name, variable.line);
  if (!name || text.function_of(*name) == nullptr || is_initialised(text, *name)) return {};
  std::optional<std::size_t> around = text.enclosing(*name);
  if (!around || text[*around] != "{") return {};
  std::size_t end = text.statement_end(*name);
  return end < text.tokens().size() && text[end] == ";" ? std::optional(end) : std::nullopt;
}

std::string bits_of(const TermStore& terms, Term value) {
  if (terms.kind(value) == SortKind::Bool) return terms.is_true(value) ? "1" : "0";
  if (terms.kind(value) == SortKind::Float) return terms.float_value(value).bits().get_str();
  mpz_class number = terms.kind(value) == SortKind::BitVec ? terms.signed_value(value)
                                                           : terms.integer_value(value);
  if (number < 0) number += mpz_class(1) << 64;
  return number.get_str();
}

/// `name`, or its bits.
std::string target_of(const TermStore& terms, Sort sort, const std::string& name,
                      std::uint32_t bits) {
  if (terms.kind(sort) != SortKind::Float) return name;
  return fmt::format("*({} *)&({})", bits == 32 ? "unsigned" : "unsigned long long", name);
}

/// Whether it is a scalar, or an array of them that a name like a[] stands for.
bool can_be_set(const TermStore& terms, const CVariable& variable, Sort sort) {
  switch (terms.kind(sort)) {
    case SortKind::Bool:
    case SortKind::BitVec:
    case SortKind::Int:
      return true;
    case SortKind::Float:
      return variable.bits == 32 || variable.bits == 64;
    case SortKind::Real:
      return false;
    case SortKind::Array: {
      bool one = variable.name.find("[]") != std::string::npos &&
                 variable.name.find("[]") == variable.name.rfind("[]");
      Sort element = terms.element_sort(sort);
      return one && terms.kind(element) != SortKind::Array && can_be_set(terms, variable, element);
    }
  }
  return false;
}

std::string apply(const ctext::CText& text, std::vector<Insertion> insertions) {
  std::stable_sort(insertions.begin(), insertions.end(),
                   [](const Insertion& a, const Insertion& b) { return a.behind < b.behind; });
  std::string out;
  std::size_t done = 0;
  for (const Insertion& one : insertions) {
    const ctext::CToken& token = text.tokens()[one.behind];
    std::size_t end = token.offset + token.text.size();
    out += text.text().substr(done, end - done) + one.text;
    done = end;
  }
  return out + text.text().substr(done);
}

/// The colon of `ERROR: goto ERROR;` on that line.
std::optional<std::size_t> error_label(const ctext::CText& text, std::uint32_t number) {
  std::optional<ctext::CSpan> line = text.line(number);
  if (!line) return {};
  for (std::size_t i = line->first; i <= line->last; ++i)
    if (text[i] == "goto" && text[i + 1] == "ERROR" && text[i + 2] == ";" && i >= 2 &&
        text[i - 1] == ":" && text[i - 2] == "ERROR")
      return i - 1;
  return {};
}

constexpr std::string_view kOpenFunctions = R"(
// Values of uninitialised variables: which, at which time, index (-1: all others), value.
struct lemmata_open_value {{ int variable, time; long long index; unsigned long long value; }};
static const struct lemmata_open_value lemmata_open_values[] = {{
{0}    {{-1, 0, 0, 0}},
}};
int lemmata_time(int variable) {{
  static int times[{1}];
  return times[variable]++;
}}
long long lemmata_open_at(int variable, int time, long long index) {{
  unsigned long long value = 0;
  for (const struct lemmata_open_value *one = lemmata_open_values; one->variable >= 0; ++one)
    if (one->variable == variable && one->time == time && (one->index == -1 || one->index == index))
      value = one->value;
  return (long long)value;
}}
long long lemmata_open(int variable) {{
  return lemmata_open_at(variable, lemmata_time(variable), -1);
}}
)";

/// For one run of one program.
class Patcher {
 public:
  Patcher(const ctext::CText& text, const TermStore& terms) : text_(text), terms_(terms) {}
  void set(const OpenValue& open);
  void mark_error(std::uint32_t line);
  Patch result() &&;

 private:
  /// A declaration, which several variables of the automaton may have: one for each copy.
  struct Declaration {
    std::size_t number = 0;
    int times = 0;
  };
  void rows(const Declaration& of, Term value);
  std::string assignment(const CVariable& variable, std::size_t number) const;

  const ctext::CText& text_;
  const TermStore& terms_;
  Patch patch_;
  std::vector<Insertion> insertions_;
  std::map<std::pair<std::string, std::uint32_t>, Declaration> declarations_;
  std::string values_;
};

/// The value everywhere first, then the elements that differ, the outermost store last.
void Patcher::rows(const Declaration& of, Term value) {
  std::vector<std::pair<std::string, Term>> parts;
  while (terms_.op(value) == Op::Store) {
    Term index = terms_.arg(value, 1);
    mpz_class number = terms_.kind(index) == SortKind::BitVec ? terms_.signed_value(index)
                                                              : terms_.integer_value(index);
    parts.push_back({number.get_str(), terms_.arg(value, 2)});
    value = terms_.arg(value, 0);
  }
  if (terms_.op(value) == Op::ConstArray) value = terms_.arg(value, 0);
  parts.push_back({"-1", value});
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    values_ += fmt::format("    {{{}, {}, {}, {}ULL}},\n", of.number, of.times, part->first,
                           bits_of(terms_, part->second));
}

std::string Patcher::assignment(const CVariable& variable, std::size_t number) const {
  Sort sort = terms_.sort(variable.term);
  if (terms_.kind(sort) != SortKind::Array)
    return fmt::format(" {{ extern long long lemmata_open(int); {} = lemmata_open({}); }}",
                       target_of(terms_, sort, variable.name, variable.bits), number);
  std::size_t index = variable.name.find("[]");
  std::string array = variable.name.substr(0, index);
  std::string element =
      target_of(terms_, terms_.element_sort(sort),
                array + "[lemmata_i]" + variable.name.substr(index + 2), variable.bits);
  return fmt::format(
      " {{ extern int lemmata_time(int); extern long long lemmata_open_at(int, int, long long);"
      " int lemmata_t = lemmata_time({2}), lemmata_i = 0;"
      " for (; lemmata_i < (int)(sizeof {0} / sizeof {0}[0]); ++lemmata_i)"
      " {1} = lemmata_open_at({2}, lemmata_t, lemmata_i); }}",
      array, element, number);
}

void Patcher::set(const OpenValue& open) {
  const CVariable& variable = *open.variable;
  if (!can_be_set(terms_, variable, terms_.sort(variable.term))) return;
  std::optional<std::size_t> place = place_for(text_, variable);
  if (!place) return;
  Declaration fresh{declarations_.size()};
  auto [found, is_new] = declarations_.insert({{variable.name, variable.line}, fresh});
  rows(found->second, open.value);
  ++found->second.times;
  if (!is_new) return;
  insertions_.push_back({*place, assignment(variable, found->second.number)});
  patch_.places.push_back(
      fmt::format("value of the uninitialised '{}' of line {}", variable.name, variable.line));
}

void Patcher::mark_error(std::uint32_t line) {
  std::optional<std::size_t> label = error_label(text_, line);
  if (!label) return;
  insertions_.push_back(
      {*label, " { extern void lemmata_error_label(void); lemmata_error_label(); }"});
  patch_.functions += "void lemmata_error_label(void) { lemmata_error(); }\n";
  patch_.places.push_back(fmt::format("call at the label 'ERROR' of line {}", line));
}

Patch Patcher::result() && {
  if (!declarations_.empty())
    patch_.functions += fmt::format(kOpenFunctions, values_, declarations_.size());
  if (!insertions_.empty())
    patch_.instructions = "// The run needs a copy of the program with these insertions:\n";
  for (const Insertion& one : insertions_) {
    const ctext::CToken& token = text_.tokens()[one.behind];
    patch_.instructions +=
        fmt::format("//   {}:{}, behind '{}':{}\n", token.row, token.column, token.text, one.text);
  }
  patch_.program = apply(text_, std::move(insertions_));
  return std::move(patch_);
}

}  // namespace

Patch patch_program(const ctext::CText& text, const TermStore& terms,
                    const std::vector<OpenValue>& open, std::uint32_t error_line) {
  Patcher patcher(text, terms);
  for (const OpenValue& one : open) patcher.set(one);
  patcher.mark_error(error_line);
  return std::move(patcher).result();
}

}  // namespace lem::check
