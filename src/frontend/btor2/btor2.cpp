// From the lines of a file to a transition system. Nodes are defined before they are used, so one
// pass over the lines suffices.
#include "frontend/btor2/btor2.h"

#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/btor2/btor2_file.h"
#include "frontend/btor2/operators.h"
#include "frontend/yosys_place.h"
#include "term/traverse.h"

namespace lem::btor2 {

namespace {

// Wider words exhaust memory before they are of use; boolector has the same order of limit.
constexpr std::uint64_t kMaxWidth = 1U << 24;

enum class Kind : std::uint8_t { Sort, State, Input, Expression, Other };

struct Node {
  Kind kind = Kind::Other;
  bool over_inputs = false;  // by structure; rewriting may have removed them
  Sort sort{};               // of a Sort, or of a node that has a value
  Term term{};               // Bool for some nodes of width 1
};

struct State {
  Term current;
  Term init{};
  Term update{};
};

class Reader {
 public:
  Reader(const std::string& path, const Btor2File& file)
      : path_(path), file_(file), store_(std::make_shared<TermStore>()), terms_(*store_) {}

  Result<Problem> run(Remarks* remarks);

 private:
  using Step = Status (Reader::*)();

  Status read_line();
  Status read_sort();
  Status read_constant();
  Status read_leaf();
  Status read_init_or_next();
  Status read_root();
  Status read_justice();
  Property& add_property(const std::string& place);
  Status read_operator(const Btor2Operator& op);
  Status fits(const Btor2Operator& op, Sort result, std::span<const Node> args,
              std::span<const std::uint64_t> numbers) const;
  Result<Term> constant(Sort sort, const Btor2Word& digits) const;
  Term premise(std::string_view bad);
  void observe(const Node& node);

  // Words of the current line, by index from the id.
  std::span<const Btor2Word> words() const { return file_.words_of(*line_); }
  std::string_view tag() const { return words()[1].text; }
  Status want_words(std::size_t count);
  Result<Sort> sort_at(std::size_t word) const;
  Result<Sort> bv_sort_at(std::size_t word) const;
  Result<Node> node_at(std::size_t word) const;
  Result<std::uint64_t> number_at(std::size_t word) const;
  Result<std::uint64_t> id_at(std::size_t word) const;
  std::string symbol() const;
  std::string unique_name(std::string name, const std::string& suffix);

  Status define(Kind kind, Sort sort, Term term, bool over_inputs) {
    nodes_[line_->id] = {kind, over_inputs, sort, term};
    return Ok{};
  }
  Error error(std::size_t word, std::string message) const {
    return {{path_, line_->number, words()[word].column}, std::move(message), ErrorKind::BadInput};
  }
  std::string text(Sort sort) const;
  std::string with_article(Sort sort) const { return (is_bv(sort) ? "a " : "an ") + text(sort); }
  bool is_bv(Sort sort) const { return terms_.kind(sort) == SortKind::BitVec; }
  bool is_bit(Sort sort) const { return is_bv(sort) && terms_.width(sort) == 1; }
  Result<Problem> finish();

  const std::string& path_;  // borrowed, as the file
  const Btor2File& file_;
  std::shared_ptr<TermStore> store_;
  TermStore& terms_;
  const Btor2Line* line_ = nullptr;
  std::size_t used_words_ = 0;  // of the current line, the symbol not counted
  std::unordered_map<std::uint64_t, Node> nodes_;
  std::vector<State> states_;
  std::unordered_map<Term, std::size_t> state_index_;
  std::vector<Term> inputs_;
  std::vector<Term> constraints_;
  std::vector<Property> properties_;
  std::size_t bads_ = 0;
  std::vector<Term> fairness_;
  std::vector<Term> premises_;                          // of the properties
  std::vector<std::pair<std::string, Term>> observed_;  // signals with a name
  std::set<std::string> variable_names_;
  std::set<std::string> property_names_;
  std::set<std::string> observed_names_;
};

std::string Reader::text(Sort sort) const {
  if (is_bv(sort)) return "bitvec " + std::to_string(terms_.width(sort));
  return "array of " + text(terms_.element_sort(sort)) + " indexed by " +
         text(terms_.index_sort(sort));
}

/// The line has at least `count` words and at most a symbol more.
Status Reader::want_words(std::size_t count) {
  used_words_ = count;
  const Btor2Word& last = words().back();
  if (words().size() < count)
    return Error{{path_, line_->number, static_cast<std::uint32_t>(last.column + last.text.size())},
                 "'" + std::string(tag()) + "' needs " + std::to_string(count - 2) +
                     " arguments, found " + std::to_string(words().size() - 2),
                 ErrorKind::BadInput};
  if (words().size() > count + 1)
    return error(count + 1, "unexpected text after the symbol of the line");
  return Ok{};
}

std::string Reader::symbol() const {
  return words().size() > used_words_ ? std::string(words()[used_words_].text) : std::string();
}

std::string Reader::unique_name(std::string name, const std::string& suffix) {
  while (!variable_names_.insert(name).second) name += "_" + suffix;
  return name;
}

Result<std::uint64_t> Reader::number_at(std::size_t word) const {
  std::uint64_t number = 0;
  if (!parse_btor2_number(words()[word].text, number))
    return error(word, "expected a number, found '" + std::string(words()[word].text) + "'");
  return number;
}

Result<std::uint64_t> Reader::id_at(std::size_t word) const {
  std::uint64_t id = 0;
  if (!parse_btor2_number(words()[word].text, id) || id == 0)
    return error(word, "expected an id, found '" + std::string(words()[word].text) + "'");
  return id;
}

Result<Sort> Reader::sort_at(std::size_t word) const {
  auto id = id_at(word);
  if (!id) return id.error();
  auto node = nodes_.find(*id);
  if (node == nodes_.end()) return error(word, "undefined sort " + std::to_string(*id));
  if (node->second.kind != Kind::Sort)
    return error(word, "node " + std::to_string(*id) + " is no sort");
  return node->second.sort;
}

Result<Sort> Reader::bv_sort_at(std::size_t word) const {
  auto sort = sort_at(word);
  if (sort && !is_bv(*sort)) return error(word, "expected a bitvec sort, found " + text(*sort));
  return sort;
}

Result<Node> Reader::node_at(std::size_t word) const {
  std::string_view digits = words()[word].text;
  bool negated = digits.starts_with('-');
  std::uint64_t id = 0;
  if (!parse_btor2_number(digits.substr(negated ? 1 : 0), id) || id == 0)
    return error(word, "expected a node id, found '" + std::string(digits) + "'");
  auto found = nodes_.find(id);
  if (found == nodes_.end()) return error(word, "undefined node " + std::to_string(id));
  Node node = found->second;
  if (!node.term) return error(word, "line " + std::to_string(id) + " has no value to refer to");
  if (!negated) return node;
  if (!is_bv(node.sort))
    return error(word,
                 "cannot negate node " + std::to_string(id) + ": it is " + with_article(node.sort));
  node.term = apply_btor2(terms_, Btor2Op::Not, {&node.term, 1}, 0, 0);
  return node;
}

Status Reader::read_sort() {
  if (words().size() < 3) return want_words(4);
  std::string_view kind = words()[2].text;
  if (kind == "bitvec") {
    if (auto s = want_words(4); !s) return s;
    auto width = number_at(3);
    if (!width) return width.error();
    if (*width == 0 || *width > kMaxWidth)
      return error(3, "a bit width is 1 to " + std::to_string(kMaxWidth) + ", found " +
                          std::to_string(*width));
    return define(Kind::Sort, terms_.bv_sort(static_cast<std::uint32_t>(*width)), {}, false);
  }
  if (kind != "array")
    return error(2, "expected 'bitvec' or 'array', found '" + std::string(kind) + "'");
  if (auto s = want_words(5); !s) return s;
  auto index = bv_sort_at(3);
  if (!index) return index.error();
  auto element = bv_sort_at(4);
  if (!element) return element.error();
  return define(Kind::Sort, terms_.array_sort(*index, *element), {}, false);
}

Result<Term> Reader::constant(Sort sort, const Btor2Word& digits) const {
  std::uint32_t width = terms_.width(sort);
  int base = tag() == "const" ? 2 : tag() == "constd" ? 10 : 16;
  bool negative = base == 10 && digits.text.starts_with('-');
  std::string_view plain = digits.text.substr(negative ? 1 : 0);
  std::string_view allowed =
      std::string_view("0123456789abcdefABCDEF").substr(0, base == 16 ? 22 : base);
  Error wrong{{path_, line_->number, digits.column}, {}, ErrorKind::BadInput};
  if (plain.empty() || plain.find_first_not_of(allowed) != plain.npos) {
    wrong.message = "expected a number in base " + std::to_string(base) + ", found '" +
                    std::string(digits.text.substr(0, 64)) + "'";
    return wrong;
  }
  mpz_class value(std::string(plain), base);
  if (base == 2 && plain.size() != width) {
    wrong.message = "expected " + std::to_string(width) + " binary digits, found " +
                    std::to_string(plain.size());
    return wrong;
  }
  mpz_class limit =
      negative ? mpz_class(mpz_class(1) << (width - 1)) : mpz_class((mpz_class(1) << width) - 1);
  if (value > limit) {
    wrong.message =
        "constant " + std::string(digits.text.substr(0, 64)) + " does not fit into " + text(sort);
    return wrong;
  }
  return terms_.bv(negative ? mpz_class(-value) : value, width);
}

Status Reader::read_constant() {
  bool digits = tag().starts_with("const");
  if (auto s = want_words(digits ? 4 : 3); !s) return s;
  auto sort = bv_sort_at(2);
  if (!sort) return sort.error();
  if (digits) {
    auto value = constant(*sort, words()[3]);
    if (!value) return value.error();
    return define(Kind::Expression, *sort, *value, false);
  }
  int value = tag() == "zero" ? 0 : tag() == "one" ? 1 : -1;
  return define(Kind::Expression, *sort, terms_.bv(value, terms_.width(*sort)), false);
}

Status Reader::read_leaf() {
  if (auto s = want_words(3); !s) return s;
  auto sort = sort_at(2);
  if (!sort) return sort.error();
  std::string id = std::to_string(line_->id);
  std::string name = symbol();
  if (name.empty()) name = std::string(tag()) + id;
  Term variable = terms_.variable(unique_name(name, id), *sort);
  if (tag() == "input") {
    inputs_.push_back(variable);
    return define(Kind::Input, *sort, variable, true);
  }
  state_index_[variable] = states_.size();
  states_.push_back({variable});
  return define(Kind::State, *sort, variable, false);
}

Status Reader::read_init_or_next() {
  if (auto s = want_words(5); !s) return s;
  bool init = tag() == "init";
  auto sort = sort_at(2);
  if (!sort) return sort.error();
  auto id = id_at(3);
  if (!id) return id.error();
  auto state = node_at(3);
  if (!state) return state.error();
  if (state->kind != Kind::State) return error(3, "node " + std::to_string(*id) + " is no state");
  if (state->sort != *sort)
    return error(2, "state " + std::to_string(*id) + " is " + with_article(state->sort) + ", not " +
                        with_article(*sort));
  auto value = node_at(4);
  if (!value) return value.error();
  Term term = value->term;
  bool constant_array = init && !is_bv(*sort) && value->sort == terms_.element_sort(*sort);
  if (value->sort != *sort && !constant_array)
    return error(4, "expected " + with_article(*sort) + ", found " + with_article(value->sort));
  if (is_bv(value->sort)) term = btor2_word(terms_, term);
  if (constant_array) term = terms_.make_const_array(*sort, term);

  State& target = states_[state_index_.at(state->term)];
  Term& slot = init ? target.init : target.update;
  if (slot)
    return error(3, "state " + std::to_string(*id) + " has a second '" + std::string(tag()) + "'");
  if (init && value->over_inputs) {
    std::set<Term> inputs(inputs_.begin(), inputs_.end());
    for (Term variable : variables_of(terms_, term))
      if (inputs.contains(variable))
        return error(
            4, "unsupported: the initial value depends on input '" + terms_.name(variable) + "'");
  }
  slot = term;
  return define(Kind::Other, {}, {}, false);
}

/// `p` where the file writes the bad state as not (p => q), as p and not q, or as not (not p or q);
/// no term for other forms.  require: the node is defined
Term Reader::premise(std::string_view bad) {
  struct Operand {
    const Btor2Line* line;
    bool negated;
  };
  // Leading negations, as signs or as lines.
  auto look = [&](std::string_view word) {
    bool negated = false;
    while (true) {
      if (word.starts_with('-')) negated = !negated;
      std::uint64_t id = 0;
      parse_btor2_number(word.substr(word.starts_with('-') ? 1 : 0), id);
      const Btor2Line& line = file_.lines[file_.line_of_id.at(id)];
      if (file_.words_of(line)[1].text != "not") return Operand{&line, negated};
      negated = !negated;
      word = file_.words_of(line)[3].text;
    }
  };
  Operand top = look(bad);
  std::span<const Btor2Word> formula = file_.words_of(*top.line);
  std::string_view op = formula[1].text;
  bool is_and = op == "and" && !top.negated;
  bool is_implies = op == "implies" && top.negated;
  if (!is_and && !is_implies && !(op == "or" && top.negated)) return {};
  Operand left = look(formula[3].text);
  Operand right = look(formula[4].text);
  if (!is_implies && left.negated == right.negated) return {};
  const Operand& chosen = is_implies || left.negated != is_and ? left : right;
  Term term = btor2_truth(terms_, nodes_.at(chosen.line->id).term);
  if (is_implies && left.negated) term = terms_.make_not(term);
  return terms_.is_value(term) ? Term() : term;
}

/// A name for a node that is no state or input: `uext S x 0 NAME` and `output x NAME`, as Yosys
/// writes them. Names that the file already has, and those of Yosys' own helpers, are left out.
void Reader::observe(const Node& node) {
  std::string name = symbol();
  if (name.empty() || frontend::is_yosys_helper(name) || !is_bv(node.sort)) return;
  if (variable_names_.contains(name) || !observed_names_.insert(name).second) return;
  observed_.emplace_back(std::move(name), btor2_word(terms_, node.term));
}

/// The property of this line, without its target.   require: the words of the line are counted
Property& Reader::add_property(const std::string& place) {
  std::string name = symbol().empty() ? place : symbol();
  while (!property_names_.insert(name).second) name += "_" + place;
  SourcePos at = frontend::yosys_place(line_->comment);
  if (at.line == 0) at = {path_, line_->number, words()[0].column};
  return properties_.emplace_back(Property{name, {}, place, Goal::Avoid, std::move(at)});
}

/// bad, constraint, fair and output lines.
Status Reader::read_root() {
  if (auto s = want_words(3); !s) return s;
  auto node = node_at(2);
  if (!node) return node.error();
  if (tag() != "output" && !is_bit(node->sort))
    return error(
        2, "'" + std::string(tag()) + "' needs a bitvec 1, found " + with_article(node->sort));
  if (tag() == "output") observe(*node);
  if (tag() == "constraint") constraints_.push_back(btor2_truth(terms_, node->term));
  if (tag() == "fair") fairness_.push_back(btor2_truth(terms_, node->term));
  if (tag() == "bad") {
    add_property("b" + std::to_string(bads_++)).target = btor2_truth(terms_, node->term);
    premises_.push_back(premise(words()[2].text));
  }
  return define(Kind::Other, {}, {}, false);
}

/// `justice n node_1 .. node_n`.
Status Reader::read_justice() {
  if (words().size() < 3) return want_words(3);
  auto count = number_at(2);
  if (!count) return count.error();
  if (*count > words().size()) return error(2, "there are not so many nodes in this line");
  if (auto s = want_words(3 + *count); !s) return s;
  Justice<Term> justice;
  for (std::size_t i = 0; i < *count; ++i) {
    auto node = node_at(3 + i);
    if (!node) return node.error();
    if (!is_bit(node->sort))
      return error(3 + i, "'justice' needs a bitvec 1, found " + with_article(node->sort));
    justice.often.push_back(btor2_truth(terms_, node->term));
  }
  justice.own = justice.often.size();
  add_property("j" + std::to_string(properties_.size() - bads_)).target = std::move(justice);
  premises_.emplace_back();
  return define(Kind::Other, {}, {}, false);
}

/// Whether the sorts of an application fit; word 2 is the sort, arguments follow.
// long: flat switch
Status Reader::fits(const Btor2Operator& op, Sort result, std::span<const Node> args,
                    std::span<const std::uint64_t> numbers) const {
  auto wants = [&](std::size_t i, Sort sort) -> Status {
    if (args[i].sort == sort) return Ok{};
    return error(3 + i, "argument " + std::to_string(i + 1) + " of '" + std::string(op.name) +
                            "' must be " + with_article(sort) + ", found " +
                            with_article(args[i].sort));
  };
  auto gives = [&](Sort sort) -> Status {
    if (result == sort) return Ok{};
    return error(2, "'" + std::string(op.name) + "' gives " + with_article(sort) + " here, not " +
                        with_article(result));
  };
  auto both = [](Status first, Status second) { return first ? std::move(second) : first; };
  auto width = [&](std::size_t i) { return std::uint64_t{terms_.width(args[i].sort)}; };
  auto bv = [&](std::uint64_t w) { return terms_.bv_sort(static_cast<std::uint32_t>(w)); };
  Sort single = terms_.bv_sort(1);
  // Some writers give predicates the sort of their arguments; the meaning is unambiguous, so that
  // is accepted.
  if (is_predicate(op.shape) && is_bv(result)) result = single;

  bool words_only = op.shape != Btor2Shape::Equal && op.shape != Btor2Shape::Ite &&
                    op.shape != Btor2Shape::Read && op.shape != Btor2Shape::Write;
  for (std::size_t i = 0; words_only && i < args.size(); ++i) {
    if (is_bv(args[i].sort)) continue;
    return error(3 + i, "argument " + std::to_string(i + 1) + " of '" + std::string(op.name) +
                            "' must be a bit-vector, found " + with_article(args[i].sort));
  }
  switch (op.shape) {
    case Btor2Shape::Unary:
      return gives(args[0].sort);
    case Btor2Shape::Reduction:
      return gives(single);
    case Btor2Shape::Binary:
      return both(wants(1, args[0].sort), gives(args[0].sort));
    case Btor2Shape::Compare:
    case Btor2Shape::Equal:
      return both(wants(1, args[0].sort), gives(single));
    case Btor2Shape::Logic:
      return both(both(wants(0, single), wants(1, single)), gives(single));
    case Btor2Shape::Concat:
      if (width(0) + width(1) > kMaxWidth) return error(2, "the result is too wide");
      return gives(bv(width(0) + width(1)));
    case Btor2Shape::Extend:
      if (numbers[0] > kMaxWidth - width(0)) return error(4, "the result is too wide");
      return gives(bv(width(0) + numbers[0]));
    case Btor2Shape::Slice:
      if (numbers[0] >= width(0))
        return error(4, "bit " + std::to_string(numbers[0]) + " is out of range: the argument is " +
                            with_article(args[0].sort));
      if (numbers[1] > numbers[0])
        return error(5, "the lower bit " + std::to_string(numbers[1]) + " is above the upper bit " +
                            std::to_string(numbers[0]));
      return gives(bv(numbers[0] - numbers[1] + 1));
    case Btor2Shape::Ite:
      return both(both(wants(0, single), wants(2, args[1].sort)), gives(args[1].sort));
    case Btor2Shape::Read:
    case Btor2Shape::Write:
      break;
  }
  Sort array = args[0].sort;
  if (is_bv(array))
    return error(3, "argument 1 of '" + std::string(op.name) + "' must be an array, found " +
                        with_article(array));
  Status index = wants(1, terms_.index_sort(array));
  if (op.shape == Btor2Shape::Read) return both(index, gives(terms_.element_sort(array)));
  return both(both(index, wants(2, terms_.element_sort(array))), gives(array));
}

Status Reader::read_operator(const Btor2Operator& op) {
  std::uint32_t num_args = num_node_arguments(op.shape);
  std::uint32_t num_numbers = num_number_arguments(op.shape);
  if (auto s = want_words(3 + num_args + num_numbers); !s) return s;
  auto sort = sort_at(2);
  if (!sort) return sort.error();
  std::vector<Node> args;
  std::vector<Term> arg_terms;
  bool over_inputs = false;
  for (std::uint32_t i = 0; i < num_args; ++i) {
    auto node = node_at(3 + i);
    if (!node) return node.error();
    args.push_back(*node);
    arg_terms.push_back(node->term);
    over_inputs = over_inputs || node->over_inputs;
  }
  std::vector<std::uint64_t> numbers;
  for (std::uint32_t i = 0; i < num_numbers; ++i) {
    auto number = number_at(3 + num_args + i);
    if (!number) return number.error();
    numbers.push_back(*number);
  }
  if (auto s = fits(op, *sort, args, numbers); !s) return s;
  numbers.resize(2);
  Term term = apply_btor2(terms_, op.op, arg_terms, static_cast<std::uint32_t>(numbers[0]),
                          static_cast<std::uint32_t>(numbers[1]));
  Sort given = is_predicate(op.shape) ? terms_.bv_sort(1) : *sort;
  if (op.op == Btor2Op::Uext && numbers[0] == 0) observe({Kind::Expression, false, given, term});
  return define(Kind::Expression, given, term, over_inputs);
}

Status Reader::read_line() {
  static constexpr std::pair<std::string_view, Step> kSteps[] = {
      {"sort", &Reader::read_sort},         {"input", &Reader::read_leaf},
      {"state", &Reader::read_leaf},        {"const", &Reader::read_constant},
      {"constd", &Reader::read_constant},   {"consth", &Reader::read_constant},
      {"zero", &Reader::read_constant},     {"one", &Reader::read_constant},
      {"ones", &Reader::read_constant},     {"init", &Reader::read_init_or_next},
      {"next", &Reader::read_init_or_next}, {"bad", &Reader::read_root},
      {"constraint", &Reader::read_root},   {"output", &Reader::read_root},
      {"fair", &Reader::read_root},         {"justice", &Reader::read_justice},
  };
  if (const Btor2Operator* op = find_btor2_operator(tag())) return read_operator(*op);
  for (const auto& [name, step] : kSteps)
    if (name == tag()) return (this->*step)();
  return error(1, "unknown keyword '" + std::string(tag().substr(0, 32)) + "'");
}

Result<Problem> Reader::finish() {
  TransitionSystemBuilder builder(store_);
  // The next copies are made last: no symbol of the file can be the name of one.
  for (const State& state : states_)
    builder.add_state(state.current, terms_.fresh(terms_.name(state.current) + ".next",
                                                  terms_.sort(state.current)));
  for (Term input : inputs_) builder.add_input(input);
  for (const State& state : states_) {
    if (state.init) builder.set_init(state.current, state.init);
    if (state.update) builder.set_update(state.current, state.update);
  }
  for (Term constraint : constraints_) builder.add_constraint(constraint);
  auto system = std::move(builder).freeze();
  if (!system) return Error{{path_, 0, 0}, system.error().message, ErrorKind::BadInput};
  for (Property& property : properties_)
    if (auto* justice = std::get_if<Justice<Term>>(&property.target))
      justice->often.insert(justice->often.end(), fairness_.begin(), fairness_.end());
  Problem problem;
  problem.model = std::move(*system);
  problem.properties = std::move(properties_);
  problem.source.file = path_;
  problem.source.format = "btor2";
  // A state may get its name after an alias has it.
  std::erase_if(observed_, [&](const auto& one) { return variable_names_.contains(one.first); });
  problem.source.observed = std::move(observed_);
  return problem;
}

Result<Problem> Reader::run(Remarks* remarks) {
  nodes_.reserve(file_.lines.size());
  for (const Btor2Line& line : file_.lines) {
    line_ = &line;
    if (Status status = read_line(); !status) return status.error();
  }
  if (remarks != nullptr) remarks->premises = std::move(premises_);
  return finish();
}

}  // namespace

Result<Problem> read_btor2(const std::string& path, std::string_view bytes, Remarks* remarks) {
  auto file = split_btor2(path, bytes);
  if (!file) return file.error();
  return Reader(path, *file).run(remarks);
}

}  // namespace lem::btor2
