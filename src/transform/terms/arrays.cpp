// Array expansion: an array with few elements becomes one variable for each element, array terms
// become lists of element terms, and reads of arrays become choices between elements.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "transform/passes.h"
#include "transform/terms/steps.h"

namespace lem::transform {

namespace {

using Elements = std::vector<Term>;

/// Terms without the arrays that are expanded.
class Expansion {
 public:
  Expansion(TermStore& terms, std::uint64_t limit) : terms_(terms), limit_(limit) {}

  bool expands(Sort sort) const {
    if (terms_.kind(sort) != SortKind::Array) return false;
    Sort index = terms_.index_sort(sort);
    return terms_.kind(index) == SortKind::BitVec && terms_.width(index) < 32 &&
           (std::uint64_t{1} << terms_.width(index)) <= limit_ &&
           terms_.kind(terms_.element_sort(sort)) != SortKind::Array;
  }
  /// New variables for the elements of an array variable.
  const Elements& declare(Term array) {
    Elements& elements = elements_[array];
    Sort sort = terms_.sort(array);
    std::uint64_t size = std::uint64_t{1} << terms_.width(terms_.index_sort(sort));
    for (std::uint64_t i = 0; i < size; ++i)
      elements.push_back(terms_.fresh(terms_.name(array) + '[' + std::to_string(i) + ']',
                                      terms_.element_sort(sort)));
    return elements;
  }
  Term index_value(Sort array, std::size_t i) const {
    return terms_.bv(mpz_class(static_cast<unsigned long>(i)),
                     terms_.width(terms_.index_sort(array)));
  }

  /// require: its sort is not expanded
  Term term(Term root) {
    visit(root);
    return done_.at(root);
  }
  /// require: its sort is expanded
  const Elements& elements(Term root) {
    visit(root);
    return elements_.at(root);
  }

 private:
  bool is_done(Term term) const { return done_.contains(term) || elements_.contains(term); }
  void visit(Term root);
  Elements expand(Term array);
  Term rewrite(Term term);
  Term choose(const Elements& elements, Term index);

  TermStore& terms_;
  std::uint64_t limit_;
  TermMap done_;
  std::unordered_map<Term, Elements> elements_;
};

void Expansion::visit(Term root) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    Term term = stack.back();
    if (is_done(term)) {
      stack.pop_back();
      continue;
    }
    std::size_t depth = stack.size();
    for (Term arg : terms_.args(term))
      if (!is_done(arg)) stack.push_back(arg);
    if (stack.size() > depth) continue;
    stack.pop_back();
    if (expands(terms_.sort(term)))
      elements_[term] = expand(term);
    else
      done_[term] = rewrite(term);
  }
}

Elements Expansion::expand(Term array) {
  Sort sort = terms_.sort(array);
  std::size_t size = std::size_t{1} << terms_.width(terms_.index_sort(sort));
  Op op = terms_.op(array);
  if (op == Op::ConstArray) return Elements(size, done_.at(terms_.arg(array, 0)));
  if (op == Op::Store) {
    Elements result = elements_.at(terms_.arg(array, 0));
    Term index = done_.at(terms_.arg(array, 1));
    Term value = done_.at(terms_.arg(array, 2));
    for (std::size_t i = 0; i < size; ++i) {
      Term here = terms_.make_eq(index, index_value(sort, i));
      result[i] = terms_.make_ite(here, value, result[i]);
    }
    return result;
  }
  assert(op == Op::Ite && "array variables are declared, arrays in arrays are not expanded");
  Term condition = done_.at(terms_.arg(array, 0));
  const Elements& a = elements_.at(terms_.arg(array, 1));
  const Elements& b = elements_.at(terms_.arg(array, 2));
  Elements result;
  for (std::size_t i = 0; i < size; ++i) result.push_back(terms_.make_ite(condition, a[i], b[i]));
  return result;
}

/// A tree of choices by the bits of the index, the lowest first.
Term Expansion::choose(const Elements& elements, Term index) {
  Elements layer = elements;
  for (std::uint32_t bit = 0; layer.size() > 1; ++bit) {
    Term odd = terms_.make_eq(terms_.make_extract(index, bit, bit), terms_.bv(1, 1));
    Elements above;
    for (std::size_t i = 0; i < layer.size(); i += 2)
      above.push_back(terms_.make_ite(odd, layer[i + 1], layer[i]));
    layer = std::move(above);
  }
  return layer.front();
}

Term Expansion::rewrite(Term term) {
  auto args = terms_.args(term);
  if (!args.empty() && expands(terms_.sort(args[0]))) {
    if (terms_.op(term) == Op::Select) return choose(elements_.at(args[0]), done_.at(args[1]));
    assert(terms_.op(term) == Op::Eq && "arrays are read and compared only");
    const Elements& a = elements_.at(args[0]);
    const Elements& b = elements_.at(args[1]);
    std::vector<Term> same;
    for (std::size_t i = 0; i < a.size(); ++i) same.push_back(terms_.make_eq(a[i], b[i]));
    return terms_.make_and(same);
  }
  std::vector<Term> changed;
  for (Term arg : args) changed.push_back(done_.at(arg));
  if (std::equal(changed.begin(), changed.end(), args.begin(), args.end())) return term;
  if (terms_.op(term) == Op::ConstArray)
    return terms_.make_const_array(terms_.sort(term), changed[0]);
  return terms_.make(terms_.op(term), changed, terms_.param(term, 0), terms_.param(term, 1));
}

struct Expanded {
  Term array;
  Elements elements;
};

/// Translates elements back to elements of the array, in traces and in invariants.
class Assemble final : public TermsBackTranslator {
 public:
  Assemble(TransitionSystem old, TransitionSystem flat, std::vector<Expanded> arrays)
      : old_(std::move(old)), flat_(std::move(flat)), arrays_(std::move(arrays)) {}

  TermTrace trace(TermTrace trace) const override {
    TermStore& terms = old_.terms();
    for (TermTrace::Step& step : trace.steps) {
      TermMap values = values_at(flat_, step);
      for (const Expanded& each : arrays_) {
        Term array = terms.make_const_array(terms.sort(each.array), values.at(each.elements[0]));
        for (std::size_t i = 0; i < each.elements.size(); ++i)
          array = terms.make_store(array, index(each, i), values.at(each.elements[i]));
        values[each.array] = array;
      }
      step = step_of(old_, values);
    }
    return trace;
  }
  std::optional<Certificate> invariant(TermInvariant invariant) const override {
    TermStore& terms = old_.terms();
    TermMap map;
    for (const Expanded& each : arrays_)
      for (std::size_t i = 0; i < each.elements.size(); ++i)
        map[each.elements[i]] = terms.make_select(each.array, index(each, i));
    invariant.invariant = substitute(terms, invariant.invariant, map);
    return invariant;
  }

 private:
  Term index(const Expanded& each, std::size_t i) const {
    TermStore& terms = old_.terms();
    return terms.bv(mpz_class(static_cast<unsigned long>(i)),
                    terms.width(terms.index_sort(terms.sort(each.array))));
  }

  TransitionSystem old_;
  TransitionSystem flat_;
  std::vector<Expanded> arrays_;
};

bool has_nested_arrays(const Problem& problem) {
  const TransitionSystem& system = problem.system();
  const TermStore& terms = system.terms();
  std::vector<Term> roots{system.init_relation(), system.trans_formula(), system.constraint()};
  for (const Property& property : problem.properties) roots.push_back(property.bad_term());
  for (const StateVar& state : system.states()) {
    roots.push_back(state.current);
    if (state.init) roots.push_back(state.init);
  }
  roots.insert(roots.end(), system.inputs().begin(), system.inputs().end());
  bool nested = false;
  for_each_subterm(terms, roots, [&](Term term) {
    if (terms.kind(term) != SortKind::Array) return;
    Sort sort = terms.sort(term);
    nested = nested || terms.kind(terms.element_sort(sort)) == SortKind::Array ||
             terms.kind(terms.index_sort(sort)) == SortKind::Array;
  });
  return nested;
}

}  // namespace

Transformed apply_arrays(const Problem& problem, const Context& ctx) {
  const TransitionSystem& old = problem.system();
  TermStore& terms = old.terms();
  Expansion expansion(terms, ctx.options.get<std::uint64_t>("transform.array-limit"));
  auto expands = [&](Term variable) { return expansion.expands(terms.sort(variable)); };
  bool any = std::any_of(old.inputs().begin(), old.inputs().end(), expands) ||
             std::any_of(old.states().begin(), old.states().end(),
                         [&](const StateVar& state) { return expands(state.current); });
  if (!any || has_nested_arrays(problem)) return unchanged(problem);

  TransitionSystemBuilder builder(old.store());
  std::vector<Expanded> arrays;
  for (Term input : old.inputs()) {
    if (!expands(input)) {
      builder.add_input(input);
      continue;
    }
    arrays.push_back({input, expansion.declare(input)});
    for (Term element : arrays.back().elements) builder.add_input(element);
  }
  for (const StateVar& state : old.states()) {
    if (!expands(state.current)) {
      builder.add_state(state.current, state.next);
      continue;
    }
    arrays.push_back({state.current, expansion.declare(state.current)});
    const Elements& next = expansion.declare(state.next);
    for (std::size_t i = 0; i < next.size(); ++i)
      builder.add_state(arrays.back().elements[i], next[i]);
  }
  for (const StateVar& state : old.states()) {
    if (!expands(state.current)) {
      if (state.init) builder.set_init(state.current, expansion.term(state.init));
      if (state.update) builder.set_update(state.current, expansion.term(state.update));
      continue;
    }
    const Elements current = expansion.elements(state.current);
    const Elements init = state.init ? expansion.elements(state.init) : Elements();
    const Elements update = state.update ? expansion.elements(state.update) : Elements();
    for (std::size_t i = 0; i < init.size(); ++i) builder.set_init(current[i], init[i]);
    for (std::size_t i = 0; i < update.size(); ++i) builder.set_update(current[i], update[i]);
  }
  builder.add_init(expansion.term(old.init_relation()));
  builder.add_trans(expansion.term(old.trans_relation()));
  builder.add_constraint(expansion.term(old.constraint()));
  ctx.stats.counter("transform.arrays.expanded") += arrays.size();
  std::vector<Term> bads;
  for (const Property& property : problem.properties)
    bads.push_back(expansion.term(property.bad_term()));
  Problem flat = with_system(problem, std::move(builder), bads);
  auto back = std::make_unique<Assemble>(old, flat.system(), std::move(arrays));
  return {std::move(flat), std::move(back)};
}

}  // namespace lem::transform
