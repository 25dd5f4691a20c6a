// Proofs as formulas for people: of programs at the lines of their loops, else as a list.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ctext/places.h"
#include "model/st/loops.h"
#include "model/step_names.h"
#include "term/traverse.h"
#include "writer/horn.h"
#include "writer/infix.h"
#include "writer/live_text.h"
#include "writer/report/parts.h"
#include "writer/st_invariant.h"

namespace lem::writer::report {

namespace {

constexpr std::size_t kMostFormulas = 500;
constexpr std::size_t kMostReadable = 200;  // conjuncts that are made readable, with a solver

void put_formulas(Json& place, const std::vector<std::string>& texts) {
  Json& out = place["formulas"] = Json::array();
  for (std::size_t i = 0; i < std::min(texts.size(), kMostFormulas); ++i) out.push_back(texts[i]);
  place["count"] = texts.size();
  if (texts.size() > kMostFormulas)
    place["cut"] = fmt::format("the first {} of {}", kMostFormulas, texts.size());
}

/// Where the model has no places for formulas.
Json one_place(const std::vector<std::string>& texts) {
  Json place{{"line", 0}};
  put_formulas(place, texts);
  return Json::array({std::move(place)});
}

std::string kind_text(std::uint32_t k, SimplePath simple) {
  std::string kind = k == 1 ? "inductive invariant" : fmt::format("{}-inductive invariant", k);
  return simple == SimplePath::Yes ? kind + " on paths of pairwise different states" : kind;
}

/// The conjuncts as text, after they were made readable.
std::vector<std::string> conjunct_texts(const Subject& subject, TermStore& terms, Term formula,
                                        const InfixNames& names) {
  std::vector<Term> parts = conjuncts(terms, formula);
  if (subject.extras.readable && parts.size() <= kMostReadable)
    parts = conjuncts(terms, subject.extras.readable(formula));
  std::vector<std::string> out;
  for (Term part : parts)
    if (!terms.is_true(part)) out.push_back(infix_text(terms, part, names));
  return out;
}

Json proof_of(const Subject& subject, const TermInvariant& claim) {
  const TransitionSystem& system = subject.problem.system();
  smtlib::Naming naming = step_names(system);
  InfixNames names = [&](Term variable) { return naming.plain(variable); };
  std::vector<std::string> texts = conjunct_texts(subject, system.terms(), claim.invariant, names);
  Json out{{"kind", kind_text(claim.k, claim.simple_path)}};
  out["places"] = one_place(texts);
  return out;
}

Json proof_of(const Subject& subject, const KInductive& claim) {
  std::vector<std::string> texts;
  for (const SignalClause& clause : claim.clauses) {
    std::string text;
    for (AigLit lit : clause)
      text += (text.empty() ? "" : " || ") + literal_name(subject.problem, lit);
    texts.push_back(text.empty() ? "false" : text);
  }
  Json out{{"kind", kind_text(claim.k, claim.simple_path)}};
  out["places"] = one_place(texts);
  return out;
}

Json proof_of(const Subject& subject, const InductiveInvariant& claim) {
  return proof_of(subject, as_k_inductive(claim));
}

InfixNames c_names(const Problem& problem) {
  std::map<Term, std::string> names;
  if (problem.source.c != nullptr)
    for (const CVariable& variable : problem.source.c->variables) {
      std::string name = variable.name;
      if (name.ends_with("[]")) name.resize(name.size() - 2);
      names[variable.term] = name;
    }
  return [names = std::move(names)](Term variable) {
    auto found = names.find(variable);
    return found == names.end() ? std::string() : found->second;
  };
}

/// Rows of the text at which loops are, by location.
std::map<std::uint32_t, std::uint32_t> loop_rows(const Subject& subject) {
  std::map<std::uint32_t, std::uint32_t> out;
  const CSource* c = subject.problem.source.c.get();
  if (c == nullptr || c->marks == nullptr || subject.text == nullptr) return out;
  ctext::CPlaces places(subject.problem.cfa(), *c, *c->marks, *subject.text);
  for (LocationId head : places.loop_heads())
    if (std::optional<ctext::CPlace> place = places.place(head))
      out[index(head)] = places.position(place->token).row;
  return out;
}

Json c_proof(const Subject& subject, const LocationInvariants& claim) {
  const Cfa& cfa = subject.problem.cfa();
  InfixNames names = c_names(subject.problem);
  std::map<std::uint32_t, std::uint32_t> rows = loop_rows(subject);
  Json out{{"kind", "invariants where control passes"}};
  Json& places = out["places"] = Json::array();
  for (std::uint32_t i = 0; i < claim.at.size(); ++i) {
    bool unwound = i < claim.rounds.size() && claim.rounds[i] != 0;
    bool says = claim.at[i] && !cfa.terms().is_true(claim.at[i]);
    if ((!says && !unwound) || LocationId{i} == cfa.error()) continue;
    bool is_loop = rows.contains(i);
    const Location& location = cfa.locations()[i];
    Json place{{"line", is_loop ? rows[i] : row_of(subject, location.line)},
               {"location", location.name},
               {"loop", is_loop}};
    if (unwound) place["rounds"] = claim.rounds[i];
    if (says) put_formulas(place, conjunct_texts(subject, cfa.terms(), claim.at[i], names));
    places.push_back(std::move(place));
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Json& a, const Json& b) { return a["loop"] > b["loop"]; });
  return out;
}

Json st_proof(const Subject& subject, const LocationInvariants& claim) {
  const StSource& source = *subject.problem.source.st;
  StProgram program{subject.problem.cfa(), subject.problem.source.st};
  const TermStore& terms = program.cfa.terms();
  Json out{{"kind", "what holds between two scan cycles"}};
  Json& places = out["places"] = Json::array();
  auto add = [&](LocationId at, bool loop) {
    Term holds = claim.at[index(at)];
    bool unwound = index(at) < claim.rounds.size() && claim.rounds[index(at)] != 0;
    std::vector<std::string> texts;
    if (holds && !terms.is_true(holds))
      for (Term part : conjuncts(terms, holds))
        if (std::string text = st_expression(program, part).value_or(infix_text(terms, part));
            text != "TRUE")
          texts.push_back(std::move(text));
    if (texts.empty() && !unwound && loop) return;
    Json place{{"line", loop ? program.cfa[at].line : 0},
               {"location", loop ? "loop" : "between two scan cycles"},
               {"loop", loop}};
    put_formulas(place, texts);
    if (unwound) place["rounds"] = claim.rounds[index(at)];
    places.push_back(std::move(place));
  };
  add(source.head, false);
  for (LocationId loop : st_loops(program.cfa, source.head)) add(loop, true);
  return out;
}

Json proof_of(const Subject& subject, const LocationInvariants& claim) {
  return subject.problem.source.st != nullptr ? st_proof(subject, claim) : c_proof(subject, claim);
}

Json proof_of(const Subject& subject, const Interpretation& claim) {
  Json out{{"kind", "what the predicates mean"}};
  Json& places = out["places"] = Json::array();
  for (const MeaningRow& row : rows_of(subject.problem, claim)) {
    Json place{{"line", 0}, {"location", row.predicate}, {"loop", false}};
    put_formulas(place, {row.definition});
    places.push_back(std::move(place));
  }
  return out;
}

template <class Proof>
Json live_proof(const Proof& claim) {
  Json out{{"kind", "a bound on how often all recurring signals are seen"}};
  out["places"] = one_place({live_text(claim)});
  return out;
}

Json proof_of(const Subject& /*subject*/, const LiveProof& claim) {
  return live_proof(claim);
}
Json proof_of(const Subject& /*subject*/, const TermLiveProof& claim) {
  return live_proof(claim);
}

Json certificate_json(const Subject& subject, const Certificate& certificate) {
  return std::visit([&](const auto& claim) { return proof_of(subject, claim); }, certificate);
}

/// Places with formulas: of what the proof does without, nothing else is worth a line.
Json places_that_say(const Json& proof) {
  Json out = Json::array();
  for (const Json& place : proof["places"])
    if (place.contains("formulas") && !place["formulas"].empty()) out.push_back(place);
  return out;
}

}  // namespace

Json proof(const Subject& subject, const PropertyResult& result) {
  std::optional<ProofParts> parts =
      subject.extras.parts ? subject.extras.parts(result) : std::nullopt;
  if (!parts) return certificate_json(subject, *certificate_of(result.outcome.verdict()));
  Json out = certificate_json(subject, parts->needed);
  out["minimal"] = parts->minimal;
  out["others"] = places_that_say(certificate_json(subject, parts->others));
  return out;
}

}  // namespace lem::writer::report
