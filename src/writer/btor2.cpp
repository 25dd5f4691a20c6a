#include "writer/btor2.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "term/postorder.h"
#include "term/traverse.h"
#include "writer/aiger.h"

namespace lem::writer {

namespace {

using Id = std::uint64_t;

/// The operator's name where it is one of BTOR2 with the same arguments; else "".
// long: flat switch
std::string_view plain_name(Op op) {
  switch (op) {
    case Op::Eq:
      return "eq";
    case Op::Ite:
      return "ite";
    case Op::Not:
    case Op::BvNot:
      return "not";
    case Op::And:
    case Op::BvAnd:
      return "and";
    case Op::Or:
    case Op::BvOr:
      return "or";
    case Op::BvNeg:
      return "neg";
    case Op::BvXor:
      return "xor";
    case Op::BvAdd:
      return "add";
    case Op::BvMul:
      return "mul";
    case Op::BvUdiv:
      return "udiv";
    case Op::BvUrem:
      return "urem";
    case Op::BvSdiv:
      return "sdiv";
    case Op::BvSrem:
      return "srem";
    case Op::BvSmod:
      return "smod";
    case Op::BvShl:
      return "sll";
    case Op::BvLshr:
      return "srl";
    case Op::BvAshr:
      return "sra";
    case Op::BvUlt:
      return "ult";
    case Op::BvSlt:
      return "slt";
    case Op::BvConcat:
      return "concat";
    case Op::BvExtract:
      return "slice";
    case Op::BvZeroExtend:
      return "uext";
    case Op::BvSignExtend:
      return "sext";
    case Op::Select:
      return "read";
    case Op::Store:
      return "write";
    default:  // leaves, and what is not about bit-vectors
      return "";
  }
}

/// Lines with ids, terms as nodes.
class Btor2Lines {
 public:
  explicit Btor2Lines(const TermStore& terms) : terms_(terms) {}

  Id line(const std::string& text, const std::string& symbol = {}) {
    out_ += std::to_string(next_) + ' ' + text;
    if (!symbol.empty()) out_ += ' ' + symbol_text(symbol);
    out_ += '\n';
    return next_++;
  }
  void comment(const std::string& text) { out_ += "; " + text + '\n'; }
  Id sort(Sort sort);
  Id node(Term term);
  void define(Term term, Id id) { nodes_[term] = id; }
  std::string text() && { return std::move(out_); }

 private:
  static std::string symbol_text(std::string symbol) {
    for (char& c : symbol)
      if (c <= ' ' || c == 127) c = '_';
    return symbol.front() == ';' ? '_' + symbol : symbol;
  }
  Id make(Term term);

  const TermStore& terms_;
  std::string out_;
  Id next_ = 1;
  std::map<std::string, Id> sorts_;  // by what their line says
  std::unordered_map<Term, Id> nodes_;
};

/// Bool and bitvec 1 are one sort here.
Id Btor2Lines::sort(Sort sort) {
  std::string text = "sort bitvec 1";
  if (terms_.kind(sort) == SortKind::BitVec)
    text = "sort bitvec " + std::to_string(terms_.width(sort));
  if (terms_.kind(sort) == SortKind::Array) {
    Id index = this->sort(terms_.index_sort(sort));
    Id element = this->sort(terms_.element_sort(sort));
    text = "sort array " + std::to_string(index) + ' ' + std::to_string(element);
  }
  auto [known, fresh] = sorts_.try_emplace(text);
  if (fresh) known->second = line(text);
  return known->second;
}

Id Btor2Lines::make(Term term) {
  Op op = terms_.op(term);
  std::string of = ' ' + std::to_string(sort(terms_.sort(term)));
  if (op == Op::BoolValue) return line("const" + of + (terms_.is_true(term) ? " 1" : " 0"));
  if (op == Op::BvValue) {
    std::string bits = terms_.integer_value(term).get_str(2);
    return line("const" + of + ' ' + std::string(terms_.width(term) - bits.size(), '0') + bits);
  }
  std::string_view name = plain_name(op);
  assert(!name.empty() && "what cannot be written was found before");
  auto args = terms_.args(term);
  auto id = [&](std::size_t i) { return ' ' + std::to_string(nodes_.at(args[i])); };
  bool junction = args.size() > 2 && op != Op::Ite && op != Op::Store;
  if (junction) {
    Id all = nodes_.at(args[0]);
    for (std::size_t i = 1; i < args.size(); ++i)
      all = line(std::string(name) + of + ' ' + std::to_string(all) + id(i));
    return all;
  }
  std::string text = std::string(name) + of;
  for (std::size_t i = 0; i < args.size(); ++i) text += id(i);
  bool extends = op == Op::BvZeroExtend || op == Op::BvSignExtend;
  if (extends || op == Op::BvExtract) text += ' ' + std::to_string(terms_.param(term, 0));
  if (op == Op::BvExtract) text += ' ' + std::to_string(terms_.param(term, 1));
  return line(text);
}

Id Btor2Lines::node(Term root) {
  postorder(
      terms_, root, [&](Term term) { return nodes_.contains(term); },
      [&](Term term) {
        Id id = make(term);
        nodes_[term] = id;
      });
  return nodes_.at(root);
}

/// The model; relations as latches and constraints, as transform/bitblast/bitblast.h has them.
class Btor2Model {
 public:
  explicit Btor2Model(const Problem& problem)
      : problem_(problem), system_(problem.system()), terms_(system_.terms()), lines_(terms_) {}

  Result<std::string> run(const std::vector<std::string>& comments) {
    if (auto obstacle = find_obstacle())
      return Error{{problem_.source.file}, "cannot write BTOR2: " + *obstacle, ErrorKind::Usage};
    for (const std::string& comment : comments) lines_.comment(comment);
    declare();
    initialise();
    step();
    constrain();
    for (std::size_t i = 0; i < problem_.properties.size(); ++i) state(problem_.properties[i], i);
    return std::move(lines_).text();
  }

 private:
  static std::string text(Id id) { return ' ' + std::to_string(id); }
  std::string sort_text(Term term) { return text(lines_.sort(terms_.sort(term))); }
  std::vector<Term> roots() const;
  std::optional<std::string> find_obstacle() const;
  void declare();
  void initialise();
  void step();
  void constrain();
  void state(const Property& property, std::size_t index);

  const Problem& problem_;
  const TransitionSystem& system_;
  TermStore& terms_;
  Btor2Lines lines_;
  Id started_ = 0;
  Id valid_ = 0;
};

std::vector<Term> Btor2Model::roots() const {
  std::vector<Term> all{system_.init_relation(), system_.trans_relation(), system_.constraint()};
  for (const StateVar& state : system_.states())
    for (Term term : {state.current, state.init, state.update})
      if (term) all.push_back(term);
  all.insert(all.end(), system_.inputs().begin(), system_.inputs().end());
  for (const Property& property : problem_.properties) {
    if (!property.is_justice()) all.push_back(property.bad_term());
    if (property.is_justice())
      all.insert(all.end(), property.often_terms().begin(), property.often_terms().end());
  }
  return all;
}

std::optional<std::string> Btor2Model::find_obstacle() const {
  std::optional<std::string> found;
  auto is_word = [&](Sort sort) {
    return terms_.kind(sort) == SortKind::Bool || terms_.kind(sort) == SortKind::BitVec;
  };
  std::vector<Term> all = roots();
  for_each_subterm(terms_, all, [&](Term term) {
    Sort sort = terms_.sort(term);
    if (found || is_word(sort)) return;
    if (terms_.is_numeric(sort))
      found = "the model has integers or reals";
    else if (terms_.kind(sort) == SortKind::Float)
      found = "the model has floats";
    else if (!is_word(terms_.index_sort(sort)) || !is_word(terms_.element_sort(sort)))
      found = "the model has arrays of other things than bit-vectors";
    else if (terms_.op(term) == Op::ConstArray && !terms_.is_value(term))
      found = "the model has a constant array whose element is no constant";
  });
  return found;
}

/// Constants that states start with come before the states, as some readers demand.
void Btor2Model::declare() {
  for (const StateVar& state : system_.states()) {
    if (!state.init || !terms_.is_value(state.init)) continue;
    bool array = terms_.kind(state.init) == SortKind::Array;
    if (!array) lines_.node(state.init);
    if (array && terms_.op(state.init) == Op::ConstArray) lines_.node(terms_.arg(state.init, 0));
  }
  for (const StateVar& state : system_.states())
    lines_.define(state.current,
                  lines_.line("state" + sort_text(state.current), terms_.name(state.current)));
  for (Term input : system_.inputs())
    lines_.define(input, lines_.line("input" + sort_text(input), terms_.name(input)));
  // A constant array is a state that keeps its initial value.
  std::vector<Term> all = roots();
  for_each_subterm(terms_, all, [&](Term term) {
    if (terms_.op(term) != Op::ConstArray) return;
    Id value = lines_.node(terms_.arg(term, 0));
    Id array = lines_.line("state" + sort_text(term), "constant_array");
    lines_.line("init" + sort_text(term) + text(array) + text(value));
    lines_.line("next" + sort_text(term) + text(array) + text(array));
    lines_.define(term, array);
  });
}

void Btor2Model::initialise() {
  for (const StateVar& state : system_.states()) {
    if (!state.init) continue;
    bool constant = terms_.op(state.init) == Op::ConstArray;
    Id value = lines_.node(constant ? terms_.arg(state.init, 0) : state.init);
    lines_.line("init" + sort_text(state.current) + text(lines_.node(state.current)) + text(value));
  }
  if (terms_.is_true(system_.init_relation())) return;
  Term truth = terms_.boolean(true);
  Id no = lines_.node(terms_.boolean(false));
  started_ = lines_.line("state" + sort_text(truth), "started");
  lines_.line("init" + sort_text(truth) + text(started_) + text(no));
  lines_.line("next" + sort_text(truth) + text(started_) + text(lines_.node(truth)));
}

void Btor2Model::step() {
  bool relational = !terms_.is_true(system_.trans_relation());
  for (const StateVar& state : system_.states()) {
    Id next = 0;
    if (state.update) next = lines_.node(state.update);
    if (!state.update && relational)
      next = lines_.line("input" + sort_text(state.next), terms_.name(state.next));
    if (next == 0) continue;
    lines_.define(state.next, next);
    lines_.line("next" + sort_text(state.current) + text(lines_.node(state.current)) + text(next));
  }
  if (!relational) return;
  Term truth = terms_.boolean(true);
  Id yes = lines_.node(truth);
  valid_ = lines_.line("state" + sort_text(truth), "valid");
  lines_.line("init" + sort_text(truth) + text(valid_) + text(yes));
  Id held = lines_.node(system_.trans_relation());
  Id still = lines_.line("and" + sort_text(truth) + text(valid_) + text(held));
  lines_.line("next" + sort_text(truth) + text(valid_) + text(still));
}

void Btor2Model::constrain() {
  for (Term conjunct : conjuncts(terms_, system_.constraint()))
    if (!terms_.is_true(conjunct)) lines_.line("constraint" + text(lines_.node(conjunct)));
  if (started_ != 0) {
    Id first = lines_.node(system_.init_relation());
    Id either = lines_.line("or" + sort_text(terms_.boolean(true)) + text(started_) + text(first));
    lines_.line("constraint" + text(either));
  }
  if (valid_ != 0) lines_.line("constraint" + text(valid_));
}

/// Fairness stands before the first justice property.
void Btor2Model::state(const Property& property, std::size_t index) {
  std::string place = witness_symbol(problem_, index);
  std::string name = property.name == place ? "" : property.name;
  const auto* justice = std::get_if<Justice<Term>>(&property.target);
  if (justice == nullptr) {
    lines_.line("bad" + text(lines_.node(property.bad_term())), name);
    return;
  }
  for (std::size_t i = justice->own; place == "j0" && i < justice->often.size(); ++i)
    lines_.line("fair" + text(lines_.node(justice->often[i])));
  std::string all = "justice " + std::to_string(justice->own);
  for (std::size_t i = 0; i < justice->own; ++i) all += text(lines_.node(justice->often[i]));
  lines_.line(all, name);
}

}  // namespace

Result<std::string> write_btor2(const Problem& problem) {
  return Btor2Model(problem).run({});
}

Result<std::string> write_btor2_certificate(const Problem& focused,
                                            const check::Certified& certified) {
  const auto& claim = certificate_as<TermInvariant>(certified.verdict());
  TermStore& terms = focused.system().terms();
  Problem circuit = focused;
  Property& property = circuit.properties.front();
  const std::string symbol = property.symbol.empty() ? "b0" : property.symbol;
  const std::string& file = focused.source.file;
  std::vector<std::string> comments{"WITNESS " + symbol + ' ' +
                                    printable(file.substr(file.rfind('/') + 1))};  // npos + 1 is 0
  if (claim.k > 1 || claim.simple_path == SimplePath::Yes)
    comments.push_back("lemmata k-inductive k=" + std::to_string(claim.k) +
                       (claim.simple_path == SimplePath::Yes ? " simple-path" : ""));
  Term good = terms.make_and(claim.invariant, terms.make_not(property.bad_term()));
  property = {"b0", terms.make_not(good), "b0"};
  return Btor2Model(circuit).run(comments);
}

}  // namespace lem::writer
