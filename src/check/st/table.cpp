#include "check/st/table.h"
#include "base/try.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace lem::check::plc {

namespace {

using Cells = std::vector<std::string>;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Cells of a line of the text form: two spaces or more are between them.
Cells split_spaces(std::string_view line) {
  Cells out;
  for (std::size_t from = line.find_first_not_of(' '); from != line.npos;) {
    std::size_t end = std::min(line.find("  ", from), line.size());
    out.emplace_back(line.substr(from, end - from));
    from = line.find_first_not_of(' ', end);
  }
  return out;
}

Cells split_commas(std::string_view line) {
  Cells out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      out.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += line[i];
  }
  return out;
}

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t out = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc{} || end != text.data() + text.size()) return {};
  return out;
}

class Reader {
 public:
  Reader(const std::string& path, const StSource& source) : path_(path), source_(source) {}
  Result<Table> text(std::string_view bytes);
  Result<Table> csv(std::string_view bytes);
  Result<Table> json(std::string_view bytes);

 private:
  Error wrong(std::string what) const { return {{path_, line_, 1}, std::move(what)}; }
  Status heading(const Cells& cells, std::size_t last);
  Status add(const std::string& direction, const std::string& name, Cells values);

  const std::string& path_;
  const StSource& source_;
  std::uint32_t line_ = 1;
  Table table_;
};

/// direction, type, variable, `1 begin`, `1 end`, `2 begin`, ...; `last`: cells that are left out.
Status Reader::heading(const Cells& cells, std::size_t last) {
  if (cells.size() < 5 + last || cells[0] != "direction" || cells[1] != "type" ||
      cells[2] != "variable" || (cells.size() - 3 - last) % 2 != 0)
    return wrong("expected 'direction', 'type', 'variable' and two columns for each cycle");
  table_.cycles = (cells.size() - 3 - last) / 2;
  for (std::size_t i = 0; i < table_.cycles; ++i)
    if (cells[3 + 2 * i] != std::to_string(i + 1) + " begin")
      return wrong("expected '" + std::to_string(i + 1) + " begin', found '" + cells[3 + 2 * i] +
                   "'");
  return Ok{};
}

Status Reader::add(const std::string& direction, const std::string& name, Cells values) {
  if (values.size() != 2 * table_.cycles)
    return wrong("expected " + std::to_string(2 * table_.cycles) + " values of '" + name + "'");
  if (direction != "OPEN") {
    if (!table_.rows.insert({name, std::move(values)}).second)
      return wrong("'" + name + "' is there twice");
    return Ok{};
  }
  std::size_t colon = name.find(':');
  std::optional<std::uint32_t> line = number(name.substr(0, colon));
  std::optional<std::uint32_t> column =
      colon == name.npos ? std::nullopt : number(name.substr(colon + 1));
  if (!line || !column) return wrong("expected LINE:COLUMN, found '" + name + "'");
  auto& lists = table_.open[{*line, *column}];
  for (std::size_t i = 1; i < values.size(); i += 2) {
    Cells& list = lists.emplace_back();
    for (std::size_t from = 0; from < values[i].size() && values[i] != "-";) {
      std::size_t end = std::min(values[i].find(' ', from), values[i].size());
      list.push_back(values[i].substr(from, end - from));
      from = end + 1;
    }
  }
  return Ok{};
}

Result<Table> Reader::text(std::string_view bytes) {
  std::vector<std::string_view> lines = lines_of(bytes);
  if (lines.size() < 4) return wrong("expected the table of a run");
  for (const StProperty& one : source_.properties)
    if (lines[0] == one.name + ": " + one.text) table_.property = one.name;
  if (!table_.property) return wrong("the program has no such property");
  line_ = 4;
  LEM_TRY(heading(split_spaces(lines[3]), 0));
  for (std::size_t i = 4; i < lines.size(); ++i) {
    line_ = static_cast<std::uint32_t>(i + 1);
    Cells cells = split_spaces(lines[i]);
    if (cells.empty()) continue;
    if (cells.size() < 4) return wrong("expected direction, type, variable and values");
    for (std::size_t at = 3; at < cells.size(); ++at) {
      if (cells[at].ends_with('*')) cells[at].pop_back();
      if (cells[at] == "." && at > 3) cells[at] = cells[at - 1];
    }
    Status done = add(cells[0], cells[2], Cells(cells.begin() + 3, cells.end()));
    if (!done) return done.error();
  }
  return std::move(table_);
}

Result<Table> Reader::csv(std::string_view bytes) {
  std::vector<std::string_view> lines = lines_of(bytes);
  if (lines.empty()) return wrong("expected the table of a run");
  LEM_TRY(heading(split_commas(lines[0]), 1));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    line_ = static_cast<std::uint32_t>(i + 1);
    Cells cells = split_commas(lines[i]);
    if (cells.size() < 5) return wrong("expected direction, type, variable and values");
    Status done = add(cells[0], cells[2], Cells(cells.begin() + 3, cells.end() - 1));
    if (!done) return done.error();
  }
  return std::move(table_);
}

Result<Table> Reader::json(std::string_view bytes) {
  nlohmann::json file = nlohmann::json::parse(bytes, nullptr, false);
  auto text = [](const nlohmann::json& from, const char* key) {
    auto found = from.find(key);
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (file.is_discarded()) return wrong("this is no JSON");
  if (!file.is_object() || !file.contains("variables") || !file["variables"].is_array() ||
      file["variables"].empty())
    return wrong("expected an object with 'property' and 'variables'");
  table_.property = text(file, "property");
  if (!file.contains("cycles") || !file["cycles"].is_number_unsigned())
    return wrong("expected a number of 'cycles'");
  table_.cycles = file["cycles"].get<std::size_t>();
  for (const nlohmann::json& row : file["variables"]) {
    if (!row.is_object() || !row.contains("cycles") || !row["cycles"].is_array() ||
        row["cycles"].size() != table_.cycles)
      return wrong("expected variables with 'direction', 'name' and as many 'cycles' as there are");
    Cells values;
    for (const nlohmann::json& cycle : row["cycles"]) {
      if (!cycle.is_object()) return wrong("expected 'begin' and 'end' of each cycle");
      values.push_back(text(cycle, "begin"));
      values.push_back(text(cycle, "end"));
    }
    Status done = add(text(row, "direction"), text(row, "name"), std::move(values));
    if (!done) return done.error();
  }
  return std::move(table_);
}

std::optional<mpz_class> integer(std::string_view text, int base) {
  bool negative = base == 10 && text.starts_with('-');
  std::string_view digits = text.substr(negative ? 1 : 0);
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  std::string_view allowed = kDigits.substr(0, base == 10 ? 10 : kDigits.size());
  if (digits.empty() || digits.size() > 40 || digits.find_first_not_of(allowed) != digits.npos)
    return {};
  mpz_class out(std::string(digits), base);
  return negative ? -out : out;
}

/// T#1d2h3m4s5ms, each part at most once and in this order.
std::optional<mpz_class> milliseconds(std::string_view text) {
  if (!text.starts_with("T#")) return {};
  text.remove_prefix(2);
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  constexpr std::array<std::pair<std::string_view, long>, 5> kUnits = {
      {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
  mpz_class sum = 0;
  std::size_t from = 0;
  if (text.empty()) return {};
  while (!text.empty()) {
    std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    std::optional<mpz_class> count = integer(text.substr(0, digits), 10);
    text.remove_prefix(digits);
    std::size_t letters = std::min(text.find_first_of("0123456789"), text.size());
    std::string_view name = text.substr(0, letters);
    text.remove_prefix(letters);
    while (from < kUnits.size() && kUnits[from].first != name) ++from;
    if (!count || from == kUnits.size()) return {};
    sum += *count * kUnits[from++].second;
  }
  return negative ? -sum : sum;
}

/// The value nearest to a decimal number with or without an exponent.
std::optional<FloatValue> real(std::string_view text, FloatFormat format) {
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text == "nan") return FloatValue::nan(format);
  if (text == "inf") return FloatValue::infinity(format, negative);
  std::size_t e = std::min(text.find_first_of("eE"), text.size());
  std::string mantissa(text.substr(0, e));
  int exponent = 0;
  if (e < text.size()) {
    std::string_view rest = text.substr(e + 1);
    if (rest.starts_with('+')) rest.remove_prefix(1);
    auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
    if (failed != std::errc{} || end != rest.data() + rest.size() || abs(exponent) > 2000)
      return {};
  }
  if (std::size_t point = mantissa.find('.'); point != mantissa.npos) {
    exponent -= static_cast<int>(mantissa.size() - point - 1);
    mantissa.erase(point, 1);
  }
  std::optional<mpz_class> digits = integer(mantissa, 10);
  if (!digits || *digits < 0) return {};
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(abs(exponent)));
  mpq_class exact = exponent < 0 ? mpq_class(*digits, scale) : mpq_class(*digits * scale);
  exact.canonicalize();
  FloatValue size = FloatValue::rounded(format, exact, Rounding::NearestEven);
  return negative ? size.negated() : size;
}

std::optional<Term> within(TermStore& terms, const std::optional<mpz_class>& value,
                           const st::Type& type) {
  if (!value) return {};
  mpz_class size = mpz_class(1) << type.bits;
  bool fits =
      type.is_signed() ? -size <= 2 * *value && 2 * *value < size : 0 <= *value && *value < size;
  return fits ? std::optional(terms.bv(*value, type.bits)) : std::nullopt;
}

bool same_name(const std::string& a, const std::string& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

std::optional<Term> read_literal(TermStore& terms, const std::string& text, const st::Type& type) {
  using Kind = st::Type::Kind;
  switch (type.kind) {
    case Kind::Bool:
      return read_open_literal(terms, text, terms.bool_sort());
    case Kind::Bits:
      if (!text.starts_with("16#")) return {};
      return within(terms, integer(std::string_view(text).substr(3), 16), type);
    case Kind::Time:
      return within(terms, milliseconds(text), type);
    case Kind::Real:
      return read_open_literal(terms, text,
                               terms.float_sort(type.bits == 32 ? kFloat32 : kFloat64));
    case Kind::Enum:
      for (const auto& [name, value] : type.literals)
        if (type.text ? name.text == text : same_name(name.text, text))
          return within(terms, value, type);
      return within(terms, integer(text, 10), type);
    default:
      return within(terms, integer(text, 10), type);
  }
}

std::optional<Term> read_array(TermStore& terms, std::string_view text, Sort sort,
                               const st::Type& element) {
  if (!text.starts_with('[') || !text.ends_with(']')) return {};
  text = text.substr(1, text.size() - 2);
  std::size_t last = text.rfind(';');
  std::string_view otherwise = last == text.npos ? text : text.substr(last + 1);
  if (!otherwise.starts_with("else:")) return {};
  std::optional<Term> rest = read_literal(terms, std::string(otherwise.substr(5)), element);
  if (!rest) return {};
  Term out = terms.make_const_array(sort, *rest);
  text = last == text.npos ? std::string_view() : text.substr(0, last + 1);
  for (std::size_t end = text.find(';'); end != text.npos; end = text.find(';')) {
    std::string_view one = text.substr(0, end);
    std::size_t colon = one.find(':');
    std::optional<mpz_class> index =
        colon == one.npos ? std::nullopt : integer(one.substr(0, colon), 10);
    if (!index || *index < 0 || *index >= mpz_class(1) << 32) return {};
    std::optional<Term> value = read_literal(terms, std::string(one.substr(colon + 1)), element);
    if (!value) return {};
    out = terms.make_store(out, terms.bv(*index, 32), *value);
    text.remove_prefix(end + 1);
  }
  return out;
}

std::optional<Term> read_open_literal(TermStore& terms, const std::string& text, Sort sort) {
  switch (terms.kind(sort)) {
    case SortKind::Bool:
      if (text != "TRUE" && text != "FALSE") return {};
      return terms.boolean(text == "TRUE");
    case SortKind::Float: {
      std::optional<FloatValue> value = real(text, terms.format(sort));
      return value ? std::optional(terms.floating(*value)) : std::nullopt;
    }
    case SortKind::BitVec: {
      std::optional<mpz_class> value = integer(text, 10);
      bool fits = value && *value >= 0 && *value < (mpz_class(1) << terms.width(sort));
      return fits ? std::optional(terms.bv(*value, terms.width(sort))) : std::nullopt;
    }
    default:
      return {};
  }
}

Result<Table> read_table(const std::string& path, std::string_view text, const StSource& source) {
  Reader reader(path, source);
  if (path.ends_with(".csv")) return reader.csv(text);
  return path.ends_with(".json") ? reader.json(text) : reader.text(text);
}

}  // namespace lem::check::plc
