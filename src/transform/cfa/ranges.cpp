#include "transform/cfa/ranges.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <tuple>

#include "base/assert.h"
#include "term/traverse.h"
#include "transform/cfa/facts.h"
#include "transform/cfa/range_guard.h"

namespace lem::transform {

namespace {

/// Ranges by number: many variables at many locations have the same.
class RangePool {
 public:
  using Id = std::uint32_t;
  Id add(const Range& range) {
    auto key = std::tuple(range.as_unsigned.low, range.as_unsigned.high, range.as_signed.low,
                          range.as_signed.high);
    auto [at, added] = ids_.try_emplace(key, static_cast<Id>(ranges_.size()));
    if (added) ranges_.push_back(range);
    return at->second;
  }
  const Range& operator[](Id id) const { return ranges_[id]; }

 private:
  std::map<std::tuple<Wide, Wide, Wide, Wide>, Id> ids_;
  std::vector<Range> ranges_;
};

/// Numbers of the program: widening stops at them first.
std::vector<Wide> numbers_in(const Cfa& cfa) {
  std::vector<Term> roots;
  std::function<void(const Command&)> collect = [&](const Command& command) {
    if (command.value()) roots.push_back(command.value());
    for (const Command& part : command.parts()) collect(part);
  };
  for (const CfaEdge& edge : cfa.edges()) collect(edge.command);
  std::vector<Wide> numbers{0};
  const TermStore& terms = cfa.terms();
  for_each_subterm(terms, roots, [&](Term term) {
    if (terms.op(term) != Op::BvValue && terms.op(term) != Op::IntValue) return;
    std::optional<Wide> number = to_wide(terms.integer_value(term));
    if (number) numbers.insert(numbers.end(), {*number - 1, *number, *number + 1});
    if (terms.op(term) == Op::IntValue || !number) return;
    Wide negative = *to_wide(terms.signed_value(term));
    numbers.insert(numbers.end(), {negative - 1, negative, negative + 1});
  });
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// The domain.
class RangeFacts {
 public:
  using Fact = RangePool::Id;

  RangeFacts(const Cfa& cfa, const VariableIndices& variables)
      : terms_(cfa.terms()),
        variables_(variables),
        stops_(numbers_in(cfa)),
        table_(variables.size()),
        evaluator_(terms_, [this](Term variable) { return look_up(variable); }),
        guards_(terms_, evaluator_,
                [this](Term variable, const Range& range) { set(variable, range); }) {}

  FactTable<Fact>& table() {
    evaluator_.reset();
    return table_;
  }

  bool execute(const Command& command) { return step(command, Form::Same).has_value(); }
  std::optional<Command> simplify(const Command& command) { return step(command, Form::Simpler); }

  std::optional<Fact> join(VariableIndex v, Fact known, Fact arrived, std::uint32_t rounds) {
    if (known == arrived) return known;
    Sort sort = terms_.sort(variables_[v]);
    Range before = pool_[known];
    Range both = evaluator_.join(sort, before, pool_[arrived]);
    if (both == before) return known;
    if (rounds > kExact) both = widened(sort, before, both, rounds);
    if (both == *evaluator_.full(sort)) return {};
    return pool_.add(both);
  }

  Term formula(VariableIndex v, Fact fact);

 private:
  static constexpr std::uint32_t kExact = 3, kByNumbers = 8, kAtAll = 64;  // rounds in a loop
  enum class Form : std::uint8_t { Same, Simpler };

  std::optional<Range> look_up(Term variable) const {
    const Fact* fact = table_.find(variables_.of(variable));
    return fact == nullptr ? std::nullopt : std::optional(pool_[*fact]);
  }
  void set(Term variable, const Range& range) {
    evaluator_.reset();
    if (range == *evaluator_.full(terms_.sort(variable))) {
      table_.erase(variables_.of(variable));
    } else {
      table_.set(variables_.of(variable), pool_.add(range));
    }
  }
  void forget(Term variable) {
    evaluator_.reset();
    table_.erase(variables_.of(variable));
  }

  std::optional<Command> step(const Command& command, Form form);
  std::optional<Command> choose(const Command& command, Form form);
  Term simpler(Term term);
  Range widened(Sort sort, const Range& before, const Range& now, std::uint32_t rounds) const;
  Interval widened(const Interval& before, const Interval& now, const Interval& all,
                   std::uint32_t rounds) const;

  TermStore& terms_;
  const VariableIndices& variables_;
  std::vector<Wide> stops_;  // ascending
  RangePool pool_;
  FactTable<Fact> table_;
  RangeEvaluator evaluator_;
  RangeGuards guards_;
};

std::optional<Command> RangeFacts::step(const Command& command, Form form) {
  switch (command.kind()) {
    case Command::Kind::Assign: {
      Term value = form == Form::Simpler ? simpler(command.value()) : command.value();
      std::optional<Range> range = evaluator_.range(command.value());
      if (range) {
        set(command.variable(), *range);
      } else {
        forget(command.variable());
      }
      return value == command.value() ? command : Command::assign(command.variable(), value);
    }
    case Command::Kind::Assume: {
      Term guard = form == Form::Simpler ? simpler(command.guard()) : command.guard();
      if (!guards_.assume(command.guard())) return {};
      if (guard == command.guard()) return command;
      return terms_.is_true(guard) ? Command::skip() : Command::assume(guard);
    }
    case Command::Kind::Havoc:
      forget(command.variable());
      return command;
    case Command::Kind::Sequence: {
      std::vector<Command> parts;
      for (const Command& part : command.parts()) {
        std::optional<Command> made = step(part, form);
        if (!made) return {};
        parts.push_back(*std::move(made));
      }
      return Command::sequence(std::move(parts));
    }
    case Command::Kind::Choice:
      return choose(command, form);
  }
  unreachable();
}

std::optional<Command> RangeFacts::choose(const Command& command, Form form) {
  FactTable<Fact>::Entries before = table_.entries();
  std::optional<FactTable<Fact>::Entries> all;
  std::vector<Command> parts;
  for (const Command& part : command.parts()) {
    table().load(before);
    std::optional<Command> made = step(part, form);
    if (!made) continue;
    parts.push_back(*std::move(made));
    if (!all) {
      all = table_.entries();
      continue;
    }
    FactTable<Fact>::Entries both;
    for (const auto& [v, fact] : *all)
      if (const Fact* other = table_.find(v))
        if (auto joined = join(v, fact, *other, 0)) both.emplace_back(v, *joined);
    all = std::move(both);
  }
  if (!all) return {};
  table().load(*all);
  return Command::choice(std::move(parts));
}

/// Parts with one value are replaced by it.
Term RangeFacts::simpler(Term term) {
  if (terms_.is_value(term)) return term;
  evaluator_.range(term);
  TermMap decided;
  for_each_subterm(terms_, std::array{term}, [&](Term part) {
    if (terms_.is_value(part)) return;
    if (Term value = evaluator_.only_value(part)) decided[part] = value;
  });
  return decided.empty() ? term : substitute(terms_, term, decided);
}

Range RangeFacts::widened(Sort sort, const Range& before, const Range& now,
                          std::uint32_t rounds) const {
  Range all = *evaluator_.full(sort);
  if (rounds > kAtAll) return all;
  Range wide{widened(before.as_unsigned, now.as_unsigned, all.as_unsigned, rounds),
             widened(before.as_signed, now.as_signed, all.as_signed, rounds)};
  return evaluator_.meet(sort, wide, all);
}

/// Widens an end that moved to the next number of the program, after some rounds to infinity.
Interval RangeFacts::widened(const Interval& before, const Interval& now, const Interval& all,
                             std::uint32_t rounds) const {
  Interval wide = now;
  if (now.low < before.low) {
    auto above = std::upper_bound(stops_.begin(), stops_.end(), now.low);
    bool stop = rounds <= kByNumbers && above != stops_.begin();
    wide.low = stop ? std::max(*std::prev(above), all.low) : all.low;
  }
  if (now.high > before.high) {
    auto next = std::lower_bound(stops_.begin(), stops_.end(), now.high);
    bool stop = rounds <= kByNumbers && next != stops_.end();
    wide.high = stop ? std::min(*next, all.high) : all.high;
  }
  return wide;
}

/// For a bit-vector the unsigned ends suffice if they have the same highest bit.
Term RangeFacts::formula(VariableIndex v, Fact fact) {
  Term x = variables_[v];
  Sort sort = terms_.sort(x);
  const Range& range = pool_[fact];
  Range all = *evaluator_.full(sort);
  std::vector<Term> parts;
  switch (terms_.kind(sort)) {
    case SortKind::Bool:
      return range.as_unsigned.low == 0 ? terms_.make_not(x) : x;
    case SortKind::BitVec: {
      std::uint32_t width = terms_.width(sort);
      auto number = [&](Wide value) { return terms_.bv(from_wide(value), width); };
      const Interval &u = range.as_unsigned, &s = range.as_signed;
      if (u.low > all.as_unsigned.low) parts.push_back(terms_.make_bv_ule(number(u.low), x));
      if (u.high < all.as_unsigned.high) parts.push_back(terms_.make_bv_ule(x, number(u.high)));
      if (s.low >= 0 || s.high < 0) break;
      if (s.low > all.as_signed.low) parts.push_back(terms_.make_bv_sle(number(s.low), x));
      if (s.high < all.as_signed.high) parts.push_back(terms_.make_bv_sle(x, number(s.high)));
      break;
    }
    case SortKind::Int:
      if (range.as_signed.low > -kInfinite)
        parts.push_back(terms_.make_le(terms_.integer(from_wide(range.as_signed.low)), x));
      if (range.as_signed.high < kInfinite)
        parts.push_back(terms_.make_le(x, terms_.integer(from_wide(range.as_signed.high))));
      break;
    case SortKind::Real:
    case SortKind::Array:
    case SortKind::Float:
      break;
  }
  return range.as_unsigned.point() && evaluator_.full(sort)
             ? terms_.make_eq(x, terms_.number(mpq_class(from_wide(range.as_unsigned.low)), sort))
             : terms_.make_and(parts);
}

}  // namespace

Reduction ranges(const Cfa& cfa) {
  VariableIndices variables(cfa);
  RangeFacts domain(cfa, variables);
  return Analysis(cfa, variables, domain).run();
}

}  // namespace lem::transform
