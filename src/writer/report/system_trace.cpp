// Runs of circuits and transition systems: for every variable its value at every step. Values that
// are words come as hexadecimal digits, so that the page can show them in any base.
#include <fmt/format.h>

#include <algorithm>

#include "model/format.h"
#include "model/observed.h"
#include "model/step_names.h"
#include "term/smtlib/printer.h"
#include "writer/infix.h"
#include "writer/report/parts.h"
#include "writer/waves.h"

namespace lem::writer::report {

namespace {

// Beyond that the last steps, then the first variables are kept, with a note.
constexpr std::size_t kMostCells = 400'000;
constexpr std::size_t kMostSteps = 2000;

const char* role_name(Wave::Role role) {
  switch (role) {
    case Wave::Role::Input:
      return "input";
    case Wave::Role::State:
      return "state";
    case Wave::Role::Derived:
      return "derived";
    case Wave::Role::Property:
      return "property";
  }
  return "";
}

std::string hex(const std::string& bits) {
  return mpz_class(bits, 2).get_str(16);
}

/// Values of one variable, the latest steps alone if there are too many.
template <class ValueAt>
Json values(std::size_t steps, ValueAt value_at) {
  Json out = Json::array();
  for (std::size_t k = steps > kMostSteps ? steps - kMostSteps : 0; k < steps; ++k)
    out.push_back(value_at(k));
  return out;
}

Json wave_json(const Wave& wave) {
  std::string scope;
  for (const std::string& part : wave.scopes) scope += (scope.empty() ? "" : ".") + part;
  Json out{{"name", wave.name}, {"scope", scope}, {"role", role_name(wave.role)}};
  if (!wave.range.empty()) out["range"] = wave.range;
  out["bits"] = wave.width;
  if (wave.is_clock) out["clock"] = true;
  Json names = Json::object();
  for (const auto& [bits, name] : wave.names) names[hex(bits)] = name;
  if (!names.empty()) out["names"] = std::move(names);
  out["values"] = values(wave.values.size(), [&](std::size_t k) { return hex(wave.values[k]); });
  return out;
}

class SystemRows {
 public:
  SystemRows(const Subject& subject, const TermTrace& trace)
      : subject_(subject), system_(subject.problem.system()), trace_(trace) {}

  Json run() {
    smtlib::Naming naming = step_names(system_);
    Json out = Json::array();
    for (std::size_t i = 0; i < system_.inputs().size(); ++i)
      add(out, naming.plain(system_.inputs()[i]), "input",
          [&](std::size_t k) { return trace_.steps[k].inputs[i]; });
    std::vector<std::vector<Term>> observed;
    for (const TermTrace::Step& step : trace_.steps)
      observed.push_back(observed_at(subject_.problem, step));
    for (std::size_t i = 0; i < subject_.problem.source.observed.size(); ++i)
      add(out, subject_.problem.source.observed[i].first, "derived",
          [&](std::size_t k) { return observed[k][i]; });
    // Last: of Lustre these are memories of `pre`, which the user has not named.
    for (std::size_t i = 0; i < system_.states().size(); ++i)
      add(out, naming.plain(system_.states()[i].current), "state",
          [&](std::size_t k) { return trace_.steps[k].states[i]; });
    return out;
  }

 private:
  template <class ValueAt>
  void add(Json& out, const std::string& name, const char* role, ValueAt at) {
    const TermStore& terms = system_.terms();
    Json row{{"name", name}, {"scope", ""}, {"role", role}};
    Term first = at(0);
    if (terms.kind(first) == SortKind::BitVec) row["bits"] = terms.width(first);
    const std::vector<std::string>* names = enumerators(name);
    row["values"] = values(trace_.steps.size(), [&](std::size_t k) { return text(at(k), names); });
    out.push_back(std::move(row));
  }

  const std::vector<std::string>* enumerators(const std::string& name) const {
    if (subject_.extras.enumerators == nullptr) return nullptr;
    auto found = subject_.extras.enumerators->find(name);
    return found == subject_.extras.enumerators->end() ? nullptr : &found->second;
  }

  std::string text(Term value, const std::vector<std::string>* names) const {
    const TermStore& terms = system_.terms();
    switch (terms.kind(value)) {
      case SortKind::BitVec:
        return terms.integer_value(value).get_str(16);
      case SortKind::Real:
        return real_text(terms.number_value(value));
      case SortKind::Int: {
        mpz_class number = terms.integer_value(value);
        bool named = names != nullptr && number >= 0 && number < names->size();
        return named ? (*names)[number.get_ui()] : number.get_str();
      }
      case SortKind::Array:
        return array_text(value, names);
      default:
        return infix_text(terms, value);
    }
  }

  /// The entries that differ from the rest, and the rest.
  std::string array_text(Term value, const std::vector<std::string>* names) const {
    const TermStore& terms = system_.terms();
    std::string out;
    for (; terms.op(value) == Op::Store; value = terms.arg(value, 0))
      out = '[' + plain(terms.arg(value, 1)) + "] = " + plain(terms.arg(value, 2)) + ", " + out;
    if (terms.op(value) != Op::ConstArray) return out + infix_text(terms, value);
    return out + (out.empty() ? "all " : "rest ") + text(terms.arg(value, 0), names);
  }
  std::string plain(Term value) const {
    const TermStore& terms = system_.terms();
    bool word = terms.kind(value) == SortKind::BitVec;
    return word ? terms.integer_value(value).get_str() : text(value, nullptr);
  }

  const Subject& subject_;
  const TransitionSystem& system_;
  const TermTrace& trace_;
};

Json rows_of(const Subject& subject, const TermTrace& run) {
  const Problem& problem = subject.problem;
  bool waves = subject.extras.verilog != nullptr || facts_of(problem.source.format).waves;
  if (!waves) return SystemRows(subject, run).run();
  Json rows = Json::array();
  for (const Wave& wave : waves_of(problem, run, subject.extras.verilog))
    rows.push_back(wave_json(wave));
  for (Json& row : SystemRows(subject, run).run()) {
    bool array =
        !row.contains("bits") && row["values"][0].get<std::string>().find(' ') != std::string::npos;
    if (array) rows.push_back(std::move(row));
  }
  return rows;
}

/// Of long runs and many variables, a part.
Json table(const char* kind, Json rows, std::size_t steps) {
  Json out;
  out["kind"] = kind;
  std::size_t shown = std::min(steps, kMostSteps);
  std::size_t fits = std::max<std::size_t>(1, kMostCells / std::max<std::size_t>(1, shown));
  std::string cut;
  if (shown < steps) cut = fmt::format("the last {} of {} steps", shown, steps);
  if (rows.size() > fits) {
    cut +=
        fmt::format("{}the first {} of {} variables", cut.empty() ? "" : ", ", fits, rows.size());
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(fits), rows.end());
  }
  if (!cut.empty()) out["cut"] = cut;
  out["first"] = steps - shown;
  out["length"] = shown;
  out["variables"] = std::move(rows);
  return out;
}

}  // namespace

std::string real_text(const mpq_class& value) {
  if (value.get_den() == 1) return value.get_num().get_str() + ".0";
  mpz_class rest = value.get_den();
  int digits = 0;
  int twos = 0;
  int fives = 0;
  for (; rest % 2 == 0; rest /= 2) ++twos;
  for (; rest % 5 == 0; rest /= 5) ++fives;
  digits = std::max(twos, fives);
  if (rest != 1 || digits > 12) return value.get_str();
  mpz_class scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  mpz_class scaled = abs(value.get_num()) * scale / value.get_den();
  std::string text = scaled.get_str();
  if (text.size() <= static_cast<std::size_t>(digits))
    text.insert(0, static_cast<std::size_t>(digits) + 1 - text.size(), '0');
  text.insert(text.size() - static_cast<std::size_t>(digits), ".");
  return (value < 0 ? "-" : "") + text;
}

Json trace(const Subject& subject, const PropertyResult& /*result*/, const Trace& run) {
  Json rows = Json::array();
  for (const Wave& wave : waves_of(subject.problem, run)) rows.push_back(wave_json(wave));
  return table("circuit", std::move(rows), run.length());
}

Json trace(const Subject& subject, const PropertyResult& /*result*/, const TermTrace& run) {
  const char* kind = facts_of(subject.problem.source.format).waves ? "circuit" : "system";
  return table(kind, rows_of(subject, run), run.length());
}

}  // namespace lem::writer::report
