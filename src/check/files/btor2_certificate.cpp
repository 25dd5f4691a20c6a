// Witness circuits in BTOR2. Of the circuit only its bad state counts, read as a formula about the
// model: states and inputs correspond by position. The rest of the circuit is not used: the check
// is induction on the model itself.
#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/files/claims.h"
#include "check/terms.h"
#include "check/validate.h"
#include "model/verdict.h"

namespace lem::check {

namespace {

/// Terms of the circuit as terms of the model's store; single bits stand for truth values where the
/// model has those.
class Import {
 public:
  Import(const TransitionSystem& circuit, const TransitionSystem& model)
      : from_(circuit.terms()), to_(model.terms()) {
    for (std::size_t i = 0; i < model.states().size() && i < circuit.states().size(); ++i)
      pair(circuit.states()[i].current, model.states()[i].current);
    for (std::size_t i = 0; i < model.inputs().size() && i < circuit.inputs().size(); ++i)
      pair(circuit.inputs()[i], model.inputs()[i]);
    // Constants that the circuit adds. Any value may stand for them, since the formula is checked
    // on the model.
    for (std::size_t i = model.states().size(); i < circuit.states().size(); ++i) {
      const StateVar& state = circuit.states()[i];
      if (state.init && from_.is_value(state.init) && state.update == state.current)
        if (auto value = term(state.init)) done_[state.current] = *value;
    }
  }

  /// nullopt if the term mentions a variable without counterpart.
  std::optional<Term> term(Term root) {
    std::vector<Term> stack{root};
    while (!stack.empty()) {
      Term top = stack.back();
      if (done_.contains(top)) {
        stack.pop_back();
        continue;
      }
      std::size_t depth = stack.size();
      for (Term arg : from_.args(top))
        if (!done_.contains(arg)) stack.push_back(arg);
      if (stack.size() > depth) continue;
      auto made = make(top);
      if (!made) return std::nullopt;
      done_[top] = *made;
      stack.pop_back();
    }
    return done_.at(root);
  }

 private:
  Sort sort(Sort sort) {
    if (from_.kind(sort) == SortKind::Bool) return to_.bool_sort();
    if (from_.kind(sort) == SortKind::BitVec) return to_.bv_sort(from_.width(sort));
    assert(from_.kind(sort) == SortKind::Array && "BTOR2 has bit-vectors and arrays");
    Sort index = this->sort(from_.index_sort(sort));
    return to_.array_sort(index, this->sort(from_.element_sort(sort)));
  }
  void pair(Term ours, Term theirs) {
    Sort wanted = sort(from_.sort(ours));
    bool single = from_.kind(ours) == SortKind::BitVec && from_.width(ours) == 1;
    if (to_.sort(theirs) == wanted)
      done_[ours] = theirs;
    else if (single && to_.kind(theirs) == SortKind::Bool)
      done_[ours] = to_.make_ite(theirs, to_.bv(1, 1), to_.bv(0, 1));
  }
  std::optional<Term> make(Term term) {
    switch (from_.op(term)) {
      case Op::Variable:
        return std::nullopt;
      case Op::BoolValue:
        return to_.boolean(from_.is_true(term));
      case Op::BvValue:
        return to_.bv(from_.integer_value(term), from_.width(term));
      case Op::ConstArray:
        return to_.make_const_array(sort(from_.sort(term)), done_.at(from_.arg(term, 0)));
      default:
        break;
    }
    std::vector<Term> args;
    for (Term arg : from_.args(term)) args.push_back(done_.at(arg));
    return to_.make(from_.op(term), args, from_.param(term, 0), from_.param(term, 1));
  }

  const TermStore& from_;
  TermStore& to_;
  std::unordered_map<Term, Term> done_;
};

struct Btor2Claim {
  std::string property;  // "": none is named
  std::uint64_t k = 1;
  SimplePath simple_path = SimplePath::No;
};

/// `; WITNESS b2 file` and `; lemmata k-inductive k=3 simple-path`, in the lines before the first
/// that is no comment.
Result<Btor2Claim> read_claim(const std::string& path, std::string_view text) {
  Btor2Claim claim;
  bool inductive = false;
  for (std::uint32_t row = 1; text.starts_with(';'); ++row) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    auto malformed = [&](const char* what) {
      return Error{{path, row, 1}, what + std::string(" '") + std::string(line) + "'"};
    };
    constexpr std::string_view kWitness = "; WITNESS ";
    constexpr std::string_view kInductive = "; lemmata k-inductive k=";
    if (line.starts_with(kWitness)) {
      if (!claim.property.empty()) return malformed("a second comment");
      std::string_view rest = line.substr(kWitness.size());
      claim.property = std::string(rest.substr(0, rest.find(' ')));
    } else if (line.starts_with(kInductive)) {
      if (std::exchange(inductive, true)) return malformed("a second comment");
      std::string_view rest = line.substr(kInductive.size());
      auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), claim.k);
      std::string_view path_word(end, rest.data() + rest.size());
      bool simple = path_word == " simple-path";
      if (failed != std::errc{} || claim.k == 0 || (!simple && !path_word.empty()))
        return malformed("malformed comment");
      if (simple) claim.simple_path = SimplePath::Yes;
    }
  }
  return claim;
}

}  // namespace

Result<Accepted> validate_btor2_certificate(const Problem& model, const Problem& witness_circuit,
                                            const std::string& path, std::string_view text,
                                            const EvidenceTask& task) {
  auto malformed = [&](std::string message) {
    return Error{{path, 0, 0}, std::move(message), ErrorKind::BadInput};
  };
  if (witness_circuit.properties.size() != 1)
    return malformed("a witness circuit has one bad state, this one has " +
                     std::to_string(witness_circuit.properties.size()));
  Result<Btor2Claim> claim = read_claim(path, text);
  if (!claim) return claim.error();
  std::optional<std::size_t> named;
  for (std::size_t i = 0; i < model.properties.size(); ++i)
    if (model.properties[i].symbol == claim->property) named = i;
  if (!named && !claim->property.empty())
    return malformed("the model has no property " + claim->property + " that the circuit names");
  const TransitionSystem& system = model.system();
  if (auto why =
          implausible(claim->k, claim->simple_path, system.states().size() + system.inputs().size(),
                      system.states().size()))
    return malformed("unsupported: " + *why);
  auto bad = Import(witness_circuit.system(), model.system())
                 .term(witness_circuit.properties[0].bad_term());
  if (!bad) return malformed("the bad state depends on a variable that the model does not have");
  TermInvariant invariant{system.terms().make_not(*bad), static_cast<std::uint32_t>(claim->k),
                          claim->simple_path};
  Result<Accepted> accepted = judge_properties(model, path, named, task, [&](std::size_t index) {
    return judge_certificate(model, index, path, invariant, task.stop);
  });
  if (accepted) accepted->contents = invariant;
  return accepted;
}

}  // namespace lem::check
