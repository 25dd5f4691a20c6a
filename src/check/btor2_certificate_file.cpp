// Witness circuits in BTOR2. Of the circuit only its bad state counts, read as a formula about the
// model: states and inputs correspond by position. So nothing in the circuit but that formula need
// be believed, and the check is induction on the model itself.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/terms.h"
#include "check/validate.h"
#include "model/verdict.h"

namespace lem {

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
    // Constants of the circuit's own. Whatever stands for them, the formula is checked on the
    // model.
    for (std::size_t i = model.states().size(); i < circuit.states().size(); ++i) {
      const StateVar& state = circuit.states()[i];
      if (state.init && from_.is_value(state.init) && state.update == state.current)
        if (auto value = term(state.init)) done_[state.current] = *value;
    }
  }

  /// Nothing if the term mentions a variable without counterpart.
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

struct Claim {
  std::string property = "b0";
  std::uint32_t k = 1;
  SimplePath simple_path = SimplePath::No;
};

/// `; WITNESS b2 file` and `; lemmata k-inductive k=3 simple-path`, in the lines before the first
/// that is no comment.
Claim read_claim(std::string_view text) {
  Claim claim;
  while (text.starts_with(';')) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    constexpr std::string_view kWitness = "; WITNESS ";
    constexpr std::string_view kInductive = "; lemmata k-inductive k=";
    if (line.starts_with(kWitness)) {
      line.remove_prefix(kWitness.size());
      claim.property = std::string(line.substr(0, line.find(' ')));
    } else if (line.starts_with(kInductive)) {
      line.remove_prefix(kInductive.size());
      claim.k = 0;
      for (; !line.empty() && line[0] >= '0' && line[0] <= '9' && claim.k < 100'000;
           line.remove_prefix(1))
        claim.k = 10 * claim.k + static_cast<std::uint32_t>(line[0] - '0');
      if (line.starts_with(" simple-path")) claim.simple_path = SimplePath::Yes;
    }
  }
  return claim;
}

}  // namespace

Status validate_btor2_certificate(const Problem& model, const Problem& witness_circuit,
                                  const std::string& path, std::string_view text,
                                  std::stop_token stop) {
  auto malformed = [&](std::string message) {
    return Error{{path, 0, 0}, std::move(message), ErrorKind::BadInput};
  };
  if (witness_circuit.properties.size() != 1)
    return malformed("a witness circuit has one bad state, this one has " +
                     std::to_string(witness_circuit.properties.size()));
  Claim claim = read_claim(text);
  if (claim.k == 0) return malformed("the circuit claims k-induction with k = 0");
  const Property* property = nullptr;
  for (const Property& each : model.properties)
    if (each.symbol == claim.property) property = &each;
  if (property == nullptr)
    return malformed("the model has no property " + claim.property + " that the circuit names");
  auto bad = Import(witness_circuit.system(), model.system())
                 .term(witness_circuit.properties[0].bad_term());
  if (!bad) return malformed("the bad state depends on a variable that the model does not have");
  TermInvariant invariant{model.system().terms().make_not(*bad), claim.k, claim.simple_path};
  check::TermFinding finding =
      check::check_induction(model.system(), property->bad_term(), invariant, std::move(stop));
  if (finding.holds == check::TermHolds::Yes) return Ok{};
  std::string why = finding.holds == check::TermHolds::No ? finding.failed + " fails"
                                                          : "the solver could not decide it";
  return Error{{path, 0, 0},
               "the certificate for property '" + property->name + "' is rejected: " + why,
               ErrorKind::Internal};
}

}  // namespace lem
