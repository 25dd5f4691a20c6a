#include "transform/cfa/values.h"

#include <map>

#include "base/assert.h"
#include "transform/cfa/value_classes.h"

namespace lem::transform {

namespace {

/// Terms and commands over values as terms and commands over numbers of intervals.
class Renumber {
 public:
  Renumber(const Cfa& cfa, const ValueClasses& classes) : terms_(cfa.terms()), classes_(classes) {
    for (Term variable : cfa.variables()) {
      const Partition* partition = classes.partition(variable);
      if (partition == nullptr) continue;
      Sort numbers = terms_.bv_sort(partition->width());
      image_[variable] = terms_.fresh(terms_.name(variable) + ".value", numbers);
    }
  }
  Term variable(Term old) const {
    auto found = image_.find(old);
    return found == image_.end() ? old : found->second;
  }
  Command operator()(const Command& command) {
    switch (command.kind()) {
      case Command::Kind::Assume:
        return Command::assume(term(command.guard()));
      case Command::Kind::Havoc:
        return Command::havoc(variable(command.variable()));
      case Command::Kind::Assign: {
        term(command.value());
        return Command::assign(variable(command.variable()),
                               flow(command.value(), classes_.partition(command.variable())));
      }
      case Command::Kind::Sequence:
      case Command::Kind::Choice: {
        std::vector<Command> parts;
        for (const Command& part : command.parts()) parts.push_back((*this)(part));
        return command.kind() == Command::Kind::Sequence ? Command::sequence(std::move(parts))
                                                         : Command::choice(std::move(parts));
      }
    }
    unreachable();
  }

 private:
  Term term(Term root) {
    for_each_subterm(terms_, {&root, 1}, [&](Term each) {
      if (!image_.contains(each)) image_[each] = image(each);
    });
    return image_.at(root);
  }
  /// require: its arguments have images
  Term image(Term old) {
    if (terms_.is_variable(old) || terms_.is_value(old)) return old;
    if (auto compared = classes_.comparison(old))
      if (const Partition* partition = classes_.partition(compared->flow))
        return partition->on_number(terms_, *compared, image_.at(compared->flow));
    const Partition* partition = terms_.op(old) == Op::Ite ? classes_.partition(old) : nullptr;
    std::vector<Term> args;
    for (Term arg : terms_.args(old))
      args.push_back(args.empty() ? image_.at(arg) : flow(arg, partition));
    if (terms_.op(old) == Op::ConstArray) return terms_.make_const_array(terms_.sort(old), args[0]);
    return terms_.make(terms_.op(old), args, terms_.param(old, 0), terms_.param(old, 1));
  }
  /// A term where a number of that partition is expected.
  ///   require: it has an image
  Term flow(Term old, const Partition* partition) {
    if (partition == nullptr || !terms_.is_value(old)) return image_.at(old);
    return terms_.bv(mpz_class(partition->number_of(terms_.integer_value(old))),
                     partition->width());
  }

  TermStore& terms_;
  const ValueClasses& classes_;
  TermMap image_;
};

/// In runs, numbers become representatives of their intervals. In invariants, atoms over one
/// variable become comparisons of its value with interval bounds.
class ValuesBack final : public CfaBackTranslator {
 public:
  ValuesBack(const Cfa& old, const Cfa& reduced, const ValueClasses& classes)
      : terms_(old.terms()) {
    for (std::size_t i = 0; i < old.variables().size(); ++i) {
      const Partition* partition = classes.partition(old.variables()[i]);
      was_.push_back(partition == nullptr ? std::nullopt : std::optional(*partition));
      if (partition != nullptr)
        renumbered_.emplace(reduced.variables()[i], Was{old.variables()[i], *partition});
    }
  }

  std::optional<CfaTrace> trace(const CfaTrace& run) const override {
    CfaTrace old = run;
    for (std::vector<Term>& state : old.values)
      for (std::size_t i = 0; i < state.size(); ++i)
        if (was_[i]) state[i] = was_[i]->representative(terms_, terms_.integer_value(state[i]));
    return old;
  }

  LocationInvariants invariants(const LocationInvariants& claim) const override {
    Substitution numbers(terms_);
    for (const auto& [number, was] : renumbered_)
      numbers.add(number, was.partition.number_term(terms_, was.variable));
    LocationInvariants old{{}, claim.rounds};
    for (Term formula : claim.at) old.at.push_back(formula ? of_values(formula, numbers) : formula);
    return old;
  }

 private:
  struct Was {
    Term variable;
    Partition partition;
  };

  /// Parts over one variable are translated together by intervals, so that bits become comparisons
  /// again; the rest by the definition of the number.
  Term of_values(Term formula, Substitution& numbers) const {
    if (const Was* was = only_renumbered(formula)) return by_intervals(formula, *was);
    Op op = terms_.op(formula);
    if (op != Op::And && op != Op::Or && op != Op::Not) return numbers.apply(formula);
    std::map<Term, std::vector<Term>> of_one;
    std::vector<Term> parts;
    for (Term part : terms_.args(formula)) {
      if (const Was* was = only_renumbered(part))
        of_one[was->variable].push_back(part);
      else
        parts.push_back(of_values(part, numbers));
    }
    for (const auto& [variable, together] : of_one) {
      Term part = op == Op::And ? terms_.make_and(together) : terms_.make_or(together);
      parts.push_back(of_values(part, numbers));
    }
    if (op == Op::Not) return terms_.make_not(parts[0]);
    return op == Op::And ? terms_.make_and(parts) : terms_.make_or(parts);
  }

  /// If that is the one variable of the formula.
  const Was* only_renumbered(Term formula) const {
    std::vector<Term> variables = variables_of(terms_, formula);
    if (variables.size() != 1) return nullptr;
    auto found = renumbered_.find(variables[0]);
    return found == renumbered_.end() ? nullptr : &found->second;
  }

  Term by_intervals(Term formula, const Was& was) const {
    Term number = variables_of(terms_, formula)[0];
    std::vector<bool> members;
    for (std::size_t i = 0; i < was.partition.size(); ++i) {
      Term value = terms_.bv(mpz_class(i), was.partition.width());
      members.push_back(terms_.is_true(evaluate(terms_, formula, {{number, value}})));
    }
    return was.partition.on_value(terms_, members, was.variable);
  }

  TermStore& terms_;
  std::vector<std::optional<Partition>> was_;  // by variable
  std::unordered_map<Term, Was> renumbered_;   // by new variable
};

}  // namespace

Reduction values(const Cfa& cfa) {
  ValueClasses classes(cfa);
  Renumber renumber(cfa, classes);
  std::vector<std::optional<Command>> commands;
  for (const CfaEdge& edge : cfa.edges()) commands.emplace_back(renumber(edge.command));
  std::vector<Term> variables;
  for (Term variable : cfa.variables()) variables.push_back(renumber.variable(variable));
  std::vector<bool> all(cfa.locations().size(), true);
  Derived derived = derive(cfa, variables, all, commands);
  auto back = std::make_unique<ValuesBack>(cfa, derived.cfa, classes);
  return {std::move(derived.cfa), std::move(back)};
}

}  // namespace lem::transform
