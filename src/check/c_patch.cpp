#include "check/c_patch.h"

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

/// Behind the declaration; nothing where no statement can be.
std::optional<std::size_t> place_for(const CText& text, const CVariable& variable) {
  std::optional<std::size_t> name = text.declaration(variable.name, variable.line);
  if (!name || text.function_of(*name) == nullptr) return {};
  std::optional<std::size_t> around = text.enclosing(*name);
  if (!around || text[*around] != "{") return {};
  std::size_t end = text.statement_end(*name);
  return end < text.tokens().size() && text[end] == ";" ? std::optional(end) : std::nullopt;
}

std::string bits_of(const TermStore& terms, Term value) {
  if (terms.kind(value) == SortKind::Bool) return terms.is_true(value) ? "1" : "0";
  mpz_class number = terms.kind(value) == SortKind::BitVec ? terms.signed_value(value)
                                                           : terms.integer_value(value);
  if (number < 0) number += mpz_class(1) << 64;
  return number.get_str();
}

std::string apply(const CText& text, std::vector<Insertion> insertions) {
  std::stable_sort(insertions.begin(), insertions.end(),
                   [](const Insertion& a, const Insertion& b) { return a.behind < b.behind; });
  std::string out;
  std::size_t done = 0;
  for (const Insertion& one : insertions) {
    const CToken& token = text.tokens()[one.behind];
    std::size_t end = token.offset + token.text.size();
    out += text.text().substr(done, end - done) + one.text;
    done = end;
  }
  return out + text.text().substr(done);
}

/// The colon of `ERROR: goto ERROR;` on that line.
std::optional<std::size_t> error_label(const CText& text, std::uint32_t number) {
  std::optional<CSpan> line = text.line(number);
  if (!line) return {};
  for (std::size_t i = line->first; i <= line->last; ++i)
    if (text[i] == "goto" && text[i + 1] == "ERROR" && text[i + 2] == ";" && i >= 2 &&
        text[i - 1] == ":" && text[i - 2] == "ERROR")
      return i - 1;
  return {};
}

constexpr std::string_view kOpenFunction = R"(
struct lemmata_open_value {{ int variable; unsigned long long value; }};
static const struct lemmata_open_value lemmata_open_values[] = {{
{0}    {{-1, 0}},
}};
long long lemmata_open(int variable) {{
  static unsigned taken[{1}];
  unsigned skip = taken[variable]++;
  for (const struct lemmata_open_value *one = lemmata_open_values; one->variable >= 0; ++one)
    if (one->variable == variable && skip-- == 0) return (long long)one->value;
  return 0;
}}
)";

}  // namespace

Patch patch_program(const CText& text, const TermStore& terms, const std::vector<OpenValue>& open,
                    std::uint32_t error_line) {
  Patch patch;
  std::vector<Insertion> insertions;
  std::map<const CVariable*, std::size_t> numbers;
  std::string values;
  for (const OpenValue& one : open) {
    if (terms.kind(one.value) == SortKind::Array || terms.kind(one.value) == SortKind::Real)
      continue;
    std::optional<std::size_t> place = place_for(text, *one.variable);
    if (!place) continue;
    auto [number, is_new] = numbers.insert({one.variable, numbers.size()});
    values += fmt::format("    {{{}, {}ULL}},\n", number->second, bits_of(terms, one.value));
    if (!is_new) continue;
    insertions.push_back(
        {*place, fmt::format(" {{ extern long long lemmata_open(int); {} = lemmata_open({}); }}",
                             one.variable->name, number->second)});
    patch.places.push_back(fmt::format("value of the uninitialised '{}' of line {}",
                                       one.variable->name, one.variable->line));
  }
  if (!numbers.empty()) patch.functions += fmt::format(kOpenFunction, values, numbers.size());
  if (std::optional<std::size_t> label = error_label(text, error_line)) {
    insertions.push_back(
        {*label, " { extern void lemmata_error_label(void); lemmata_error_label(); }"});
    patch.functions += "void lemmata_error_label(void) { lemmata_error(); }\n";
    patch.places.push_back(fmt::format("call at the label 'ERROR' of line {}", error_line));
  }
  patch.program = apply(text, std::move(insertions));
  return patch;
}

}  // namespace lem::check
